package io.multimed.engine.mariadb.copy;

import io.multimed.core.spi.EngineException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The beginning of InnoDB's redo log, as it was at one moment: where the log lies in its file, and from where a recovery would begin.
 *
 * <p>The file of MariaDB 10.8 and later: a header of three blocks, then a ring of bytes. The first block has the position at which the
 * ring began; the two others have the latest checkpoints in turn.
 */
final class RedoLog {
    static final String FILE = "ib_logfile0";
    static final int HEADER = 12288;

    private static final int FORMAT = 0x50687973;
    private static final int BLOCK = 4096;
    private static final int FIRST_POSITION = 8;
    private static final int CHECKSUM_OF_FIRST = 508;
    private static final int CHECKSUM_OF_CHECKPOINT = 60;
    private static final int CHUNK = 1 << 20;
    private static final int ATTEMPTS = 100;

    private final byte[] header;
    private final long fileSize;
    private final long firstPosition;
    private final long checkpoint;

    private RedoLog(byte[] header, long fileSize, long firstPosition, long checkpoint) {
        this.header = header;
        this.fileSize = fileSize;
        this.firstPosition = firstPosition;
        this.checkpoint = checkpoint;
    }

    /** Reads the present header of a log that an engine is writing. */
    static RedoLog read(FileChannel log) throws IOException, EngineException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            byte[] once = bytes(log);
            if (!Arrays.equals(once, bytes(log))) {
                continue;
            }
            ByteBuffer header = ByteBuffer.wrap(once);
            if (header.getInt(0) != FORMAT) {
                throw new EngineException(
                        "The Master's InnoDB log has a format that Multimed cannot copy (encrypted, or of another release).");
            }
            if (!matches(once, 0, CHECKSUM_OF_FIRST)) {
                continue;
            }
            long checkpoint = 0;
            for (int block = BLOCK; block < HEADER; block += BLOCK) {
                if (matches(once, block, CHECKSUM_OF_CHECKPOINT)) {
                    checkpoint = Math.max(checkpoint, header.getLong(block));
                }
            }
            if (checkpoint > 0) {
                return new RedoLog(once, log.size(), header.getLong(FIRST_POSITION), checkpoint);
            }
        }
        throw new EngineException("The header of the Master's InnoDB log could not be read.");
    }

    private static byte[] bytes(FileChannel log) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        while (header.hasRemaining()) {
            if (log.read(header, header.position()) < 0) {
                throw new EOFException("the InnoDB log is shorter than its header");
            }
        }
        return header.array();
    }

    private static boolean matches(byte[] bytes, int block, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, block, length);
        return (int) crc.getValue() == ByteBuffer.wrap(bytes).getInt(block + length);
    }

    /** Returns the position from which a recovery with this header begins. */
    long checkpoint() {
        return checkpoint;
    }

    /** Returns how many bytes of log the ring holds. */
    long capacity() {
        return fileSize - HEADER;
    }

    /**
     * Writes a log with this header and the records from its checkpoint to {@code end}. A recovery from it ends exactly there, since
     * nothing but zeros follows.
     *
     * @param log the log that the engine is writing. All records up to {@code end} must be in the file, and none of them overwritten
     * @param copy an empty file
     * @param end a position between two mini-transactions
     */
    void copy(FileChannel log, FileChannel copy, long end) throws IOException {
        // A file of full length without content where nothing is written.
        copy.write(ByteBuffer.wrap(new byte[1]), fileSize - 1);
        writeFully(copy, ByteBuffer.wrap(header), 0);
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
        for (long position = checkpoint; position < end; ) {
            long offset = (position - firstPosition) % capacity();
            int count = (int) Math.min(CHUNK, Math.min(end - position, capacity() - offset));
            buffer.clear().limit(count);
            while (buffer.hasRemaining()) {
                if (log.read(buffer, HEADER + offset + buffer.position()) < 0) {
                    throw new EOFException("the InnoDB log ends early");
                }
            }
            writeFully(copy, buffer.flip(), HEADER + offset);
            position += count;
        }
    }

    private static void writeFully(FileChannel file, ByteBuffer bytes, long offset) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            at += file.write(bytes, at);
        }
    }
}
