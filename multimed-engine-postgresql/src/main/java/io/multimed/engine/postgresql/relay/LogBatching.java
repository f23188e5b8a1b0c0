package io.multimed.engine.postgresql.relay;

import java.util.concurrent.TimeUnit;

/**
 * Decides when the log goes on to the Satellites: at once while there are readers, gathered for a moment while there are none.
 *
 * <p>Each piece costs a Satellite some wake-ups and up to three replies, whatever its size: under TPC-B without readers they
 * took 120 us of CPU for each transaction, more than half of it in the kernel. A reader who finds a Satellite behind waits, and
 * is counted as a reader, so that all that was gathered goes on at once.
 *
 * <p>The decision is one for all Satellites. If a Satellite without readers got its log later than the others, it would never
 * be fresh enough for a read to begin there. Relay thread; times are those of {@link RelayLoop#now}, in nanoseconds.
 */
final class LogBatching {
    static final long SPAN = TimeUnit.MILLISECONDS.toNanos(5);
    /** Size in bytes from which on a piece costs little for its contents. */
    static final int ENOUGH = 64 * 1024;
    /** Time after a read during which further ones are expected. */
    static final long LATELY = TimeUnit.MILLISECONDS.toNanos(100);

    private long served;
    private long readAt = -LATELY;

    /**
     * Updates whether there are readers.
     *
     * @param active reads that run or queue on Satellites now
     * @param servedSoFar reads that Satellites have ever served
     */
    void look(long now, int active, long servedSoFar) {
        if (active > 0 || servedSoFar != served) {
            served = servedSoFar;
            readAt = now;
        }
    }

    /** Notes that a reader waits. */
    void demanded(long now) {
        readAt = now;
    }

    /**
     * Returns when a Satellite is sent its pending log; a time that has passed means at once.
     *
     * @param sentAt when it was sent log last
     * @param pending bytes of log for it
     */
    long due(long now, long sentAt, long pending) {
        return readLately(now) || pending >= ENOUGH ? now : sentAt + SPAN;
    }

    /** Whether a read runs on a Satellite, or did until a moment ago. */
    boolean readLately(long now) {
        return now - readAt < LATELY;
    }
}
