package io.multimed.engine.postgresql.copy;

import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Reads the control file of a running server.
 *
 * <p>The server may be writing it at the same moment, and nothing makes reads and writes of it atomic. Its content ends
 * with a CRC-32C; since its length differs from release to release, every length that fits the file is tried.
 */
final class ControlFileCopy {
    /** PG_CONTROL_MAX_SAFE_SIZE (pg_control.h): the content never exceeds a disk sector. */
    private static final int MOST = 512;

    private static final int LEAST = 128;
    private static final int TRIES = 1000;

    private ControlFileCopy() {}

    static byte[] read(Path file, EngineUser user) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            byte[] bytes = user.files(() -> Files.readAllBytes(file));
            if (isWhole(bytes)) {
                return bytes;
            }
        }
        throw new IOException("the control file never has a valid checksum");
    }

    static boolean isWhole(byte[] bytes) {
        ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, Math.min(LEAST, bytes.length));
        for (int length = LEAST; length <= Math.min(MOST, bytes.length) - Integer.BYTES; length += Integer.BYTES) {
            if (content.getInt(length) == (int) crc.getValue()) {
                return true;
            }
            crc.update(bytes, length, Integer.BYTES);
        }
        return false;
    }
}
