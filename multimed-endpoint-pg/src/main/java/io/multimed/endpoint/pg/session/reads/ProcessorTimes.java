package io.multimed.endpoint.pg.session.reads;

import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long reads keep a processor busy, by their shape: measured the first few times that it is met, and now and then later.
 * Of the first few the least counts, when all are there, since an engine's process that meets a table for the first time has to look it up.
 * How long they take by the clock says nothing where many contend for the processors: there any read may take long. Used on
 * one event loop.
 */
final class ProcessorTimes {
    private static final int MOST_REMEMBERED = 16_384;
    private static final int FIRST = 3;
    /** After the first ones, one in so many. */
    private static final int INTERVAL = 256;
    /** Of the mean the share that the last one has. */
    private static final double WEIGHT_OF_LAST = 0.125;
    /** Parse and Bind each name what one Execute executes. */
    private static final int MOST_NAMED = 2;

    private static final class Shape {
        int begun;
        int taken;
        int uses;
        long meanNanos;

        void took(long nanos) {
            if (taken < FIRST) {
                meanNanos = taken == 0 ? nanos : Math.min(meanNanos, nanos);
                taken++;
            } else {
                meanNanos += (long) (WEIGHT_OF_LAST * (nanos - meanNanos));
            }
        }
    }

    private final Shapes<Shape> shapes = new Shapes<>(MOST_REMEMBERED);

    /** That of which most is known to be needed among them, in nanoseconds; 0 when nothing is known. */
    long meanNanos(List<Statement> statements) {
        long most = 0;
        for (int i = 0; i < statements.size(); i++) {
            Shape shape = shapes.get(statements.get(i));
            if (shape != null && shape.taken == FIRST) {
                most = Math.max(most, shape.meanNanos);
            }
        }
        return most;
    }

    /** They are used once more: whether this time they are to be measured. Only what is of one shape, and few of them. */
    boolean areDue(List<Statement> statements) {
        Statement read = onlyRead(statements);
        if (read == null) {
            return false;
        }
        Shape shape = shapes.get(read);
        if (shape == null) {
            shape = new Shape();
            shapes.add(read, shape);
        }
        return shape.begun < FIRST || ++shape.uses % INTERVAL == 0;
    }

    /** They are being measured. */
    void begun(List<Statement> statements) {
        Shape shape = shapeOf(statements);
        if (shape != null) {
            shape.begun = Math.min(FIRST, shape.begun + 1);
        }
    }

    /** They are not measured to the end: others are to be instead. */
    void gaveUp(List<Statement> statements) {
        Shape shape = shapeOf(statements);
        if (shape != null) {
            shape.begun = Math.max(shape.taken, shape.begun - 1);
        }
    }

    void took(List<Statement> statements, long nanos) {
        Shape shape = shapeOf(statements);
        if (shape != null) {
            shape.took(nanos);
        }
    }

    private @Nullable Shape shapeOf(List<Statement> statements) {
        Statement read = onlyRead(statements);
        return read == null ? null : shapes.get(read);
    }

    private static @Nullable Statement onlyRead(List<Statement> statements) {
        Statement only = null;
        int named = 0;
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (statement instanceof Statement.Read) {
                if (only != null && only != statement || ++named > MOST_NAMED) {
                    return null;
                }
                only = statement;
            }
        }
        return only;
    }
}
