package io.multimed.engine.postgresql.process;

import io.multimed.engine.process.EngineUser;
import io.multimed.engine.process.Native;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Segments of System V shared memory (shmget(2)), which outlive the engine that made them. */
final class SharedMemory {
    /** The kernel's list of segments (proc_sysvipc(5)), with each segment's number and owner. */
    private static final Path SEGMENTS = Path.of("/proc/sysvipc/shm");

    private static final int NUMBER = 1;
    private static final int OWNER = 7;

    private SharedMemory() {}

    /**
     * Marks a segment for removal with its last user, if it belongs to {@code user}: the number was read from a file that this
     * user may write.
     *
     * @param number of the segment; no segment has a negative one
     */
    static void remove(int number, EngineUser user) {
        if (number >= 0 && belongsTo(number, user)) {
            Native.removeSharedMemory(number);
        }
    }

    private static boolean belongsTo(int number, EngineUser user) {
        try (Stream<String> lines = Files.lines(SEGMENTS)) {
            return lines.skip(1)
                    .map(line -> line.strip().split("\\s+"))
                    .anyMatch(segment -> segment.length > OWNER
                            && segment[NUMBER].equals(Integer.toString(number))
                            && segment[OWNER].equals(Integer.toString(user.uid())));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }
}
