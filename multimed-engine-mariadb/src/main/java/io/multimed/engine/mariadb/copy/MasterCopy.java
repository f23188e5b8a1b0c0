package io.multimed.engine.mariadb.copy;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.mariadb.GtidPosition;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the Master's data directory while the Master works, so that an engine recovers from the copy to exactly one position of the
 * binary log.
 *
 * <ol>
 *   <li>The header of InnoDB's redo log is kept: a recovery begins at its checkpoint.
 *   <li>InnoDB's files are copied, each page as it is at some moment.
 *   <li>Commits are blocked ({@code BACKUP STAGE BLOCK_COMMIT}) for the time in which the position of the binary log and the end of
 *       the redo log are read, and all other files are copied: those of Aria and MyISAM, and definitions of tables.
 *   <li>The redo log between both is copied, and nothing beyond. The recovery repeats in the copied pages what they lack, and rolls
 *       back what was not committed.
 * </ol>
 */
public final class MasterCopy {
    private static final Logger LOG = LoggerFactory.getLogger(MasterCopy.class);

    private static final int ATTEMPTS = 5;
    private static final int SMALL_CHUNK = 1 << 20;

    private final EngineConnection master;
    private final Path from;
    private final Path to;
    private final EngineUser user;

    /** @param to an empty directory of the user's */
    public MasterCopy(EngineConnection master, Path from, Path to, EngineUser user) {
        this.master = master;
        this.from = from;
        this.to = to;
        this.user = user;
    }

    /** Thrown if tables came or went during the copy, so that the copy has to begin anew. */
    private static final class ChangedException extends Exception {
        ChangedException(String message) {
            super(message);
        }
    }

    /** Makes the copy; returns the position that an engine on it has after its recovery. */
    public GtidPosition run(CopyProgress progress) throws EngineException, InterruptedException {
        try {
            for (int attempt = 1; ; attempt++) {
                try {
                    return copy(progress);
                } catch (ChangedException e) {
                    if (attempt == ATTEMPTS) {
                        throw new EngineException("The copy was not completed: " + e.getMessage() + ".", e);
                    }
                    LOG.info("The copy begins anew: {}", e.getMessage());
                    clear();
                }
            }
        } catch (IOException e) {
            throw new EngineException("Cannot copy the Master's data: " + e.getMessage() + ".", e);
        }
    }

    private GtidPosition copy(CopyProgress progress)
            throws IOException, EngineException, InterruptedException, ChangedException {
        int pageSize = Integer.parseInt(value("SELECT @@GLOBAL.innodb_page_size"));
        master.execute("BACKUP STAGE START");
        boolean ended = false;
        try (FileChannel log = open(from.resolve(RedoLog.FILE))) {
            RedoLog redo = RedoLog.read(log);
            Map<Path, Long> tablespaces = files(true);
            copyTablespaces(tablespaces, new InnoDbPages(pageSize), progress);
            master.execute("BACKUP STAGE FLUSH");
            master.execute("BACKUP STAGE BLOCK_DDL");
            master.execute("BACKUP STAGE BLOCK_COMMIT");
            long blocked = System.nanoTime();
            Map<Path, Long> later = files(true);
            if (!later.keySet().equals(tablespaces.keySet())) {
                throw new ChangedException("tables were created, rebuilt or dropped meanwhile");
            }
            master.execute("FLUSH NO_WRITE_TO_BINLOG ENGINE LOGS");
            long end = Long.parseLong(master.status("Innodb_lsn_current"));
            GtidPosition position = GtidPosition.parse(value("SELECT @@GLOBAL.gtid_binlog_pos"));
            for (Path file : files(false).keySet()) {
                copyFile(file);
            }
            master.execute("BACKUP STAGE END");
            ended = true;
            LOG.debug("commits were blocked for {} ms", (System.nanoTime() - blocked) / 1_000_000);
            long flushed = Long.parseLong(master.status("Innodb_lsn_flushed"));
            if (flushed < end) {
                throw new EngineException("The Master has not written its InnoDB log up to " + end + ".");
            }
            Path copied = make(to.resolve(RedoLog.FILE));
            try (FileChannel copy = FileChannel.open(copied, StandardOpenOption.WRITE)) {
                redo.copy(log, copy, end);
            }
            long now = Long.parseLong(master.status("Innodb_lsn_current"));
            if (now - redo.checkpoint() >= redo.capacity()) {
                throw new ChangedException("more was written meanwhile than innodb_log_file_size ("
                        + (redo.capacity() >> 20) + " MB) holds");
            }
            return position;
        } finally {
            if (!ended) {
                master.execute("BACKUP STAGE END");
            }
        }
    }

