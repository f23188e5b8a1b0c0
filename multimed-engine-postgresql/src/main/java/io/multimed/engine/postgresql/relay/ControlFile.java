package io.multimed.engine.postgresql.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The required fields of a data directory's {@code global/pg_control} (catalog/pg_control.h; these offsets are the same in
 * versions 15 to 18).
 *
 * @param systemId of the database cluster, unsigned
 * @param redo where the last checkpoint began; in a standby the last restartpoint
 * @param timeline of that checkpoint
 * @param nextXid the next transaction number at that checkpoint, 64 bits
 * @param minRecovery up to where a standby's data may come from the log; 0 in a server that is none
 * @param minRecoveryTimeline the timeline of that log
 * @param backupStart start of the copy from which a standby was made, until its recovery has reached the copy's end; then 0
 * @param segmentSize of the log, in bytes
 */
record ControlFile(
        long systemId,
        long redo,
        int timeline,
        long nextXid,
        long minRecovery,
        int minRecoveryTimeline,
        long backupStart,
        int segmentSize) {
    static final int SYSTEM_ID = 0;
    private static final int CHECKPOINT_COPY = 40;
    static final int REDO = CHECKPOINT_COPY;
    static final int TIMELINE = CHECKPOINT_COPY + 8;
    private static final int NEXT_XID = CHECKPOINT_COPY + 24;
    static final int MIN_RECOVERY = 136;
    static final int MIN_RECOVERY_TIMELINE = 144;
    static final int BACKUP_START = 152;
    static final int SEGMENT_SIZE = 228;
    static final int USED = SEGMENT_SIZE + 4;

    static ControlFile read(Path dataDirectory) throws IOException {
        Path file = path(dataDirectory);
        return of(Files.readAllBytes(file), file);
    }

    static Path path(Path dataDirectory) {
        return dataDirectory.resolve("global/pg_control");
    }

    /**
     * @param file the source of the bytes, for messages
     */
    static ControlFile of(byte[] bytes, Path file) throws IOException {
        if (bytes.length < USED) {
            throw new IOException(file + " has only " + bytes.length + " bytes");
        }
        ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new ControlFile(
                content.getLong(SYSTEM_ID),
                content.getLong(REDO),
                content.getInt(TIMELINE),
                content.getLong(NEXT_XID),
                content.getLong(MIN_RECOVERY),
                content.getInt(MIN_RECOVERY_TIMELINE),
                content.getLong(BACKUP_START),
                content.getInt(SEGMENT_SIZE));
    }
}
