package io.multimed.endpoint.pg.session.reads;

import io.multimed.sql.Statement;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Processor time of reads by shape. It is measured the first few times that a shape is met, and now and then later. Of the first
 * few measurements the least counts, once all have been made, since an engine's process that uses a table for the first time has to
 * look it up. Elapsed time is not used: where many processes compete for the processors, any read may take long. Used on one event
 * loop.
 */
final class ProcessorTimes {
    private static final int MOST_REMEMBERED = 16_384;
    private static final int FIRST = 3;
    /** Number of uses per measurement after the first ones. */
    private static final int INTERVAL = 256;
    /** Weight of the latest measurement in the mean. */
    private static final double WEIGHT_OF_LAST = 0.125;
    /** Parse and Bind each name the statement of one Execute. */
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
    private final ToLongFunction<Statement> earlier;

    /** Creates times of which nothing is known. */
    ProcessorTimes() {
        this(read -> 0);
    }

    /** @param earlier the mean of a read that was measured elsewhere, asked when its shape is met for the first time; 0 if none is known */
    ProcessorTimes(ToLongFunction<Statement> earlier) {
        this.earlier = earlier;
    }

    /** The longest mean among the statements, in nanoseconds; 0 when nothing is known. */
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

    /** Whether the first few measurements of the statements have been made. */
    boolean areMeasured(List<Statement> statements) {
        Shape shape = shapeOf(statements);
        return shape != null && shape.taken == FIRST;
    }

    /**
     * Counts a use of the statements and returns whether this use is to be measured. Only a few statements of a single shape are
     * measured.
     */
    boolean areDue(List<Statement> statements) {
        Statement read = onlyRead(statements);
        if (read == null) {
            return false;
        }
        Shape shape = known(read);
        return shape.begun < FIRST || ++shape.uses % INTERVAL == 0;
    }

    /** Whether the next use of the statements is to be measured. */
    boolean wouldBeDue(List<Statement> statements) {
        Statement read = onlyRead(statements);
        Shape shape = read == null ? null : shapes.get(read);
        return read != null && (shape == null || shape.begun < FIRST || (shape.uses + 1) % INTERVAL == 0);
    }

    /** Notes that the statements are being measured. */
    void begun(List<Statement> statements) {
        Statement read = onlyRead(statements);
        if (read != null) {
            Shape shape = known(read);
            shape.begun = Math.min(FIRST, shape.begun + 1);
        }
    }

    /** Takes over what is known of the read among the statements if its shape is met for the first time; returns whether it is. */
    boolean meets(List<Statement> statements) {
        Statement read = onlyRead(statements);
        if (read == null || shapes.get(read) != null) {
            return false;
        }
        known(read);
        return true;
    }

    private Shape known(Statement read) {
        Shape shape = shapes.get(read);
        if (shape == null) {
            shape = new Shape();
            shapes.add(read, shape);
            measured(shape, earlier.applyAsLong(read));
        }
        return shape;
    }

    private static void measured(Shape shape, long meanNanos) {
        if (meanNanos > 0) {
            shape.begun = FIRST;
            shape.taken = FIRST;
            shape.meanNanos = meanNanos;
        }
    }

    /** Sets the mean of a read that was measured elsewhere, unless it has been met here. */
    void measuredElsewhere(Statement read, long meanNanos) {
        if (shapes.get(read) == null) {
            measured(known(read), meanNanos);
        }
    }

    /** Notes that the measurement was not completed, so that another one is made instead. */
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

    /** The bits of the partial Satellites that can answer the single read among the statements; 0 if there are several. */
    static long holders(List<Statement> statements) {
        return onlyRead(statements) instanceof Statement.Read read ? read.holders() : 0;
    }

    static @Nullable Statement onlyRead(List<Statement> statements) {
        Statement only = null;
        int named = 0;
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (statement instanceof Statement.Read) {
                if ((only != null && only != statement) || ++named > MOST_NAMED) {
                    return null;
                }
                only = statement;
            }
        }
        return only;
    }
}
