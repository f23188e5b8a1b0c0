package io.multimed.engine.mariadb.copy;

import io.multimed.core.spi.EngineException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/** Copies an InnoDB tablespace while the engine writes it: each page as it was at some moment during the copy, never half of one. */
final class InnoDbPages {
    private static final int PAGES_AT_ONCE = 64;
    private static final int CHECKSUM = 4;
    private static final int ATTEMPTS = 500;
    /** Where the first page has the flags of its tablespace. */
    private static final int FLAGS = 38 + 16;

    private static final int FULL_CRC32 = 1 << 4;
    private static final int COMPRESSED = 7 << 5;

    private final int pageSize;

    InnoDbPages(int pageSize) {
        this.pageSize = pageSize;
    }

    /**
     * Copies a file up to the length that it has when this begins; what is added later is in the redo log.
     *
     * @param copied receives numbers of bytes
     * @throws EngineException if the tablespace has a form whose pages cannot be verified
     */
    void copy(Path file, FileChannel from, FileChannel to, LongConsumer copied)
            throws IOException, EngineException, InterruptedException {
        long pages = from.size() / pageSize;
        ByteBuffer buffer = ByteBuffer.allocate(PAGES_AT_ONCE * pageSize);
        for (long page = 0; page < pages; ) {
            int count = (int) Math.min(PAGES_AT_ONCE, pages - page);
            buffer.clear().limit(count * pageSize);
            read(file, from, buffer, page * pageSize);
            for (int i = 0; i < count; i++) {
                for (int attempt = 0; !isWhole(buffer, i * pageSize); attempt++) {
                    if (page + i == 0 || attempt == ATTEMPTS) {
                        requireVerifiable(file, from);
                    }
                    if (attempt == ATTEMPTS) {
                        throw new EngineException("Page " + (page + i) + " of " + file + " is damaged.");
                    }
                    // The engine is writing this page just now.
                    TimeUnit.MILLISECONDS.sleep(1);
                    read(
                            file,
                            from,
                            buffer.duplicate().limit((i + 1) * pageSize).position(i * pageSize),
                            (page + i) * pageSize);
                }
            }
            buffer.flip().limit(count * pageSize);
            while (buffer.hasRemaining()) {
                to.write(buffer, page * pageSize + buffer.position());
            }
            page += count;
            copied.accept((long) count * pageSize);
        }
    }

    private static void read(Path file, FileChannel from, ByteBuffer into, long offset)
            throws IOException, EngineException {
        long at = offset;
        while (into.hasRemaining()) {
            int count = from.read(into, at);
            if (count < 0) {
                throw new EngineException("The file " + file + " became shorter while it was copied.");
            }
            at += count;
        }
    }

    /** Whether a page has its checksum, or nothing but zeros, as when the file has just become longer. */
    private boolean isWhole(ByteBuffer pages, int begin) {
        ByteBuffer buffer = pages.duplicate().clear();
        CRC32C crc = new CRC32C();
        crc.update(buffer.slice(begin, pageSize - CHECKSUM));
        if ((int) crc.getValue() == buffer.getInt(begin + pageSize - CHECKSUM)) {
            return true;
        }
        for (int i = begin; i < begin + pageSize; i += Long.BYTES) {
            if (buffer.getLong(i) != 0) {
                return false;
            }
        }
        return true;
    }

    private void requireVerifiable(Path file, FileChannel from) throws IOException, EngineException {
        ByteBuffer first = ByteBuffer.allocate(FLAGS + Integer.BYTES);
        read(file, from, first, 0);
        int flags = first.getInt(FLAGS);
        if ((flags & FULL_CRC32) == 0 || (flags & COMPRESSED) != 0) {
            throw new EngineException("The tablespace " + file + " is compressed, or was made with another"
                    + " innodb_checksum_algorithm than full_crc32: Satellites cannot copy it yet.");
        }
    }
}
