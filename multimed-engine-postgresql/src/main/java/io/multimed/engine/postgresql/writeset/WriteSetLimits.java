package io.multimed.engine.postgresql.writeset;

import java.time.Duration;

/**
 * The bounds of a database's write sets.
 *
 * @param patience the time that transactions have to end which a newcomer must wait for
 * @param openBytes memory, for each decoding, of transactions that have not ended
 * @param queueBytes memory at which the queue of a subscription is full
 * @param room bytes that must stay free where the Master writes its log: otherwise all is given up, as a Satellite can be copied again,
 *     while a Master whose disk is full ends. {@link #AS_MASTER} for the log between two of its checkpoints
 */
record WriteSetLimits(Duration patience, long openBytes, long queueBytes, long room) {
    static final long AS_MASTER = -1;

    static final WriteSetLimits DEFAULT =
            new WriteSetLimits(Duration.ofSeconds(60), 512L << 20, Subscription.FULL_BYTES, AS_MASTER);

    /** Most room that is kept free for the sake of the Master's settings. */
    static final long MOST_ROOM = 8L << 30;
}
