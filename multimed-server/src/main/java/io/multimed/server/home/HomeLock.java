package io.multimed.server.home;

import io.multimed.server.startup.StartException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Lock that prevents two instances in one home. The kernel releases it when the process ends for any reason; the file stays.
 *
 * <p>Its text is the number of the process that holds it.
 */
public final class HomeLock implements AutoCloseable {
    private final FileChannel channel;

    private HomeLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock, in an existing directory.
     *
     * @throws StartException if another process has it
     */
    public static HomeLock take(Path file) throws StartException {
        try {
            FileChannel channel = FileChannel.open(
                    file,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
            if (tryLock(channel) == null) {
                channel.close();
                throw new StartException("another Multimed (process " + holder(file) + ") runs on " + file.getParent()
                        + "; end it with 'multimed down', or choose another --dir");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
            return new HomeLock(channel);
        } catch (IOException e) {
            throw new StartException("cannot lock " + file + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Another instance in this process has the lock.
            return null;
        }
    }

    private static String holder(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
