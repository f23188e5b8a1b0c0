package io.multimed.model;

/**
 * Position of a commit in the Master's total order.
 *
 * <p>For PostgreSQL it is the <em>end</em> LSN of the commit record: a Satellite that has replayed up to this LSN has replayed the
 * commit. Hot paths use a bare {@code long} named {@code scn}; this type is used at their boundaries.
 *
 * @param value the position, not negative
 */
public record Scn(long value) implements Comparable<Scn> {
    /** A position before every commit. */
    public static final Scn ZERO = new Scn(0);

    public Scn {
        if (value < 0) {
            throw new IllegalArgumentException("negative scn: " + value);
        }
    }

    /** Whether a node that has applied this SCN can serve a snapshot at {@code required}. */
    public boolean covers(Scn required) {
        return value >= required.value;
    }

    @Override
    public int compareTo(Scn other) {
        return Long.compare(value, other.value);
    }
}
