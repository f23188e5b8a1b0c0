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

    /** Attached to every key. */
    interface Ready {
        void ready(SelectionKey key);

        /** Ends this connection after {@link #ready} threw an unexpected exception; the others go on. */
        void failed(RuntimeException cause);
    }

    /** The work of the loop besides sockets. */
    interface Duties {
        /** Does what is due at {@code now}; when to be called again. */
        long onTimer(long now);

        /** The loop ends; the last thing that the thread does. */
        void end();
    }

    private final Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean closing;
    /** Nothing is done that is due until then. */
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

    /** When to be called again. As with {@link #run(Runnable)} the thread outlives what fails. */
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
            // Closed by what an earlier key of the same round led to.
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