    private String value(String sql) throws IOException {
        String value = master.value(sql);
        return value == null ? "" : value;
    }

    private void copyTablespaces(Map<Path, Long> files, InnoDbPages pages, CopyProgress progress)
            throws IOException, EngineException, InterruptedException {
        long total = files.values().stream().mapToLong(Long::longValue).sum();
        long[] done = {0};
        for (Path file : files.keySet()) {
            Path copied = make(to.resolve(from.relativize(file)));
            try (FileChannel in = open(file);
                    FileChannel out = FileChannel.open(copied, StandardOpenOption.WRITE)) {
                pages.copy(file, in, out, bytes -> {
                    done[0] += bytes;
                    progress.copied(done[0], Math.max(total, done[0]));
                });
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private void copyFile(Path file) throws IOException {
        Path copied = make(to.resolve(from.relativize(file)));
        try (FileChannel in = open(file);
                FileChannel out = FileChannel.open(copied, StandardOpenOption.WRITE)) {
            long size = in.size();
            for (long at = 0; at < size; ) {
                at += in.transferTo(at, Math.min(SMALL_CHUNK, size - at), out);
            }
        }
    }

    private FileChannel open(Path file) throws IOException {
        return user.files(() -> FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /** Makes an empty file, and its directory. */
    private Path make(Path file) throws IOException {
        Path directory = file.getParent();
        return user.files(() -> {
            if (directory != null && !Files.isDirectory(directory)) {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            return Files.createFile(
                    file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw----")));
        });
    }

    private void clear() throws IOException {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> entries = Files.list(to)) {
            entries.forEach(all::add);
        }
        for (Path entry : all) {
            user.deleteTree(entry);
        }
    }

    /**
     * Returns the files to copy with their sizes.
     *
     * @param innoDb those whose pages InnoDB writes; otherwise all others
     */
    private Map<Path, Long> files(boolean innoDb) throws IOException, EngineException {
        Map<Path, Long> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(from, 2)) {
            for (Path path : all.toList()) {
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    continue;
                }
                requireOrdinary(path);
                Kind kind = kind(path);
                if (kind == (innoDb ? Kind.INNODB : Kind.OTHER)) {
                    Long size = size(path);
                    if (size != null) {
                        files.put(path, size);
                    }
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return files;
    }

    private static @Nullable Long size(Path path) throws IOException {
        try {
            return Files.size(path);
        } catch (java.nio.file.NoSuchFileException e) {
            // Dropped since the directory was listed.
            return null;
        }
    }

    private static void requireOrdinary(Path path) throws EngineException {
        if (Files.isSymbolicLink(path) || path.toString().endsWith(".isl")) {
            throw new EngineException("The Master's data directory has a link to another place, " + path
                    + " (DATA DIRECTORY): Satellites cannot copy it.");
        }
    }

    private enum Kind {
        INNODB,
        OTHER,
        LEFT_OUT
    }

    private Kind kind(Path path) {
        String name = String.valueOf(path.getFileName());
        boolean top = from.equals(path.getParent());
        if (name.endsWith(".ibd") || (top && (name.startsWith("ibdata") || name.matches("undo\\d+")))) {
            return Kind.INNODB;
        }
        if (!top || name.startsWith("aria_log")) {
            return Kind.OTHER;
        }
        // The rest is of the Master alone: binary log, temporary tables, redo log, statistics, process ID.
        return Kind.LEFT_OUT;
    }
}
