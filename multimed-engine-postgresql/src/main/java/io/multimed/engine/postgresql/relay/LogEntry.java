package io.multimed.engine.postgresql.relay;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Chooses where to enter the log: the segment in which the Master's last checkpoint began. The Master writes a checkpoint when it
 * starts, and keeps the log from the last one on. So this segment exists and covers every commit since the start. It must be a
 * segment's beginning, because only there a reader can find the records. The position is read from pg_control instead of by SQL,
 * since an ordinary backend may not be free and the password is not known.
 *
 * <p>If the Master has removed that log, or the next log for a Relay that was away for long, the Relay enters at the segment where
 * the log ends now. (A walsender reports this only once it streams.) This happens just after a promotion, when the last checkpoint
 * still lies on the previous timeline.
 *
 * <p>Relay thread.
 */
final class LogEntry {
    private enum Next {
        /** The log goes on where it ended. */
        NONE,
        AT_CHECKPOINT,
        AT_END
    }

    /**
     * A place where the log is entered.
     *
     * @param start the beginning of a segment
     * @param nextXid a 64-bit transaction number from about that time
     */
    record Place(long start, long nextXid) {}

    private final Path masterData;
    private Next next = Next.AT_CHECKPOINT;

    LogEntry(Path masterData) {
        this.masterData = masterData;
    }

    /** Has the log entered once more, because the bytes received last were not understood to their end. */
    void anew() {
        if (next == Next.NONE) {
            next = Next.AT_CHECKPOINT;
        }
    }

    /** Has the log entered at its present end, because the next log is gone. */
    void atEnd() {
        next = Next.AT_END;
    }

    /** Whether the log must be entered before it can be streamed. */
    boolean isDue() {
        return next != Next.NONE;
    }

    Place take(MasterIdentity master) throws IOException {
        ControlFile control = ControlFile.read(masterData);
        if (!Long.toUnsignedString(control.systemId()).equals(master.systemId())) {
            throw new IOException(masterData + " is not the data directory of the master");
        }
        long from = next == Next.AT_END ? master.flushed() : Math.min(control.redo(), master.flushed());
        next = Next.NONE;
        return new Place(from - from % master.segmentSize(), control.nextXid());
    }
}
