package io.multimed.endpoint.pg.session;

import io.multimed.sql.Statement;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Reads behind which others had to wait, by their shape: for a while none of that shape shares a connection. The first
 * time it may have been the machine that was slow, and costs nothing; then it is short, and doubles when it happens again.
 * A shape that holds nobody up many times in a row is forgotten. Used on one event loop.
 */
final class LongReads {
    private static final int MOST_REMEMBERED = 1024;
    /** So many times in a row. */
    private static final int FORGOTTEN_AFTER = 100;

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** A shape that was never timed is expected to take as long as others are kept waiting before they are sent elsewhere. */
    private static final long UNTIMED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long BRIEFEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Of the mean of how long a shape takes the share that the last one has. */
    private static final double WEIGHT_OF_LAST = 0.125;

    private static final class Shape {
        int heldNobodyUp;
        /** How long it shares nothing, and until when. */
        long nanos;

        long untilNanos;
        /** On a connection of its own. */
        long takesNanos;
    }

    /** The classifier gives reads of one shape the same object. */
    private final Map<Statement, Shape> shapes = new IdentityHashMap<>();

    void heldOthersUp(List<Statement> statements, long nowNanos) {
        if (shapes.size() >= MOST_REMEMBERED) {
            shapes.clear();
        }
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            Shape shape = shapes.get(statement);
            if (!(statement instanceof Statement.Read) || standsBefore(statements, i)) {
                continue;
            }
            if (shape == null) {
                shapes.put(statement, new Shape());
            } else {
                shape.heldNobodyUp = 0;
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

    /** All of them together have used a connection for so long. */
    void took(List<Statement> statements, long nanos) {
        for (int i = 0; i < statements.size(); i++) {
            Shape shape = shapes.get(statements.get(i));
            if (shape != null && !standsBefore(statements, i)) {
                long mean = shape.takesNanos;
                shape.takesNanos = mean == 0 ? nanos : mean + (long) (WEIGHT_OF_LAST * (nanos - mean));
            }
        }
    }

    /** How long a unit of them is expected to take when any of them shares no connection now; 0 when all do. */
    long expectedNanos(List<Statement> statements, LongSupplier clock) {
        long expected = 0;
        if (shapes.isEmpty()) {
            return expected;
        }
        for (int i = 0; i < statements.size(); i++) {
            Shape shape = shapes.get(statements.get(i));
            if (shape != null && shape.nanos > 0 && clock.getAsLong() - shape.untilNanos < 0) {
                long takes = shape.takesNanos == 0 ? UNTIMED_NANOS : shape.takesNanos;
                expected = Math.max(expected, Math.max(takes, BRIEFEST_NANOS));
            }
        }
        return expected;
    }
}
