package io.multimed.engine.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The present processes of this machine, from {@code /proc}; only its parts that every user may read. */
public final class ProcessTable {
    private static final Path PROC = Path.of("/proc");

    /**
     * One process.
     *
     * @param name of its program, at most 15 characters
     * @param state the kernel's letter; {@code Z} and {@code X} are dead, {@code T} and {@code t} stopped
     * @param session the number of the process that began its session
     * @param startTicks when it began; together with the pid it names a process for good
     */
    public record Entry(long pid, String name, char state, long parent, long session, long startTicks) {
        public boolean dead() {
            return state == 'Z' || state == 'X';
        }

        public boolean frozen() {
            return state == 'T' || state == 't';
        }
    }

    private ProcessTable() {}

    public static List<Entry> all() {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                of(Long.parseLong(process.getFileName().toString())).ifPresent(entries::add);
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot read /proc", e);
        }
        return entries;
    }

    public static Optional<Entry> of(long pid) {
        try {
            String stat =
                    Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"), StandardCharsets.ISO_8859_1);
            // The name stands in parentheses and may itself hold any character.
            int open = stat.indexOf('(');
            int close = stat.lastIndexOf(')');
            String[] fields = stat.substring(close + 2).split(" ");
            return Optional.of(new Entry(
                    pid,
                    stat.substring(open + 1, close),
                    fields[0].charAt(0),
                    Long.parseLong(fields[1]),
                    Long.parseLong(fields[3]),
                    Long.parseLong(fields[19])));
        } catch (IOException | RuntimeException e) {
            // The process has ended between the listing and the reading.
            return Optional.empty();
        }
    }

    /** Returns the arguments, each ended by a NUL, or the title that the process gave itself; empty when it is gone. */
    public static String commandLine(long pid) {
        try {
            return new String(
                    Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve("cmdline")),
                    StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
