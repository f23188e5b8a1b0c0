package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.wire.Lsn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Reads log that is older than the Relay's memory from the Master's {@code pg_wal}, on a thread of its own.
 *
 * <p>The Master recycles segments: it renames an old file to the name of a future segment and overwrites it later. So the bytes
 * read count only if their pages have the expected addresses and the file still had its name afterwards.
 */
final class SegmentFiles implements AutoCloseable {
    /** The receiver of the answers; called on the relay thread. */
    interface Reader {
        /** @param bytes the log from {@code position} on, ready to be read */
        void read(long position, ByteBuffer bytes);

        void gone(long position, String reason);
    }

    private final Path directory;
    private final Executor relayThread;
    private final ExecutorService helper = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("multimed-relay-files").factory());

    SegmentFiles(Path walDirectory, Executor relayThread) {
        this.directory = walDirectory;
        this.relayThread = relayThread;
    }

    /**
     * Reads from {@code position} up to {@code end}, which lie in the same segment and are durable on the Master.
     *
     * @param into has room for all of it from the beginning of the page on; the helper's until the reader is called
     */
    void read(MasterIdentity identity, long position, long end, ByteBuffer into, Reader reader) {
        try {
            helper.execute(() -> answer(identity, position, end, into, reader));
        } catch (RejectedExecutionException e) {
            // The Relay is closing, and the reader's connection too.
            reader.gone(position, "the relay is closing");
        }
    }

    private void answer(MasterIdentity identity, long position, long end, ByteBuffer into, Reader reader) {
        try {
            load(identity, position, end, into);
            relayThread.execute(() -> reader.read(position, into));
        } catch (IOException | RuntimeException | Error e) {
            // Whatever it is, the reader would wait for ever if nobody told it.
            String reason = e instanceof NoSuchFileException ? "no file " + e.getMessage() : e.getMessage();
            relayThread.execute(() -> reader.gone(position, String.valueOf(reason)));
        }
    }

    private void load(MasterIdentity identity, long position, long end, ByteBuffer bytes) throws IOException {
        Path file = directory.resolve(fileName(identity.timeline(), identity.segmentSize(), position));
        long page = position - position % identity.pageSize();
        bytes.clear().limit((int) (end - page));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long offset = page % identity.segmentSize();
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, offset + bytes.position()) < 0) {
                    throw new IOException(file + " ends early");
                }
            }
        }
        bytes.flip().order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + WalFormat.SHORT_PAGE_HEADER <= bytes.limit(); at += identity.pageSize()) {
            long address = bytes.getLong(at + WalFormat.PAGE_ADDRESS);
            // Behind a switch the rest of a segment may be zeros without page headers.
            if (address != page + at && address != 0) {
                throw new IOException(file + " now holds " + Lsn.format(address));
            }
        }
        if (!Files.exists(file)) {
            throw new IOException(file + " was recycled");
        }
        bytes.position((int) (position - page));
    }

    static String fileName(int timeline, int segmentSize, long position) {
        long segment = position / segmentSize;
        long segmentsPerLog = 0x1_0000_0000L / segmentSize;
        return String.format("%08X%08X%08X", timeline, segment / segmentsPerLog, segment % segmentsPerLog);
    }

    @Override
    public void close() {
        helper.shutdownNow();
    }
}
