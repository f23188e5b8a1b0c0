package io.multimed.engine.postgresql.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code postmaster.pid}: the server's lock on its data directory, which also shows the progress of its start.
 *
 * @param pid of the postmaster that wrote it
 * @param sharedMemory number of its System V segment, or -1 if it has none yet
 * @param status {@code starting}, {@code standby}, {@code ready}, {@code stopping}, or empty
 */
record PostmasterFile(long pid, int sharedMemory, String status) {
    private static final Pattern SEGMENT = Pattern.compile("\\s*\\d+\\s+(\\d+)\\s*");

    static Path path(Path dataDirectory) {
        return dataDirectory.resolve("postmaster.pid");
    }

    /** Returns the file's contents; empty without the file, or while it is being written. */
    static Optional<PostmasterFile> read(Path dataDirectory) {
        try {
            List<String> lines = Files.readAllLines(path(dataDirectory));
            long pid = Math.abs(Long.parseLong(lines.getFirst().strip()));
            Matcher segment = SEGMENT.matcher(lines.size() > 6 ? lines.get(6) : "");
            return Optional.of(new PostmasterFile(
                    pid,
                    segment.matches() ? Integer.parseInt(segment.group(1)) : -1,
                    lines.size() > 7 ? lines.get(7).strip() : ""));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Removes the lock of a killed server; none of its processes may be alive. PostgreSQL would take it for valid if another
     * process had got the pid meanwhile.
     */
    static void clean(Path dataDirectory) {
        try {
            Files.deleteIfExists(path(dataDirectory));
        } catch (IOException e) {
            // The next start names the file that it cannot remove.
            return;
        }
    }
}
