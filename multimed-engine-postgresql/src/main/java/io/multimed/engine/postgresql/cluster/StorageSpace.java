package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.NoRoomException;
import io.multimed.engine.files.Room;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks whether a Satellite's data fits into its place. */
final class StorageSpace {
    /**
     * Most log for which room is required. A Master may keep more, but its Satellite will hardly ever need it, so a copy is not
     * refused for lack of that room.
     */
    private static final long MOST_LOG = 8L << 30;

    private StorageSpace() {}

    /**
     * Refuses a place with too little room, with both numbers; an existing copy must have been deleted before.
     *
     * @param logBytes which a standby keeps from one restart point to the next; these follow the Master's checkpoints
     */
    static void require(SatelliteConfig config, long dataBytes, long logBytes) throws EngineException {
        long needed = dataBytes + dataBytes / 8 + forLog(logBytes);
        Path place = config.dataDirectory().getParent();
        try {
            long free = Files.getFileStore(place == null ? config.dataDirectory() : place)
                    .getUsableSpace();
            if (free < needed) {
                throw new NoRoomException("The copy for " + config.id() + " needs " + Room.text(needed) + " in " + place
                        + ", where " + Room.text(free) + " are free.");
            }
            long memory = config.inMemory() ? config.availableMemory().getAsLong() : Long.MAX_VALUE;
            if (memory < needed) {
                throw new NoRoomException("The copy for " + config.id() + " needs " + Room.text(needed)
                        + " of memory, of which " + Room.text(memory) + " are available.");
            }
        } catch (IOException e) {
            throw new EngineException("Cannot tell the free space of " + place + ": " + e + ".", e);
        }
    }

    /** Returns the number of bytes to leave free for an engine that keeps so much log. */
    static long forLog(long logBytes) {
        return Math.min(logBytes, MOST_LOG);
    }
}
