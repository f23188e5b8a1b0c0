package io.multimed.sql;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Analyses shapes one after the other, off the event loops, each within a limited time. */
final class ParserThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ParserThread.class);

    /**
     * Stack size of the parser thread. Recursive descent takes some kilobytes for each level of nesting and each operator of a
     * long chain.
     */
    private static final long STACK_BYTES = 32 << 20;

    /**
     * Shortest time between two checks of a running parse, so that a parser that waits for the processor is not checked
     * continuously.
     */
    private static final long SHORTEST_LOOK_NANOS = 1_000_000;

    private final Function<PendingShape, ClassifiedSql> analyse;
    private final GeneralParser parser;
    private final long timeoutNanos;
    private final BlockingQueue<PendingShape> queue = new LinkedBlockingQueue<>();
    private final ScheduledThreadPoolExecutor clock;
    private final Thread thread;
    private volatile @Nullable PendingShape current;
    private volatile boolean closed;

    /**
     * Starts the thread.
     *
     * @param analyse may take long; {@code parser} is interrupted when one text takes too much processor time
     * @param timeout longest wait for an answer, and the processor time that one text may take
     */
    ParserThread(Function<PendingShape, ClassifiedSql> analyse, GeneralParser parser, Duration timeout) {
        this.analyse = analyse;
        this.parser = parser;
        this.timeoutNanos = timeout.toNanos();
        clock = new ScheduledThreadPoolExecutor(1, task -> daemon(new Thread(task, "multimed-sql-clock")));
        clock.setRemoveOnCancelPolicy(true);
        thread = daemon(new Thread(null, this::run, "multimed-sql-parser", STACK_BYTES));
        thread.start();
    }

    private static Thread daemon(Thread thread) {
        thread.setDaemon(true);
        return thread;
    }

    /** Accepts a shape. It is settled within the timeout, whatever happens to the parser. Does not block. */
    void submit(PendingShape shape) {
        PendingShape busyWith = current;
        // By the wall clock: a thread that is stuck for so long would not reach this shape in time either. The answer
        // is not
        // cached.
        boolean stuck = busyWith != null && busyWith.isStartedSince(2 * timeoutNanos);
        if (closed || stuck) {
            shape.settle(ClassifiedSql.OVERLOADED);
            return;
        }
        try {
            shape.alarm(clock.schedule(() -> giveUp(shape), timeoutNanos, TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException e) {
            shape.settle(ClassifiedSql.OVERLOADED);
            return;
        }
        queue.add(shape);
        if (closed) {
            settleAll();
        }
    }

    /** Removes a shape whose analysis has not begun, because nothing waits for it any more. */
    void withdraw(PendingShape shape) {
        queue.remove(shape);
    }

    private void run() {
        attempt(this::warmUp);
        while (!closed) {
            PendingShape shape;
            try {
                shape = queue.take();
            } catch (InterruptedException e) {
                break;
            }
            attempt(() -> settle(shape));
        }
        settleAll();
    }

    /** Runs a task and logs its errors. The thread must survive errors: without it every new shape would wait for its timeout. */
    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.warn("a statement could not be analysed; the master executes it", e);
        }
    }

    /** Loads the parser's classes, which takes a while, before a client waits for them. */
    private void warmUp() {
        parser.isQuery(
                Tokens.of("WITH a AS (SELECT b FROM c) SELECT d, f(e) FROM a JOIN g ON a.h = g.i WHERE j IN (1, 2) "
                        + "AND k = $1 GROUP BY d HAVING count(*) > 1 ORDER BY d LIMIT 10"));
    }

    private void settle(PendingShape shape) {
        current = shape;
        if (!shape.start()) {
            // The shape was given up, or all its waiters left, before it became current. It has no watchdog, so it is
            // not
            // analysed.
            current = null;
            return;
        }
        ClassifiedSql classified = ClassifiedSql.UNPARSED;
        try {
            classified = analyse.apply(shape);
        } finally {
            current = null;
            shape.settle(classified);
        }
    }

    private void giveUp(PendingShape shape) {
        try {
            shape.settle(ClassifiedSql.TOOK_TOO_LONG);
        } finally {
            watch(shape);
        }
    }

    /**
     * Interrupts a shape that has timed out only if it uses too much processor time itself. Otherwise its result is kept for later
     * requests.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // It ends with the analysis, or with the clock.
    private void watch(PendingShape shape) {
        if (current != shape) {
            return;
        }
        long left = parser.interruptAfter(timeoutNanos);
        try {
            clock.schedule(() -> watch(shape), Math.max(left, SHORTEST_LOOK_NANOS), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("closed while a statement was analysed", e);
        }
    }

    private void settleAll() {
        for (PendingShape shape = queue.poll(); shape != null; shape = queue.poll()) {
            shape.settle(ClassifiedSql.UNPARSED);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        parser.close();
        clock.shutdownNow();
        settleAll();
    }
}
