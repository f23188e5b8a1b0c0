package io.multimed.engine.postgresql.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a log from growing without bounds: moves its contents to {@code NAME.1}, in place of the previous ones. The processes
 * that append to the log need not know.
 *
 * <p>The log stays the same file, since an engine and all its processes have it open for as long as they live.
 */
public final class BoundedLog {
    private static final long MOST = 16L << 20;

    private BoundedLog() {}

    /**
     * Looks at a log, and takes out what is in it if that is much. Blocks while that is copied; one thread at a time for each log.
     *
     * <p>Nothing is lost where the file system can take off a file's beginning; elsewhere, what is appended between the last byte
     * copied and the cut, some microseconds, is.
     *
     * @return how many bytes were taken off its beginning; 0 for one that is not there
     * @throws IOException if there is no room for the copy, for example; the log is as it was then
     */
    public static long bound(Path log) throws IOException {
        return bound(log, MOST);
    }

    static long bound(Path log, long most) throws IOException {
        if (!Files.exists(log) || Files.size(log) <= most) {
            return 0;
        }
        Path older = log.resolveSibling(log.getFileName() + ".1");
        Path fresh = log.resolveSibling(log.getFileName() + ".1.new");
        // First: it is going to be replaced, and the copy needs the room.
        Files.deleteIfExists(older);
        try (FileChannel in = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileChannel out = FileChannel.open(
                        fresh,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            long block = Files.getFileStore(log).getBlockSize();
            long whole = (in.size() - 1) / block * block;
            copy(in, 0, whole, out);
            // Before the cut: what a crash in between leaves twice is not lost.
            Files.move(fresh, older, StandardCopyOption.ATOMIC_MOVE);
            if (Native.takeOffBeginning(log.toString(), whole) != 0) {
                for (long end = in.size(); end > whole; end = in.size()) {
                    copy(in, whole, end, out);
                    whole = end;
                }
                in.truncate(0);
            }
            return whole;
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static void copy(FileChannel in, long from, long to, FileChannel out) throws IOException {
        for (long at = from; at < to; ) {
            long count = in.transferTo(at, to - at, out);
            if (count <= 0) {
                throw new IOException("somebody else has cut the log off");
            }
            at += count;
        }
    }
}
