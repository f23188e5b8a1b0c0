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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
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
 *   <li>InnoDB's files are copied, each page as it is at some moment, and all other files: those of Aria and MyISAM, and definitions
 *       of tables.
 *   <li>Commits are blocked ({@code BACKUP STAGE BLOCK_COMMIT}) for the time in which the position of the binary log and the end of
 *       the redo log are read, and those of the other files are copied again that have changed.
 *   <li>The redo log between both is copied, and nothing beyond. The recovery repeats in the copied pages what they lack, and rolls
 *       back what was not committed.
 * </ol>
 */
public final class MasterCopy {
    private static final Logger LOG = LoggerFactory.getLogger(MasterCopy.class);

    private static final int ATTEMPTS = 5;
    /** Longest wait of a copy for those who lock tables: shorter than Multimed waits for any answer. */
    private static final int LONGEST_WAIT_SECONDS = 3;

    private static final int FLUSHES = 100;
    private static final int SMALL_CHUNK = 1 << 20;
    /** Time within which two changes of a file may leave it with the same time of its last change. */
    private static final long SAME_TIME_MS = 1000;

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

    /** Size and time of the last change of a file. */
    private record Stamp(long size, FileTime modified) {}

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
        // Whoever wants to write waits behind a stage that waits. A copy may fail and begin anew instead.
        master.execute("SET SESSION lock_wait_timeout = " + LONGEST_WAIT_SECONDS);
        master.execute("BACKUP STAGE START");
        boolean ended = false;
        try (FileChannel log = open(from.resolve(RedoLog.FILE))) {
            RedoLog redo = RedoLog.read(log);
            Map<Path, Stamp> tablespaces = files(true);
            copyTablespaces(tablespaces, new InnoDbPages(pageSize), progress);
            Map<Path, Stamp> others = files(false);
            Instant begun = Instant.now();
            for (Path file : others.keySet()) {
                copyUnlessGone(file);
            }
            master.execute("BACKUP STAGE FLUSH");
            master.execute("BACKUP STAGE BLOCK_DDL");
            master.execute("BACKUP STAGE BLOCK_COMMIT");
            long blocked = System.nanoTime();
            Map<Path, Stamp> later = files(true);
            if (!later.keySet().equals(tablespaces.keySet())) {
                throw new ChangedException("tables were created, rebuilt or dropped meanwhile");
            }
            long end = Long.parseLong(master.status("Innodb_lsn_current"));
            GtidPosition position = GtidPosition.parse(value("SELECT @@GLOBAL.gtid_binlog_pos"));
            copyChanged(others, begun);
            master.execute("BACKUP STAGE END");
            ended = true;
            LOG.debug("commits were blocked for {} ms", (System.nanoTime() - blocked) / 1_000_000);
            awaitWritten(end);
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

    /** Waits until the redo log is in its file up to a position: the engine's own threads write log all the time. */
    private void awaitWritten(long end) throws IOException, EngineException {
        for (int attempt = 0; Long.parseLong(master.status("Innodb_lsn_flushed")) < end; attempt++) {
            if (attempt == FLUSHES) {
                throw new EngineException("The Master has not written its InnoDB log up to " + end + ".");
            }
            master.execute("FLUSH NO_WRITE_TO_BINLOG ENGINE LOGS");
        }
    }

    private String value(String sql) throws IOException {
        String value = master.value(sql);
        return value == null ? "" : value;
    }

    private void copyTablespaces(Map<Path, Stamp> files, InnoDbPages pages, CopyProgress progress)
            throws IOException, EngineException, InterruptedException {
        long total = files.values().stream().mapToLong(Stamp::size).sum();
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

    /**
     * Copies those files again that may have changed since they were copied, and deletes copies of files that are gone. Nothing changes
     * them meanwhile.
     *
     * @param copied as they were before they were copied
     * @param begun when the first of them was about to be copied
     */
    private void copyChanged(Map<Path, Stamp> copied, Instant begun) throws IOException, EngineException {
        FileTime certain = FileTime.from(begun.minusMillis(SAME_TIME_MS));
        Map<Path, Stamp> now = files(false);
        for (Map.Entry<Path, Stamp> file : now.entrySet()) {
            boolean settled = file.getValue().modified().compareTo(certain) < 0;
            if (!settled || !file.getValue().equals(copied.get(file.getKey()))) {
                copyFile(file.getKey());
            }
        }
        for (Path file : copied.keySet()) {
            if (!now.containsKey(file)) {
                Path gone = to.resolve(from.relativize(file));
                user.files(() -> Files.deleteIfExists(gone));
            }
        }
    }

    private void copyUnlessGone(Path file) throws IOException {
        try {
            copyFile(file);
        } catch (NoSuchFileException e) {
            LOG.debug("dropped meanwhile: {}", file);
        }
    }

    private void copyFile(Path file) throws IOException {
        Path copied = to.resolve(from.relativize(file));
        user.files(() -> Files.deleteIfExists(copied));
        make(copied);
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
    private Map<Path, Stamp> files(boolean innoDb) throws IOException, EngineException {
        Map<Path, Stamp> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(from, 2)) {
            for (Path path : all.toList()) {
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    continue;
                }
                requireOrdinary(path);
                Kind kind = kind(path);
                if (kind == (innoDb ? Kind.INNODB : Kind.OTHER)) {
                    Stamp stamp = stamp(path);
                    if (stamp != null) {
                        files.put(path, stamp);
                    }
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return files;
    }

    private static @Nullable Stamp stamp(Path path) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Stamp(attributes.size(), attributes.lastModifiedTime());
        } catch (NoSuchFileException e) {
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
