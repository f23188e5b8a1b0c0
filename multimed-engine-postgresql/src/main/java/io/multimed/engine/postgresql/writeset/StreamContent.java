package io.multimed.engine.postgresql.writeset;

import java.nio.ByteBuffer;

/** The meaning of what the Master sends in a stream. The thread of the stream. */
interface StreamContent {
    /**
     * Takes what the Master has sent, and gives what it completes.
     *
     * @param position of the Master's log
     */
    void data(long position, ByteBuffer content, WriteSetStream.Receiver receiver) throws WriteSetTooLargeException;

    /** Takes the Master's word that it has sent all up to a position. */
    void reached(long position, WriteSetStream.Receiver receiver);

    /** Returns the position from which on the Master must keep its log, so that it can give every commit behind {@code confirmed} again. */
    long needed(long confirmed);

    /** Returns the number of transactions that came in parts and were committed, for tests. */
    long streamed();
}
