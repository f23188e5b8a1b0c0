package io.multimed.engine.postgresql.cluster;

import io.multimed.engine.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a Satellite's data fits where it is to go. */
final class StorageSpace {
    private static final Path MEMORY = Path.of("/proc/meminfo");
    /** For the log that a standby keeps from one restart point to the next, which follow the Master's checkpoints. */
    private static final long RESERVE = 768L << 20;

    private StorageSpace() {}

    /** Refuses, with both numbers, when there is too little; an existing copy must have been deleted before. */
    static void require(SatelliteConfig config, long dataBytes) throws EngineException {
        long needed = dataBytes + dataBytes / 8 + RESERVE;
        Path place = config.dataDirectory().getParent();
        try {
            long free = Files.getFileStore(place == null ? config.dataDirectory() : place)
                    .getUsableSpace();
            if (free < needed) {
                throw new EngineException("The copy for " + config.id() + " needs " + text(needed) + " in " + place
                        + ", where " + text(free) + " are free.");
            }
            long memory = config.inMemory() ? availableMemory() : Long.MAX_VALUE;
            if (memory < needed) {
                throw new EngineException("The copy for " + config.id() + " needs " + text(needed)
                        + " of memory, of which " + text(memory) + " are available.");
            }
        } catch (IOException e) {
            throw new EngineException("Cannot tell the free space of " + place + ": " + e + ".", e);
        }
    }

    private static long availableMemory() throws IOException {
        for (String line : Files.readAllLines(MEMORY)) {
            if (line.startsWith("MemAvailable:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        return Long.MAX_VALUE;
    }

    private static String text(long bytes) {
        return bytes >> 20 < 10_000 ? (bytes >> 20) + " MB" : (bytes >> 30) + " GB";
    }
}
