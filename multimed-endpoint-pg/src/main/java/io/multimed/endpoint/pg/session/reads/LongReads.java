package io.multimed.endpoint.pg.session.reads;

import io.multimed.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shapes of reads behind which other sessions had to wait. For a while, no read of such a shape shares a connection. The first
 * time, the machine may have been slow, so there is no penalty. The second time, the penalty is short. It doubles each time when
 * the shape holds others up again after it. A shape that holds nobody up many times in a row is forgotten. Used on one event loop.
 */
final class LongReads {
    private static final int MOST_REMEMBERED = 1024;
    /** Number of times in a row after which a shape is forgotten. */
    private static final int FORGOTTEN_AFTER = 100;

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final class Shape {
        int heldNobodyUp;
        /** Length of the penalty; 0 at first, when the shape goes on sharing. */
        long nanos;
        /** End of the penalty. Until then the shape is not blamed again. */
        long untilNanos;

        Shape(long untilNanos) {
            this.untilNanos = untilNanos;
        }
    }

    private final Shapes<Shape> shapes = new Shapes<>(MOST_REMEMBERED);

    void heldOthersUp(List<Statement> statements, long nowNanos) {
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            Shape shape = shapes.get(statement);
            if (!(statement instanceof Statement.Read) || standsBefore(statements, i)) {
                continue;
            }
            if (shape == null) {
                shapes.add(statement, new Shape(nowNanos + SHORTEST_NANOS));
                continue;
            }
            shape.heldNobodyUp = 0;
            // Otherwise one event affects the shape on all connections, for example a lock for which all its reads
            // wait.
            if (nowNanos - shape.untilNanos >= 0) {
                shape.nanos = Math.clamp(2 * shape.nanos, SHORTEST_NANOS, LONGEST_NANOS);
                shape.untilNanos = nowNanos + shape.nanos;
            }
        }
    }

    boolean any() {
        return !shapes.isEmpty();
    }

    /** Notes that these statements shared a connection and held nobody up. */
    void heldNobodyUp(List<Statement> statements) {
        if (shapes.isEmpty()) {
            return;
        }
        for (int i = 0; i < statements.size(); i++) {
            Shape shape = shapes.get(statements.get(i));
            if (shape != null && !standsBefore(statements, i) && ++shape.heldNobodyUp == FORGOTTEN_AFTER) {
                shapes.remove(statements.get(i));
            }
        }
    }

    /**
     * Whether the same statement stands before this index. Parse and Bind each name the statement of one Execute, and a batch binds
     * one statement many times. All of these count once.
     */
    private static boolean standsBefore(List<Statement> statements, int index) {
        for (int i = 0; i < index; i++) {
            if (statements.get(i) == statements.get(index)) {
                return true;
            }
        }
        return false;
    }

    /** Whether any of the statements has a penalty now. */
    boolean anyOf(List<Statement> statements, LongSupplier clock) {
        if (shapes.isEmpty()) {
            return false;
        }
        for (int i = 0; i < statements.size(); i++) {
            Shape shape = shapes.get(statements.get(i));
            if (shape != null && shape.nanos > 0 && clock.getAsLong() - shape.untilNanos < 0) {
                return true;
            }
        }
        return false;
    }
}
