package io.multimed.engine.supervision;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.spi.EngineException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the Master alive. When it dies, it gets no new transactions, then the floor is withdrawn, and only then it is restarted. So
 * no client sees commits on a restarted Master that the relay has not received.
 */
public final class MasterSupervisor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MasterSupervisor.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** Disconnects the relay from the Master and reconnects it. Calls block until that is done. */
    public interface RelayControl {
        void withdraw() throws InterruptedException;

        void resume() throws InterruptedException;
    }

    /** @param detail the reason why it is not serving, or empty */
    private record Condition(String state, String detail) {}

    private static final Condition SERVING = new Condition("serving", "");
    private static final Condition FROZEN = new Condition("unresponsive", "its main process is stopped");

    private final ComputationalNode node;
    private final SupervisedMaster engine;
    private final RelayControl relay;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("multimed-master").factory());
    private volatile Condition condition = new Condition("starting", "");
    private boolean frozenBefore;
    /** Accessed by this thread alone. */
    private int failures;

    public MasterSupervisor(ComputationalNode node, SupervisedMaster engine, RelayControl relay) {
        this.node = node;
        this.engine = engine;
        this.relay = relay;
    }

    /** Returns starting, serving, unresponsive, recovering, down or stopping. */
    public String state() {
        return condition.state();
    }

    /** Returns the reason why it is not serving, or empty text. */
    public String detail() {
        return condition.detail();
    }

    /** Starts the engine for the first time, on the caller's thread; the caller reports errors. */
    public void start() throws EngineException, InterruptedException {
        engine.start(this::crashed);
        serving();
    }

    /**
     * Checks whether the engine's main process is stopped. If it is found stopped twice in a row, it counts as unresponsive.
     * Nothing is done about it: an administrator may be examining the Master, and no commit can be acknowledged meanwhile.
     *
     * <p>Called by the timer's thread alone.
     */
    public void look() {
        boolean frozen = engine.frozen();
        if (frozen && frozenBefore && becomes(SERVING, FROZEN)) {
            log.error("The master does not respond: its main process is stopped. It serves again when that goes on");
        } else if (!frozen && becomes(FROZEN, SERVING)) {
            log.warn("The master responds again");
        }
        frozenBefore = frozen;
    }

    private void crashed(String reason) {
        // This happens at once and on this thread: the next transaction must not be placed on an engine that is gone.
        node.serving(false);
        become(new Condition("down", reason));
        log.error("The master's engine ended: {}", reason);
        thread.execute(() -> restart(false));
    }

    /**
     * Restarts the engine because the relay cannot continue with it as it is, so that every commit would wait for ever.
     *
     * <p>Thread-safe; does not block.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // A restart logs its failure.
    public void unusable(String reason) {
        node.serving(false);
        become(new Condition("down", reason));
        thread.schedule(() -> restart(true), LONGEST_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** @param alive whether the engine has to be killed first */
    private void restart(boolean alive) {
        boolean still = alive;
        try {
            if (still) {
                engine.kill();
                still = false;
            }
            relay.withdraw();
            become(new Condition("recovering", ""));
            engine.start(this::crashed);
            relay.resume();
            failures = 0;
            serving();
            log.warn("The master serves again");
        } catch (EngineException e) {
            tryAgain(still, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            // Causes are a process that does not die, or a lack of threads or descriptors. The executor would swallow
            // the exception.
            log.error("Restarting the master failed", e);
            tryAgain(still, e.toString());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A restart logs its failure.
    private void tryAgain(boolean alive, String reason) {
        become(new Condition("down", reason));
        long pause = Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(failures++, 10));
        log.error("The master does not start, next attempt in {} ms: {}", pause, reason);
        thread.schedule(() -> restart(alive), pause, TimeUnit.MILLISECONDS);
    }

    private void serving() {
        become(SERVING);
        node.serving(true);
    }

    private synchronized void become(Condition now) {
        condition = now;
    }

    private synchronized boolean becomes(Condition from, Condition to) {
        boolean changed = condition.equals(from);
        if (changed) {
            condition = to;
        }
        return changed;
    }

    /** Ends restarts; one that is under way is interrupted and awaited. */
    @Override
    public void close() {
        become(new Condition("stopping", ""));
        thread.shutdownNow();
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = thread.awaitTermination(1, TimeUnit.HOURS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
