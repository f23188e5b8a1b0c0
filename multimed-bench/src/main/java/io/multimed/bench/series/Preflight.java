package io.multimed.bench.series;

import com.sun.management.UnixOperatingSystemMXBean;
import io.multimed.bench.BenchException;
import io.multimed.bench.system.Systems;
import io.multimed.model.topology.Topology;
import io.multimed.server.os.AvailableMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks whether this machine can carry the requested runs, before anything is loaded. */
public final class Preflight {
    /** Number of files that the harness has open besides its clients' connections. */
    private static final int OTHER_FILES = 256;

    private static final double GB = 1e9;
    /** Memory of the harness, Multimed's middleware and the operating system. */
    private static final long OTHER_MEMORY = 1_000_000_000;
    /** Memory of a connection of its own to PostgreSQL. */
    private static final long MEMORY_PER_CLIENT = 6_000_000;
    /** Room on disk for log and for sorting. */
    private static final long OTHER_DISK = 3_000_000_000L;

    private static final AvailableMemory MEMORY = new AvailableMemory(Path.of("/"));
    private static final Path MEMORY_DISK = Path.of("/dev/shm");

    /** Systems whose other engines have their data on the disk, too. */
    private static final Set<String> COPY_TO_DISK = Set.of("multimed-c0", "pgpool", "pgpool-si", Systems.SUBSCRIPTION);

    /** Systems with an engine that carries a part of the tables. */
    private static final List<String> PARTIAL = List.of(Systems.C2, Systems.C2_TRIGGERS, Systems.SUBSCRIPTION);

    private static final Path TASKSET = Path.of("/usr/bin/taskset");

    private Preflight() {}

    /** @param clients that will be at work at once */
    static void check(SeriesOptions options, Benchmark<?> benchmark, int clients) throws BenchException {
        if (benchmark.carried().nothing() && options.systems().stream().anyMatch(PARTIAL::contains)) {
            throw new BenchException("--against: " + String.join(" and ", PARTIAL)
                    + " have a copy of the tables that heavy reads need, and " + benchmark.name()
                    + " has none");
        }
        files(clients);
        memory(options, benchmark, clients, availableMemory());
        disk(options, benchmark.estimatedBytes());
    }

    /**
     * Returns the processors for a value of {@code --cores}, empty for all.
     *
     * @param topology of the processors that this process may use
     */
    static List<Integer> cores(int cores, Topology topology) throws BenchException {
        List<Integer> usable = topology.cpus().toList();
        if (cores > usable.size()) {
            throw new BenchException("--cores: there are " + usable.size() + " logical processors here, not " + cores);
        }
        if (cores > 0 && !Files.isExecutable(TASKSET)) {
            throw new BenchException("--cores: needs " + TASKSET + " (package util-linux)");
        }
        return cores == 0 ? List.of() : usable.subList(0, cores);
    }

    static void files(int clients) throws BenchException {
        long limit = openFiles();
        if (clients + OTHER_FILES > limit) {
            throw new BenchException("--clients: " + clients + " connections need more than the " + limit
                    + " open files that this process may have; at most " + Math.max(0, limit - OTHER_FILES)
                    + " clients, or raise the limit (ulimit -n)");
        }
    }

    /** Returns the limit of open files; the JVM raises its soft limit to the hard one by itself. */
    private static long openFiles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /** Makes the directory for results. */
    public static void out(Path out) throws BenchException {
        try {
            Files.createDirectories(out);
            Files.delete(Files.createTempFile(out, ".writable", ""));
        } catch (IOException e) {
            throw new BenchException("--out: cannot write to " + out + ": " + reason(e), e);
        }
    }

    /** Returns the operating system's message, if there is one. */
    private static String reason(IOException e) {
        String reason = e instanceof FileSystemException failed ? failed.getReason() : null;
        if (reason != null) {
            return reason;
        }
        return e instanceof AccessDeniedException
                ? "Permission denied"
                : e instanceof NoSuchFileException ? "No such file or directory" : e.toString();
    }

    /**
     * Returns the bytes that programs could still take: the rest of a container's limit, if that is less than the machine's.
     */
    public static long availableMemory() {
        return MEMORY.getAsLong();
    }

    /** @param available bytes */
    static void memory(SeriesOptions options, Benchmark<?> benchmark, int clients, long available)
            throws BenchException {
        long size = benchmark.estimatedBytes();
        int copies = options.systems().contains(Systems.C2) || options.systems().contains(Systems.C2_TRIGGERS)
                ? options.satellites() + 1
                : options.systems().contains("multimed") ? options.satellites() : 0;
        long needed = size * (1 + copies) + OTHER_MEMORY + clients * MEMORY_PER_CLIENT;
        String database = "a database of about " + gigabytes(size) + " (" + benchmark.sizedBy() + ")";
        if (needed > available) {
            throw new BenchException(database + " with " + copies + " copies in memory and " + clients
                    + " clients needs about " + gigabytes(needed) + " of memory, and " + gigabytes(available)
                    + " are free; take a smaller one, fewer --satellites or --clients");
        }
        if (copies > 0 && free(MEMORY_DISK) < size * copies) {
            throw new BenchException(database + " with " + copies + " Satellites needs " + gigabytes(size * copies)
                    + " in " + MEMORY_DISK + ", where " + gigabytes(free(MEMORY_DISK)) + " are free");
        }
    }

    /** Whether there is a directory for databases. */
    public static void work(Path directory) throws BenchException {
        if (!Files.isDirectory(directory)) {
            throw new BenchException("--work: there is no directory " + directory);
        }
    }

    private static void disk(SeriesOptions options, long size) throws BenchException {
        int copies = copiesOnDisk(options);
        long needed = copies * size + OTHER_DISK;
        work(options.work());
        if (free(options.work()) < needed) {
            throw new BenchException("--work: " + copies + " copies of the database need about " + gigabytes(needed)
                    + " in " + options.work() + ", where " + gigabytes(free(options.work())) + " are free");
        }
    }

    /** Returns the number of copies: the loaded cluster, the one that is run, and the data of a system's other engines. */
    static int copiesOnDisk(SeriesOptions options) {
        return 2 + (options.systems().stream().anyMatch(COPY_TO_DISK::contains) ? options.satellites() : 0);
    }

    private static long free(Path directory) throws BenchException {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            throw new BenchException("cannot tell how much is free in " + directory + ": " + e, e);
        }
    }

    private static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f GB", bytes / GB);
    }
}
