package io.multimed.server.master;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.EngineException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the Master alive. When it dies: no new transactions for it, the floor withdrawn, and only then a restart, so
 * that nobody sees on a restarted Master what the relay has not heard.
 */
public final class MasterSupervisor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MasterSupervisor.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** Takes the relay from the Master and gives it back. Calls block until that is done. */
    public interface RelayControl {
        void withdraw() throws InterruptedException;

        void resume() throws InterruptedException;
    }

    private final ComputationalNode node;
    private final MasterEngine engine;
    private final RelayControl relay;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("multimed-master").factory());
    private volatile String state = "starting";
    private volatile String detail = "";
    /** Of this thread alone. */
    private int failures;

    public MasterSupervisor(ComputationalNode node, MasterEngine engine, RelayControl relay) {
        this.node = node;
        this.engine = engine;
        this.relay = relay;
    }

    /** starting, serving, recovering, down or stopping. */
    public String state() {
        return state;
    }

    /** Why it is not serving, or empty. */
    public String detail() {
        return detail;
    }

    /** The first start, on the caller's thread: what goes wrong is the caller's to tell. */
    public void start() throws EngineException, InterruptedException {
        engine.start(this::crashed);
        serving();
    }

    private void crashed(String reason) {
        // At once and on this thread: the next transaction must not be placed on an engine that is gone.
        node.serving(false);
        state = "down";
        detail = reason;
        log.error("The master's engine ended: {}", reason);
        thread.execute(this::restart);
    }

    /**
     * The relay cannot go on with the engine as it is, so that every commit would wait for ever: it is restarted.
     *
     * <p>Any thread; does not block.
     */
    public void unusable(String reason) {
        node.serving(false);
        state = "down";
        detail = reason;
        thread.schedule(
                () -> {
                    engine.kill();
                    restart();
                },
                LONGEST_PAUSE.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void restart() {
        try {
            relay.withdraw();
            state = "recovering";
            engine.start(this::crashed);
            relay.resume();
            failures = 0;
            serving();
            log.warn("The master serves again");
        } catch (EngineException e) {
            state = "down";
            detail = String.valueOf(e.getMessage());
            long pause = Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(failures++, 10));
            log.error("The master does not start, next attempt in {} ms: {}", pause, e.getMessage());
            thread.schedule(this::restart, pause, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serving() {
        state = "serving";
        detail = "";
        node.serving(true);
    }

    /** No further restarts; a start that is under way is broken off and waited for. */
    @Override
    public void close() {
        state = "stopping";
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
