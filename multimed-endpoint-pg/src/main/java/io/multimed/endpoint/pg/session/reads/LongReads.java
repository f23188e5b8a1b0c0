package io.multimed.endpoint.pg.session.reads;

import io.multimed.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Reads behind which others had to wait, by their shape: for a while none of that shape shares a connection. The first
 * time it may have been the machine that was slow, and costs nothing; then it is short, and doubles when it happens again
 * afterwards. A shape that holds nobody up many times in a row is forgotten. Used on one event loop.
 */
final class LongReads {
    private static final int MOST_REMEMBERED = 1024;
    /** So many times in a row. */
    private static final int FORGOTTEN_AFTER = 100;

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final class Shape {
        int heldNobodyUp;
        /** How long it shares nothing; at first it goes on sharing. */
        long nanos;
        /** Until then, and so long it is not blamed again. */
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
            // Else it is one thing that happens to it on all connections: reads that wait for one lock, say.
            if (nowNanos - shape.untilNanos >= 0) {
                shape.nanos = Math.clamp(2 * shape.nanos, SHORTEST_NANOS, LONGEST_NANOS);
                shape.untilNanos = nowNanos + shape.nanos;
            }
        }
    }

    /** They could have, having shared a connection. */
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

    /** Parse and Bind each name what one Execute executes, and a batch binds one statement many times: that counts once. */
    private static boolean standsBefore(List<Statement> statements, int index) {
        for (int i = 0; i < index; i++) {
            if (statements.get(i) == statements.get(index)) {
                return true;
            }
        }
        return false;
    }

    /** Whether any of them shares no connection now. */
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
