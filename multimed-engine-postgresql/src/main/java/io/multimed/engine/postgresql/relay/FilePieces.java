package io.multimed.engine.postgresql.relay;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Log for one Satellite that is no longer in memory, read from the Master's files one piece at a time.
 *
 * <p>Relay thread. The memory of a piece is the helper's while it reads.
 */
final class FilePieces implements SegmentFiles.Reader {
    private static final int BYTES = 256 * 1024;

    private final FeedLog log;
    private final SatelliteFeed feed;
    /** Memory for one piece, from its first use on; kept, since there will be a next piece. */
    private @Nullable ByteBuffer memory;
    /** The bytes of the piece; null while the helper has them. */
    private @Nullable ByteBuffer piece;

    private long begin;
    private boolean reading;

    /** @param feed goes on when a piece has been read, or learns that it is gone */
    FilePieces(FeedLog log, SatelliteFeed feed) {
        this.log = log;
        this.feed = feed;
    }

    /** Returns the end of the piece if it contains the byte at {@code position}, else {@code position}. */
    long end(long position) {
        ByteBuffer held = piece;
        return held == null || position < begin ? position : Math.max(position, begin + held.remaining());
    }

    /** Returns at most {@code most} bytes at {@code position}; null if the piece does not contain them. */
    @Nullable
    ByteBuffer at(long position, int most) {
        ByteBuffer held = piece;
        long skip = position - begin;
        if (held == null || skip < 0 || skip >= held.remaining()) {
            return null;
        }
        int from = held.position() + (int) skip;
        return held.slice(from, Math.min(most, held.limit() - from));
    }

    /** Has the piece at {@code position} read, up to {@code wantedEnd} at most, unless one is being read. */
    void read(long position, long wantedEnd) {
        MasterIdentity master = log.master();
        if (reading || master == null) {
            return;
        }
        long segmentEnd = position - position % master.segmentSize() + master.segmentSize();
        long pieceEnd = position - position % master.pageSize() + BYTES;
        ByteBuffer into = memory;
        if (into == null) {
            into = ByteBuffer.allocateDirect(BYTES);
            memory = into;
        }
        reading = true;
        piece = null;
        log.files().read(master, position, Math.min(wantedEnd, Math.min(segmentEnd, pieceEnd)), into, this);
    }

    @Override
    public void read(long from, ByteBuffer bytes) {
        reading = false;
        piece = bytes;
        begin = from;
        feed.pump();
    }

    @Override
    public void gone(long from, String reason) {
        reading = false;
        feed.logGone(from, reason);
    }

    /** Releases the memory. */
    void release() {
        piece = null;
        memory = null;
    }
}
