package io.multimed.endpoint.mysql.session;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The prepared statements of all clients, which are as many as MariaDB's {@code max_prepared_stmt_count} at most: clients share connections,
 * so that the Master never has all of them. Thread-safe.
 */
public final class PreparedCounts {
    /** The default of MariaDB. */
    private static final int DEFAULT_MOST = 16_382;
    /** Bytes of texts that are kept at most. A client with other statements keeps its connection to the Master. */
    private static final long MOST_BYTES = 64L << 20;

    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile long most = DEFAULT_MOST;

    /** Records the Master's limit. */
    void most(long present) {
        most = present;
    }

    long most() {
        return most;
    }

    /** Makes room for one statement. @return false if there are too many */
    boolean reserve() {
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Records that a statement has been closed, or could not be prepared. */
    void release() {
        count.decrementAndGet();
    }

    /** Makes room for a text. @return false if it must not be kept */
    boolean reserveBytes(int length) {
        if (bytes.addAndGet(length) > MOST_BYTES) {
            bytes.addAndGet(-length);
            return false;
        }
        return true;
    }

    void releaseBytes(int length) {
        bytes.addAndGet(-length);
    }
}
