package io.multimed.core.node;

import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.SatelliteControl;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Executes the blocking actions of a life cycle one after the other, and reports their results.
 *
 * <p>{@link #perform} is called by one thread at a time; the actions run on the worker's thread. A kill or a stop first interrupts
 * the worker's present action and cancels those not yet begun.
 */
final class SatelliteWorker {
    private interface Work {
        SatelliteEvent run() throws EngineException, InterruptedException;
    }

    private final SatelliteControl control;
    private final Executor executor;
    private final CopyTurns turns;
    private final Duration stopGrace;
    private final Consumer<SatelliteEvent> report;
    /** The turn that was requested and not yet used. Accessed only by callers of {@link #perform}. */
    private @Nullable Turn turn;

    private final Object lock = new Object();
    /** Number that is increased to cancel everything requested before. Guarded by {@code lock}. */
    private int era;
    /** The thread that executes an action now. Guarded by {@code lock}. */
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
            submit(this::copy, used == null ? SatelliteWorker::nothing : used::end, SatelliteEvent.CopyFailed::new);
        } else if (action instanceof SatelliteAction.StartEngine start) {
            submit(() -> start(start), SatelliteWorker::nothing, SatelliteEvent.StartFailed::new);
        } else if (action instanceof SatelliteAction.Kill) {
            breakOff();
            submit(this::kill, SatelliteWorker::nothing, SatelliteEvent.KillFailed::new);
        } else if (action instanceof SatelliteAction.StopEngine) {
            breakOff();
            submit(this::stop, SatelliteWorker::nothing, SatelliteEvent.KillFailed::new);
        }
    }

    private static void nothing() {}

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
     * Submits an action to the worker.
     *
     * @param afterwards called when the action is over, also if it was never begun
     * @param failure makes the event to report, from the reason, if the action fails
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
                // A late interrupt must not hit the next action.
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

    /** One turn to copy, from its request to its end. It is given back exactly once, at whichever point it is cancelled. */
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
