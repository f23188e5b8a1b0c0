package io.multimed.endpoint.mysql.session;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The shapes of statements that Satellites nearly always execute in a short time. Others' reads may wait behind such a statement. Used on
 * one loop.
 */
final class ShortReads {
    /** The longest time that is short, in nanoseconds, on a machine with time to spare. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Where processors are busy, any read takes long: so many times what reads usually take counts as short. */
    private static final int TIMES_USUAL = 8;

    private static final long SHORTEST_USUAL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long LONGEST_USUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** The usual time follows half of the reads up and half of them down, by this part each time: it is near the median. */
    private static final int STEP = 20;

    private static final int MOST_SHAPES = 2_000;
    /** Short executions that make a shape known as short. */
    private static final int NEEDED = 3;
    /** Short executions that make up for one that was not: nine out of ten have to be short. */
    private static final int SETBACK = 9;
    /** Short executions that are remembered at most. */
    private static final int MOST_REMEMBERED = 50;
    /** Mark of a shape that cannot share a connection. */
    private static final int NEVER = Integer.MIN_VALUE;

    /**
     * Statements after which FOUND_ROWS() is not the number of rows in the reply. MariaDB counts those before an offset, and those of a
     * union beyond its limit.
     */
    private static final Pattern COUNTS_OTHER_ROWS = Pattern.compile(
            "(?i)\\b(?:SQL_CALC_FOUND_ROWS|UNION|INTERSECT|EXCEPT|MINUS|OFFSET|FETCH|ROWNUM|INTO|PROCEDURE)\\b|\\bLIMIT[^,]*,");

    private final Map<String, Integer> executions = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > MOST_SHAPES;
        }
    };

    private final ProcessorContention contention = new ProcessorContention();
    private long usualNanos = SHORTEST_USUAL_NANOS;

    /** Records how long the engine was waited for, until a reply came. */
    void waited(long nanos) {
        long change = usualNanos / STEP;
        usualNanos = Math.clamp(
                nanos > usualNanos ? usualNanos + change : usualNanos - change,
                SHORTEST_USUAL_NANOS,
                LONGEST_USUAL_NANOS);
    }

    /** Returns the longest time that is short at present, in nanoseconds. */
    long longestNanos() {
        return Math.max((long) (LONGEST_NANOS * contention.factor()), TIMES_USUAL * usualNanos);
    }

    /** Called when the loop ends. */
    void close() {
        contention.close();
    }

    /**
     * Whether statements of this shape can be executed on a connection that others use too: nothing of them is left there but the number of
     * their rows, and they are not known to take long.
     */
    boolean canShare(String shape) {
        return executions.computeIfAbsent(shape, ShortReads::first) >= 0;
    }

    private static int first(String shape) {
        return COUNTS_OTHER_ROWS.matcher(shape).find() ? NEVER : 0;
    }

    boolean areShort(String shape) {
        return executions.getOrDefault(shape, 0) >= NEEDED;
    }

    /**
     * Records an execution on a shared connection.
     *
     * @param plain whether the reply was small and without errors and warnings
     */
    void executed(String shape, long nanos, boolean plain) {
        change(shape, isShort(nanos, plain) ? 1 : -SETBACK);
    }

    /** Records an execution on a session's own connection. There, with many others, short reads take long too. */
    void executedAlone(String shape, long nanos, boolean plain) {
        if (isShort(nanos, plain)) {
            change(shape, 1);
        }
    }

    private boolean isShort(long nanos, boolean plain) {
        return nanos <= longestNanos() && plain;
    }

    private void change(String shape, int by) {
        Integer known = executions.get(shape);
        if (known != null && known != NEVER) {
            executions.put(shape, Math.clamp(known + by, -MOST_REMEMBERED, MOST_REMEMBERED));
        }
    }
}
