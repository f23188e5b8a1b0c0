package io.multimed.core.node;

import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.spi.SatelliteControl;
import io.multimed.model.NodeId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Keeps one Satellite alive: delivers events to its {@link SatelliteLifecycle} and executes the actions that this requests.
 *
 * <p>No method blocks. Any thread may call any method, except that {@code logGone} and the methods that begin with {@code feed}
 * belong to the thread of the Satellite's feed, which alone writes {@link ComputationalNode#applied}. A thread that adds an event
 * handles all pending events, unless another thread is already doing so. Blocking work goes to the worker.
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
    private volatile SatelliteStatus status;

    /**
     * Creates a supervisor.
     *
     * @param control the engine of this Satellite, called from the worker except where its documentation says otherwise
     * @param worker executes one task after the other, on a thread of its own since tasks block for long
     * @param turns shared by all Satellites of one Master
     * @param gate notified when the Satellite enters or leaves the rotation
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
        this.status = lifecycle.state().status();
    }

    public NodeId id() {
        return node.id();
    }

    /** Returns the Satellite's present state as others see it. */
    public SatelliteStatus status() {
        return status;
    }

    /**
     * Begins to operate the Satellite: resumes or copies it, starts it, and admits it once it has caught up; again after every
     * failure.
     */
    public void begin() {
        on(new SatelliteEvent.Begin());
    }

    /**
     * Takes the Satellite out of rotation and stops its engine; interrupts a copy or a start. It is not used again.
     *
     * @return completed when the Satellite is {@link SatellitePhase#STOPPED}
     */
    public CompletionStage<Void> stop() {
        on(new SatelliteEvent.Stop());
        return stopped;
    }

    /**
     * Checks deadlines, and whether the Satellite has caught up or is frozen. Called by a timer some twenty times a second, so
     * state changes that depend on it are late by at most one period.
     */
    public void tick() {
        on(new SatelliteEvent.Tick(0, 0, 0, control.frozen()));
    }

    /**
     * Reports that the feed is connected: the Satellite requests the log. Called after the loss of an earlier connection was
     * reported, and before the first applied SCN of this one.
     */
    public void feedConnected() {
        // The position of an earlier engine of this Satellite says nothing about this one, which may have started from
        // older data. A reader must not rely on the earlier position.
        node.applied(0);
        on(new SatelliteEvent.FeedConnected(committed()));
    }

    /** Reports that the connection of the feed has ended. */
    public void feedLost() {
        on(new SatelliteEvent.FeedLost());
    }

    /** Reports that the Satellite has not answered keepalives for too long, though the connection is open. */
    public void feedSilent() {
        on(new SatelliteEvent.FeedSilent());
    }

    /** Reports that the Satellite has answered again. */
    public void feedHeard() {
        on(new SatelliteEvent.FeedHeard());
    }

    /** Reports that the Satellite requested log that neither memory nor the Master's directory contains. */
    public void logGone() {
        on(new SatelliteEvent.LogGone());
    }

    /**
     * Reports that the engine does not behave like a working engine, for instance does not accept connections, though its feed may
     * work.
     *
     * @param reason one sentence without a full stop
     */
    public void unresponsive(String reason) {
        on(new SatelliteEvent.Unresponsive(reason));
    }

    /**
     * Reports that the engine, which serves, holds other data than the Master: it is copied anew.
     *
     * @param reason one sentence without a full stop
     */
    public void differs(String reason) {
        on(new SatelliteEvent.Differs(reason));
    }

    /** Has a Satellite that waits for its next attempt make it at once, because the reason of the last failure may have gone. */
    public void tryNow() {
        on(new SatelliteEvent.TryNow());
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
     * Executes one of several independent steps and catches whatever it throws. The other steps must not be lost, such as the kill
     * that the life cycle waits for. Nor must event handling end, because no other thread would continue it.
     */
    private void attempt(Runnable one) {
        try {
            one.run();
        } catch (RuntimeException | Error e) {
            listener.unforeseen(node.id(), e);
        }
    }

    private void take(SatelliteEvent event) {
        SatelliteStatus before = status;
        // The values are read now, not when the timer fired, because the feed may have reconnected in between.
        SatelliteEvent current = event instanceof SatelliteEvent.Tick tick
                ? new SatelliteEvent.Tick(node.applied(), log.floor(), log.received(), tick.frozen())
                : event;
        var actions = lifecycle.on(current, nanoTime.getAsLong());
        SatelliteStatus after = lifecycle.state().status();
        status = after;
        for (SatelliteAction action : actions) {
            attempt(() -> perform(action));
        }
        if (after.phase() == SatellitePhase.COPYING && before.phase() != SatellitePhase.COPYING) {
            node.copyBegan();
        }
        if (!before.equals(after)) {
            attempt(() -> listener.changed(node.id(), before, after));
        }
        if (after.phase() == SatellitePhase.COPYING && event instanceof SatelliteEvent.CopyProgressed progress) {
            attempt(() -> listener.copying(node.id(), progress.copiedBytes(), progress.totalBytes()));
        }
        boolean ended = event instanceof SatelliteEvent.Stop || before.phase() != SatellitePhase.STOPPED;
        if (ended && after.phase() == SatellitePhase.STOPPED) {
            stopped.complete(null);
        }
    }

    private void perform(SatelliteAction action) {
        if (action instanceof SatelliteAction.Admit) {
            node.serving(true);
            gate.progressed();
        } else if (action instanceof SatelliteAction.Evict) {
            node.serving(false);
            // Readers that waited for this Satellite must not wait any longer.
            gate.progressed();
        } else {
            worker.perform(action);
        }
    }
}
