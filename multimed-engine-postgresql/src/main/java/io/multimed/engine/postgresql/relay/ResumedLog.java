package io.multimed.engine.postgresql.relay;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Compares the log that a Satellite has kept from an earlier run with the Master's.
 *
 * <p>A Master that was restored from a backup since, or whose disk lost log that it had reported as written, has another
 * history from some position on, under the same system identifier and on the same timeline. No standby notices: records of both
 * follow each other wherever they happen to fit. So both logs are compared byte by byte. They agree up to some position. If no
 * log that the Satellite's data may contain ({@code minRecoveryPoint}) lies beyond it, the Satellite is an earlier state of the
 * Master. The rest of its log is cut off, and comes from the Master anew.
 *
 * <p>Neither engine of the Satellite runs meanwhile; the Master may.
 */
public final class ResumedLog {
    private static final int CHUNK = 1 << 20;

    private final Path satellite;
    private final Path master;
    private final EngineUser user;
    private final ControlFile control;
    private final int timeline;

    private ResumedLog(Path satellite, Path master, EngineUser user) throws IOException {
        this.satellite = satellite.resolve("pg_wal");
        this.master = master.resolve("pg_wal");
        this.user = user;
        this.control = control(satellite);
        this.timeline = control(master).timeline();
    }

    /**
     * Ensures that a Satellite can go on from its data: the log that it has applied is the Master's, and so is the rest of its
     * log.
     *
     * @param satellite its data directory
     * @param master the Master's
     * @param user owns both
     * @throws EngineException why not, in one sentence
     */
    public static void reconcile(Path satellite, Path master, EngineUser user) throws EngineException {
        try {
            if (Files.exists(satellite.resolve("backup_label"))) {
                throw new EngineException("It has not been started since it was copied.");
            }
            ResumedLog log = new ResumedLog(satellite, master, user);
            log.requireComplete();
            long agreed = log.agreed();
            if (agreed < log.control.minRecovery()) {
                throw new EngineException("It has replayed log up to " + Lsn.format(log.control.minRecovery())
                        + ", but from " + Lsn.format(agreed) + " on the Master has another one.");
            }
            log.cut(agreed);
        } catch (IOException e) {
            throw new EngineException("Its log cannot be compared with the Master's: " + e + ".", e);
        }
    }

    private ControlFile control(Path data) throws IOException {
        Path file = ControlFile.path(data);
        return ControlFile.of(user.files(() -> Files.readAllBytes(file)), file);
    }

    private void requireComplete() throws EngineException {
        // Until then its data may be newer than any log that it has.
        if (control.minRecovery() == 0 || control.backupStart() != 0) {
            throw new EngineException("It had not reached the end of its copy.");
        }
        if (control.minRecoveryTimeline() != timeline) {
            throw new EngineException("It is on timeline " + Integer.toUnsignedString(control.minRecoveryTimeline())
                    + ", the Master on " + Integer.toUnsignedString(timeline) + ".");
        }
    }

    /** Returns the first position at which the logs differ, from the Satellite's last restartpoint on. */
    private long agreed() throws IOException, EngineException {
        int size = control.segmentSize();
        long redo = control.redo();
        long compared = -1;
        long at = redo;
        while (true) {
            Path own = file(satellite, at);
            Path theirs = file(master, at);
            long next = at - at % size + size;
            boolean both = Files.exists(own) && Files.exists(theirs);
            if (both) {
                compared = compared < 0 ? at : compared;
                at = compare(own, theirs, at, next);
            }
            if (both ? at < next : compared >= 0 || !Files.exists(own)) {
                break;
            }
            // Both logs agree here, or the Master has not kept the oldest segments.
            at = next;
        }
        if (compared < 0 || (compared > redo && at - compared < size)) {
            throw new EngineException("The Master has not kept enough log to compare it with.");
        }
        return at;
    }

    /** @return where they differ, or {@code end} */
    private long compare(Path own, Path theirs, long start, long end) throws IOException {
        ByteBuffer a = ByteBuffer.allocateDirect(CHUNK);
        ByteBuffer b = ByteBuffer.allocateDirect(CHUNK);
        try (FileChannel first = open(own, StandardOpenOption.READ);
                FileChannel second = open(theirs, StandardOpenOption.READ)) {
            for (long at = start; at < end; ) {
                int length = (int) Math.min(CHUNK, end - at);
                long offset = at % control.segmentSize();
                fill(first, a, offset, length, own);
                fill(second, b, offset, length, theirs);
                int mismatch = a.mismatch(b);
                if (mismatch >= 0) {
                    return at + mismatch;
                }
                at += length;
            }
        }
        return end;
    }

    private static void fill(FileChannel from, ByteBuffer into, long offset, int length, Path file) throws IOException {
        into.clear().limit(length);
        while (into.hasRemaining()) {
            if (from.read(into, offset + into.position()) < 0) {
                throw new IOException(file + " ends early");
            }
        }
        into.flip();
    }

    /** Removes the log from that position on, so that the last segment ends as if its log had just begun there. */
    private void cut(long position) throws IOException {
        Path last = file(satellite, position);
        List<Path> segments = user.files(() -> {
            try (var entries = Files.list(satellite)) {
                return entries.toList();
            }
        });
        for (Path segment : segments) {
            String name = segment.getFileName().toString();
            if (name.matches("[0-9A-F]{24}")
                    && name.compareTo(last.getFileName().toString()) > 0) {
                user.files(() -> Files.deleteIfExists(segment));
            }
        }
        if (!Files.exists(last)) {
            return;
        }
        try (FileChannel channel = open(last, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK);
            for (long at = position % control.segmentSize(); at < control.segmentSize(); ) {
                zeros.clear().limit((int) Math.min(CHUNK, control.segmentSize() - at));
                at += channel.write(zeros, at);
            }
        }
    }

    private FileChannel open(Path file, OpenOption option) throws IOException {
        return user.files(() -> FileChannel.open(file, option));
    }

    private Path file(Path directory, long position) {
        return directory.resolve(SegmentFiles.fileName(timeline, control.segmentSize(), position));
    }
}
