package io.multimed.core.node;

import io.multimed.core.node.SatelliteState.Stopped;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.SatelliteControl;
import io.multimed.model.NodeId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Keeps one Satellite alive: brings what happens to its {@link SatelliteLifecycle} and does what that asks for.
 *
 * <p>Every method may be called by any thread and none blocks, with one rule: the methods that begin with {@code feed}
 * and {@code logGone} belong to the thread of the Satellite's feed, which alone writes {@link ComputationalNode#applied}.
 * Events are taken one after the other by whichever thread brings one while no other is at it; blocking work goes to
 * the worker.
 */
public final class SatelliteSupervisor {
    private final ComputationalNode node;
    private final SatelliteControl control;
    private final MasterLog log;
    private final FreshnessGate gate;
    private final LongSupplier nanoTime;
    private final SatelliteListener listener;
    private final SatelliteLifecycle lifecycle;
    private final SatelliteWorker worker;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private final ConcurrentLinkedQueue<SatelliteEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile SatelliteState state;

    /**
     * @param control the engine of this Satellite, called from the worker except where it says otherwise
     * @param worker executes one task after the other, on a thread of its own since they block for long
     * @param turns shared by all Satellites of one Master
     * @param gate told when the Satellite enters or leaves the rotation
     * @param nanoTime monotonic time
     */
    public SatelliteSupervisor(
            ComputationalNode node,
            SatelliteControl control,
            Executor worker,
            CopyTurns turns,
            MasterLog log,
            FreshnessGate gate,
            SatellitePolicy policy,
            LongSupplier nanoTime,
            SatelliteListener listener) {
        this.node = node;
        this.control = control;
        this.log = log;
        this.gate = gate;
        this.nanoTime = nanoTime;
        this.listener = listener;
        this.lifecycle = new SatelliteLifecycle(policy);
        this.worker = new SatelliteWorker(control, worker, turns, policy.stopGrace(), this::on);
        this.state = lifecycle.state();
    }

    public NodeId id() {
        return node.id();
    }

    /** Where the Satellite is now, for status output. */
    public SatelliteState state() {
        return state;
    }

    /** Has the Satellite resumed or copied, started, and admitted once it has caught up; and again after every failure. */
    public void begin() {
        on(new SatelliteEvent.Begin());
    }

    /**
     * Takes the Satellite out of rotation and ends its engine; breaks off a copy or a start. It is not used again.
     *
     * @return completed when the Satellite is {@link Stopped}
     */
    public CompletionStage<Void> stop() {
        on(new SatelliteEvent.Stop());
        return stopped;
    }

    /**
     * Lets deadlines pass and looks whether the Satellite has caught up, or is frozen. Called by a timer some twenty times a second;
     * what is waited for here is late by at most one period.
     */
    public void tick() {
        on(new SatelliteEvent.Tick(0, 0, 0, control.frozen()));
    }

    /**
     * The Satellite asks for the log: its feed is connected. Reported after the loss of an earlier connection, and
     * before the first applied SCN of this one.
     */
    public void feedConnected() {
        // What an earlier engine of this Satellite had applied says nothing about this one, which may have started from
        // older data: a reader must not meet it as if it were as far.
        node.applied(0);
        on(new SatelliteEvent.FeedConnected(committed()));
    }

    /** The connection of the feed has ended. */
    public void feedLost() {
        on(new SatelliteEvent.FeedLost());
    }

    /** The Satellite has not answered keepalives for too long, though the connection is open. */
    public void feedSilent() {
        on(new SatelliteEvent.FeedSilent());
    }

    /** It has answered again. */
    public void feedHeard() {
        on(new SatelliteEvent.FeedHeard());
    }

    /** The Satellite asked for log that neither memory nor the Master's directory holds. */
    public void logGone() {
        on(new SatelliteEvent.LogGone());
    }

    /**
     * The engine does not do what a living engine does, for instance accept connections, though its feed may be well.
     *
     * @param reason one sentence without a full stop
     */
    public void unresponsive(String reason) {
        on(new SatelliteEvent.Unresponsive(reason));
    }

    private long committed() {
        long floor = log.floor();
        return floor == MasterLog.UNKNOWN ? log.received() : floor;
    }

    private void on(SatelliteEvent event) {
        events.add(event);
        if (pending.getAndIncrement() != 0) {
            return;
        }
        do {
            attempt(() -> take(events.remove()));
        } while (pending.decrementAndGet() != 0);
    }

    /**
     * Does one thing of several that do not depend on each other. What it throws ends neither the others, which may be the kill that
     * the life cycle waits for, nor the taking of events, which nobody would go on with.
     */
    private void attempt(Runnable one) {
        try {
            one.run();
        } catch (RuntimeException | Error e) {
            listener.unforeseen(node.id(), e);
        }
    }

    private void take(SatelliteEvent event) {
        SatelliteState before = state;
        // Read now, not when the timer fired: the feed may have connected anew in between.
        SatelliteEvent current = event instanceof SatelliteEvent.Tick tick
                ? new SatelliteEvent.Tick(node.applied(), log.floor(), log.received(), tick.frozen())
                : event;
        var actions = lifecycle.on(current, nanoTime.getAsLong());
        state = lifecycle.state();
        for (SatelliteAction action : actions) {
            attempt(() -> perform(action));
        }
        if (!before.equals(state)) {
            attempt(() -> listener.changed(node.id(), before, state));
        }
        boolean ended = event instanceof SatelliteEvent.Stop || !(before instanceof Stopped);
        if (ended && state instanceof Stopped) {
            stopped.complete(null);
        }
    }

    private void perform(SatelliteAction action) {
        if (action instanceof SatelliteAction.Admit) {
            node.serving(true);
            gate.progressed();
        } else if (action instanceof SatelliteAction.Evict) {
            node.serving(false);
            // Those who waited for this Satellite must not wait any longer.
            gate.progressed();
        } else {
            worker.perform(action);
        }
    }
}
