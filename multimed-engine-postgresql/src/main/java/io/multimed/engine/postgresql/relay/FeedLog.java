package io.multimed.engine.postgresql.relay;

import io.multimed.core.propagation.LogBuffer;
import io.multimed.core.propagation.MasterLog;
import org.jspecify.annotations.Nullable;

/**
 * The log that Satellites are sent: the latest part in memory, older parts in the Master's files, and the position up to which it may be
 * handed on.
 *
 * <p>Relay thread.
 */
final class FeedLog {
    private final LogBuffer buffer;
    private final SegmentFiles files;
    private final MasterLog positions;
    private @Nullable MasterIdentity master;
    private long safeEnd;

    FeedLog(LogBuffer buffer, SegmentFiles files, MasterLog positions) {
        this.buffer = buffer;
        this.files = files;
        this.positions = positions;
    }

    void identified(MasterIdentity identity) {
        master = identity;
    }

    /** Notes that the log has grown; everything up to {@code end} is confirmed and may be handed on. */
    void grown(long end) {
        safeEnd = end;
    }

    /** Returns the Master whose log it is; null before the first. */
    @Nullable
    MasterIdentity master() {
        return master;
    }

    /** Returns the position up to which Satellites may be sent the log. */
    long safeEnd() {
        return safeEnd;
    }

    /** Returns the position that a Satellite must have applied to serve a strong read now. */
    long floor() {
        return positions.floor();
    }

    LogBuffer buffer() {
        return buffer;
    }

    SegmentFiles files() {
        return files;
    }
}
