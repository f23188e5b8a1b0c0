package io.multimed.engine.process;

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
     * Moves the contents of a log that has become large to {@code NAME.1}. Blocks while they are copied; one thread at a time
     * for each log.
     *
     * <p>Nothing is lost where the file system can remove a file's beginning. Elsewhere, lines that are appended between the
     * last byte copied and the cut, some microseconds, are lost.
     *
     * @return how many bytes were removed from its beginning; 0 if there is no file
     * @throws IOException if there is no room for the copy, for example; the log is then as it was
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
        // The older contents are deleted first, since they are going to be replaced, and the copy needs the room.
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
            // Renaming comes before the cut: a crash in between leaves lines twice, but loses none.
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
