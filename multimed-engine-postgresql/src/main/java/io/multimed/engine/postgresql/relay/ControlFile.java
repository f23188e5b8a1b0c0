package io.multimed.engine.postgresql.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the Relay needs of the Master's {@code global/pg_control} (catalog/pg_control.h; these offsets are the same in
 * versions 15 to 18).
 *
 * @param systemId of the database cluster, unsigned
 * @param redo where the last checkpoint began
 * @param nextXid the next transaction number at that checkpoint, 64 bits
 */
record ControlFile(long systemId, long redo, long nextXid) {
    private static final int SYSTEM_ID = 0;
    private static final int CHECKPOINT_COPY = 40;
    private static final int REDO = CHECKPOINT_COPY;
    private static final int NEXT_XID = CHECKPOINT_COPY + 24;
    private static final int USED = NEXT_XID + 8;

    static ControlFile read(Path dataDirectory) throws IOException {
        Path file = dataDirectory.resolve("global/pg_control");
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length < USED) {
            throw new IOException(file + " has only " + bytes.length + " bytes");
        }
        ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new ControlFile(content.getLong(SYSTEM_ID), content.getLong(REDO), content.getLong(NEXT_XID));
    }
}
