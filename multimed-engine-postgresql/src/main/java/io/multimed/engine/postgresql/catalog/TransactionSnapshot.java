package io.multimed.engine.postgresql.catalog;

import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * A snapshot of the Master, as {@code pg_current_snapshot()} prints it: {@code xmin:xmax:running,running,...}, in 64-bit
 * transaction numbers.
 *
 * <p>A transaction may be given by the 32 bits of its number in a log record. These are taken as the number nearest to the
 * snapshot's end. That is right as long as the number is within 2^31 of the end, and PostgreSQL allows no older ones.
 */
public final class TransactionSnapshot implements LongPredicate {
    private static final long WRAP = 1L << 32;

    private final long xmin;
    private final long xmax;
    private final long[] running;

    private TransactionSnapshot(long xmin, long xmax, long[] running) {
        this.xmin = xmin;
        this.xmax = xmax;
        this.running = running;
    }

    /** @throws IllegalArgumentException if the text is no snapshot */
    public static TransactionSnapshot parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("not a snapshot: " + text);
        }
        long[] running = parts[2].isEmpty()
                ? new long[0]
                : Arrays.stream(parts[2].split(",")).mapToLong(Long::parseLong).toArray();
        Arrays.sort(running);
        return new TransactionSnapshot(Long.parseLong(parts[0]), Long.parseLong(parts[1]), running);
    }

    /** Whether the transaction is finished in this snapshot; its number may have 32 bits or all 64. */
    @Override
    public boolean test(long transaction) {
        long full = transaction >= WRAP ? transaction : nearest(transaction);
        if (full < xmin) {
            return true;
        }
        return full < xmax && Arrays.binarySearch(running, full) < 0;
    }

    /** @param transaction a 64-bit number */
    boolean allFinishedBelow(long transaction) {
        return xmin >= transaction;
    }

    private long nearest(long bits) {
        long full = (xmax & -WRAP) | bits;
        if (full - xmax > WRAP / 2) {
            return full - WRAP;
        }
        return xmax - full > WRAP / 2 ? full + WRAP : full;
    }
}
