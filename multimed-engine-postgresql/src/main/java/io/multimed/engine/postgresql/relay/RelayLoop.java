package io.multimed.engine.postgresql.relay;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The relay thread: waits for sockets, tasks and times, and never for anything else. */
final class RelayLoop implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(RelayLoop.class);
    private static final long BASE = System.nanoTime();
    /**
     * Pause after a duty has failed. Without it, one that fails whenever it is due would fill the log and keep the thread from
     * the sockets.
     */
    private static final long PAUSE_AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(100);

    /** A handler that is attached to every key. */
    interface Ready {
        void ready(SelectionKey key);

        /** Ends this connection after {@link #ready} threw an unexpected exception; the others go on. */
        void failed(RuntimeException cause);
    }

    /** The work of the loop besides sockets. */
    interface Duties {
        /** Does the work that is due at {@code now}; returns the time of the next call. */
        long onTimer(long now);

        /** Ends the duties; the last action of the thread. */
        void end();
    }

    private final Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean closing;
    /** Time until which no due work is done. */
    private long pausedUntil;

    RelayLoop(Selector selector) {
        this.selector = selector;
    }

    /** Monotonic time in nanoseconds, positive, so that times can be compared plainly and MAX_VALUE means never. */
    static long now() {
        return System.nanoTime() - BASE + 1;
    }

    /** Runs {@code task} on the relay thread soon. Any thread. */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Ends the loop. Any thread. */
    void close() {
        closing = true;
        selector.wakeup();
    }

    void run(Duties duties) {
        try {
            while (!closing) {
                select(onTimer(duties));
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    run(task);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("the relay ends", e);
        } finally {
            duties.end();
        }
    }

    /** Does due work; returns the time of the next call. As with {@link #run(Runnable)}, the thread outlives a failure. */
    private long onTimer(Duties duties) {
        long now = now();
        if (now < pausedUntil) {
            return pausedUntil;
        }
        try {
            return duties.onTimer(now);
        } catch (RuntimeException e) {
            LOG.error("what was due in the relay failed", e);
            pausedUntil = now + PAUSE_AFTER_FAILURE;
            return pausedUntil;
        }
    }

    private void select(long next) throws IOException {
        if (next == Long.MAX_VALUE) {
            selector.select(RelayLoop::dispatch);
            return;
        }
        long wait = TimeUnit.NANOSECONDS.toMillis(next - now() + 999_999);
        if (wait <= 0) {
            selector.selectNow(RelayLoop::dispatch);
        } else {
            selector.select(RelayLoop::dispatch, wait);
        }
    }

    private static void dispatch(SelectionKey key) {
        Ready attached = (Ready) key.attachment();
        try {
            attached.ready(key);
        } catch (CancelledKeyException e) {
            // The handler of an earlier key of the same round has closed this connection.
            LOG.debug("a connection was closed while it was ready");
        } catch (RuntimeException e) {
            LOG.error("a connection of the relay failed", e);
            attached.failed(e);
        }
    }

    /** Commits wait on this thread, so it outlives a task that fails. */
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("a task of the relay failed", e);
        }
    }
}
