package io.multimed.endpoint.pg.session;

import io.multimed.sql.Statement;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * How long reads take, by their shape. Only short ones share a connection: nobody is to wait for a core behind a read that
 * takes many times as long as one's own. A shape that is not known yet shares nothing. Used on one event loop.
 */
final class ReadTimes {
    private static final int MOST_REMEMBERED = 4096;
    /** A busy machine makes reads look long, nothing makes them look short: what is shorter than expected counts more. */
    private static final int WEIGHT_OF_SHORTER = 2;

    private static final int WEIGHT_OF_LONGER = 16;

    private static final class Shape {
        long nanos;
    }

    /** The classifier gives reads of one shape the same object. */
    private final Map<Statement, Shape> shapes = new IdentityHashMap<>();

    private final long shortNanos;

    ReadTimes(Duration shortest) {
        this.shortNanos = shortest.toNanos();
    }

    /**
     * The unit of these statements has been answered.
     *
     * @param nanos since the engine could begin with it
     * @param behindOthers others' units were ahead of it; then the answers to these may have been heard late, and its
     *     time seem shorter than it was
     */
    void took(List<Statement> statements, long nanos, boolean behindOthers) {
        for (int i = 0; i < statements.size(); i++) {
            Shape shape = shapes.get(statements.get(i));
            if (shape == null) {
                if (shapes.size() >= MOST_REMEMBERED) {
                    shapes.clear();
                }
                shape = new Shape();
                shape.nanos = nanos;
                shapes.put(statements.get(i), shape);
            } else if (nanos > shape.nanos) {
                shape.nanos += (nanos - shape.nanos) / WEIGHT_OF_LONGER;
            } else if (!behindOthers) {
                shape.nanos -= (shape.nanos - nanos) / WEIGHT_OF_SHORTER;
            }
        }
    }

    boolean areShort(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            Shape shape = shapes.get(statements.get(i));
            if (shape == null || shape.nanos > shortNanos) {
                return false;
            }
        }
        return true;
    }
}
