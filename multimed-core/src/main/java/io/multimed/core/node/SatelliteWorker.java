package io.multimed.core.node;

import io.multimed.engine.EngineException;
import io.multimed.engine.SatelliteControl;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the actions of a life cycle that block, one after the other, and reports how they ended.
 *
 * <p>{@link #perform} is called by one thread at a time; the actions run on the worker's thread. A kill or a stop first
 * breaks off what the worker is doing, by interrupting it, and what it has yet to begin.
 */
final class SatelliteWorker {
    private interface Work {
        SatelliteEvent run() throws EngineException, InterruptedException;
    }

    private static final Runnable NOTHING = () -> {};

    private final SatelliteControl control;
    private final Executor executor;
    private final CopyTurns turns;
    private final Duration stopGrace;
    private final Consumer<SatelliteEvent> report;
    /** The turn asked for and not yet used; belongs to whoever calls {@link #perform}. */
    private @Nullable Turn turn;

    private final Object lock = new Object();
    /** Raised to break off everything that was asked for before. Guarded by {@code lock}. */
    private int era;
    /** Who carries out an action now. Guarded by {@code lock}. */
    private @Nullable Thread busy;

    SatelliteWorker(
            SatelliteControl control,
            Executor executor,
            CopyTurns turns,
            Duration stopGrace,
            Consumer<SatelliteEvent> report) {
        this.control = control;
        this.executor = executor;
        this.turns = turns;
        this.stopGrace = stopGrace;
        this.report = report;
    }

    void perform(SatelliteAction action) {
        if (action instanceof SatelliteAction.AwaitCopyTurn) {
            turn = new Turn();
            turns.request(turn);
        } else if (action instanceof SatelliteAction.Copy) {
            Turn used = turn;
            turn = null;
            submit(this::copy, used == null ? NOTHING : used::end, SatelliteEvent.CopyFailed::new);
        } else if (action instanceof SatelliteAction.StartEngine start) {
            submit(() -> start(start), NOTHING, SatelliteEvent.StartFailed::new);
        } else if (action instanceof SatelliteAction.Kill) {
            breakOff();
            submit(this::kill, NOTHING, SatelliteEvent.KillFailed::new);
        } else if (action instanceof SatelliteAction.StopEngine) {
            breakOff();
            submit(this::stop, NOTHING, SatelliteEvent.KillFailed::new);
        }
    }

    private SatelliteEvent copy() throws EngineException, InterruptedException {
        control.copyFromMaster((copied, total) -> report.accept(new SatelliteEvent.CopyProgressed(copied, total)));
        return new SatelliteEvent.Copied();
    }

    private SatelliteEvent start(SatelliteAction.StartEngine start) throws EngineException, InterruptedException {
        if (start.resume() && !control.hasData()) {
            return new SatelliteEvent.NoData();
        }
        control.start(() -> report.accept(new SatelliteEvent.Exited(start.incarnation())));
        return new SatelliteEvent.Started();
    }

    private SatelliteEvent kill() {
        control.kill();
        return new SatelliteEvent.Killed();
    }

    private SatelliteEvent stop() {
        try {
            control.stop(stopGrace);
        } catch (RuntimeException | InterruptedException e) {
            control.kill();
        }
        return new SatelliteEvent.EngineEnded();
    }

    /**
     * Has the worker do something.
     *
     * @param afterwards called when it is over, also when it was never begun
     * @param failure what to report if it fails, from the reason
     */
    private void submit(Work work, Runnable afterwards, Function<String, SatelliteEvent> failure) {
        int mine;
        synchronized (lock) {
            mine = era;
        }
        try {
            executor.execute(() -> run(mine, work, afterwards, failure));
        } catch (RejectedExecutionException e) {
            afterwards.run();
            report.accept(failure.apply("the worker has been shut down"));
        }
    }

    private void run(int mine, Work work, Runnable afterwards, Function<String, SatelliteEvent> failure) {
        boolean wanted;
        synchronized (lock) {
            wanted = mine == era;
            busy = wanted ? Thread.currentThread() : null;
        }
        if (!wanted) {
            afterwards.run();
            return;
        }
        SatelliteEvent result;
        try {
            result = work.run();
        } catch (InterruptedException e) {
            result = failure.apply("broken off");
        } catch (EngineException | RuntimeException e) {
            String message = e.getMessage();
            result = failure.apply(message == null ? e.toString() : message);
        } finally {
            synchronized (lock) {
                busy = null;
                // An interrupt that came too late must not hit the next action.
                Thread.interrupted();
            }
        }
        afterwards.run();
        report.accept(result);
    }

    private void breakOff() {
        if (turn != null) {
            turn.end();
            turn = null;
        }
        synchronized (lock) {
            era++;
            if (busy != null) {
                busy.interrupt();
            }
        }
    }

    /** One turn to copy, from the asking for it to its end. Given back once, wherever it is broken off. */
    private final class Turn implements Runnable {
        private enum Phase {
            ASKED,
            GRANTED,
            OVER
        }

        private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.ASKED);

        @Override
        public void run() {
            if (phase.compareAndSet(Phase.ASKED, Phase.GRANTED)) {
                report.accept(new SatelliteEvent.CopyTurn());
            } else {
                turns.done();
            }
        }

        void end() {
            if (phase.getAndSet(Phase.OVER) == Phase.GRANTED) {
                turns.done();
            }
        }
    }
}
