package io.multimed.engine.postgresql.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Segments of System V shared memory (shmget(2)), which outlive the engine that made them. */
final class SharedMemory {
    /** As proc_sysvipc(5) has them: the number of the segment, its owner. */
    private static final Path SEGMENTS = Path.of("/proc/sysvipc/shm");

    private static final int NUMBER = 1;
    private static final int OWNER = 7;

    private SharedMemory() {}

    /**
     * Removes a segment with its last user, if it is this user's: the number was read from a file that he may write.
     *
     * @param number of the segment; none has a negative one
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
