package io.multimed.bench.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Processor time, context switches and memory of programs with all their descendants, from {@code /proc}.
 *
 * <p>A process counts for the nearest of the named ones above it. Processor time of ended children counts for the process that
 * waited for them.
 */
public final class ProcessTree {
    private static final Path PROC = Path.of("/proc");
    /** The kernel's unit of time in its interface to programs, on every architecture that Multimed runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final long KB = 1024;
    /**
     * Most processes that are looked at one by one. With more, looking takes longer than the measurement, even minutes, since
     * the looking thread is one of hundreds that wait for a processor.
     */
    private static final int MOST_PROCESSES = 200;

    private record Entry(long parent, long ticks) {}

    private ProcessTree() {}

    /**
     * Use of the machine by processes so far, by their names.
     *
     * @param cpuSeconds of processor time
     * @param switches since each of their threads began, by its number: the kernel does not report those of a whole process or
     *     of ended threads
     * @param many there are too many of them to look at each while they work
     */
    record Look(Map<String, Double> cpuSeconds, Map<String, Map<Long, ContextSwitches>> switches, boolean many) {}

    /** @param named names and process numbers */
    static Look look(Map<String, Long> named) {
        Map<Long, Entry> entries = entries();
        Map<String, Double> seconds = new TreeMap<>();
        named.keySet().forEach(name -> seconds.put(name, 0.0));
        Map<Long, String> owners = new HashMap<>();
        entries.forEach((pid, entry) -> {
            String owner = owner(pid, entries, named);
            if (owner != null) {
                owners.put(pid, owner);
                seconds.merge(owner, entry.ticks() / TICKS_PER_SECOND, Double::sum);
            }
        });
        Map<String, Map<Long, ContextSwitches>> switches = new TreeMap<>();
        owners.forEach((pid, owner) -> switches(pid, switches.computeIfAbsent(owner, any -> new HashMap<>())));
        return new Look(seconds, switches, owners.size() > MOST_PROCESSES);
    }

    /**
     * Returns the same without looking at each process. If one process is named besides this one, all other processor time of
     * the machine is counted for it. With several, neither each one's processor time nor its context switches are known.
     */
    static Look lookAtMachine(Map<String, Long> named) {
        long self = ProcessHandle.current().pid();
        Entry own = entry(PROC.resolve(Long.toString(self)));
        if (own == null) {
            throw new IllegalStateException("cannot read /proc");
        }
        double ownSeconds = own.ticks() / TICKS_PER_SECOND;
        double others = busyTicks() / TICKS_PER_SECOND - ownSeconds;
        Map<String, Double> seconds = new TreeMap<>();
        named.forEach((name, pid) -> {
            if (pid == self) {
                seconds.put(name, ownSeconds);
            } else if (named.size() == 2) {
                seconds.put(name, others);
            }
        });
        return new Look(seconds, Map.of(), true);
    }

    /**
     * Returns the time that all processors have worked since the machine started: in user mode, niced or not, in the kernel,
     * for interrupts.
     */
    private static long busyTicks() {
        try (Stream<String> lines = Files.lines(PROC.resolve("stat"))) {
            String[] fields = lines.findFirst().orElse("").split(" +");
            return Long.parseLong(fields[1])
                    + Long.parseLong(fields[2])
                    + Long.parseLong(fields[3])
                    + Long.parseLong(fields[6])
                    + Long.parseLong(fields[7]);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read /proc", e);
        }
    }

    /** Returns bytes of memory, shared pages divided among their users; empty where this user may not read them. */
    public static Map<String, Long> memoryBytes(Map<String, Long> named) {
        Map<Long, Entry> entries = entries();
        Map<String, Long> bytes = new TreeMap<>();
        try {
            for (Long pid : entries.keySet()) {
                String owner = owner(pid, entries, named);
                if (owner != null) {
                    bytes.merge(owner, proportional(pid), Long::sum);
                }
            }
        } catch (IOException e) {
            return Map.of();
        }
        return bytes;
    }

    /** Adds the context switches of the process's threads. */
    private static void switches(long pid, Map<Long, ContextSwitches> threads) {
        Path process = PROC.resolve(Long.toString(pid));
        String status = status(process);
        if (number(status, "\nThreads:") <= 1) {
            threads.put(pid, switches(status));
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path thread : all) {
                threads.put(Long.parseLong(thread.getFileName().toString()), switches(status(thread)));
            }
        } catch (IOException | DirectoryIteratorException ended) {
            // The process has ended; its threads count as far as they were seen.
        }
    }

    /** Returns the status file's text; empty if the process or thread has ended. */
    private static String status(Path processOrThread) {
        try {
            return Files.readString(processOrThread.resolve("status"), StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }

    private static ContextSwitches switches(String status) {
        return new ContextSwitches(
                number(status, "\nvoluntary_ctxt_switches:"), number(status, "\nnonvoluntary_ctxt_switches:"));
    }

    /** Returns the number behind a name in {@code /proc/PID/status}; 0 if it is not there. */
    private static long number(String status, String name) {
        int found = status.indexOf(name);
        long value = 0;
        for (int at = found + name.length(); found >= 0 && at < status.length() && status.charAt(at) != '\n'; at++) {
            int digit = Character.digit(status.charAt(at), 10);
            value = digit < 0 ? value : value * 10 + digit;
        }
        return value;
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("\\D+", ""));
    }

    private static @Nullable String owner(long pid, Map<Long, Entry> entries, Map<String, Long> named) {
        long above = pid;
        for (Entry entry = entries.get(above); entry != null; entry = entries.get(above)) {
            for (Map.Entry<String, Long> candidate : named.entrySet()) {
                if (candidate.getValue() == above) {
                    return candidate.getKey();
                }
            }
            above = entry.parent();
        }
        return null;
    }

    private static Map<Long, Entry> entries() {
        Map<Long, Entry> entries = new HashMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                Entry entry = entry(process);
                if (entry != null) {
                    entries.put(Long.parseLong(process.getFileName().toString()), entry);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot read /proc", e);
        }
        return entries;
    }

    private static @Nullable Entry entry(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            // The name in parentheses may hold any character; the part behind it begins with field 3.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long ticks = 0;
            for (int field = 14; field <= 17; field++) {
                ticks += Long.parseLong(fields[field - 3]);
            }
            return new Entry(Long.parseLong(fields[1]), ticks);
        } catch (IOException | RuntimeException gone) {
            return null;
        }
    }

    private static long proportional(long pid) throws IOException {
        Path file = PROC.resolve(Long.toString(pid)).resolve("smaps_rollup");
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith("Pss:"))
                    .mapToLong(line -> number(line) * KB)
                    .sum();
        } catch (IOException e) {
            if (Files.exists(file) && !Files.isReadable(file)) {
                throw e;
            }
            // The process has ended meanwhile.
            return 0;
        }
    }
}
