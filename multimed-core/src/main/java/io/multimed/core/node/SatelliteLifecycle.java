package io.multimed.core.node;

import io.multimed.core.node.SatelliteState.CatchingUp;
import io.multimed.core.node.SatelliteState.Connecting;
import io.multimed.core.node.SatelliteState.Copying;
import io.multimed.core.node.SatelliteState.Down;
import io.multimed.core.node.SatelliteState.Fencing;
import io.multimed.core.node.SatelliteState.Queued;
import io.multimed.core.node.SatelliteState.Serving;
import io.multimed.core.node.SatelliteState.Starting;
import io.multimed.core.node.SatelliteState.Stopped;
import io.multimed.core.node.SatelliteState.Stopping;
import io.multimed.core.node.SatelliteState.Suspect;
import java.time.Duration;
import java.util.List;

/**
 * The life cycle of one Satellite: it turns events into actions. It reads no clock and executes no action itself.
 *
 * <pre>
 * Stopped -> Starting -> (Connecting ->) CatchingUp -> Serving        resumed from its data
 *               | no data
 *            Queued -> Copying -> Starting ...                        copied
 * Serving -> Connecting | Suspect -> CatchingUp -> Serving            lost for a moment
 * anything -> Fencing -> Down -> Starting | Queued                    failed
 * anything -> Stopping -> Stopped
 * </pre>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>An engine is started only when no process of an earlier one is left.
 *   <li>A Satellite is admitted only if its feed has connected since the engine's start, if it has applied everything that was
 *       committed when the feed connected, and if it has applied nothing that the relay has yet to receive.
 *   <li>A Satellite that fails before it ever served with its present data gets a new copy.
 * </ul>
 *
 * <p>Not thread-safe: {@link SatelliteSupervisor} delivers one event after the other.
 */
final class SatelliteLifecycle {
    private static final List<SatelliteAction> NOTHING = List.of();
    /** The longest time that counts from one tick to the next: while Multimed itself was stopped the Satellite was not observed. */
    private static final long LONGEST_STEP = Duration.ofSeconds(1).toNanos();

    private final SatellitePolicy policy;
    private SatelliteState state = new Stopped("");
    /** Number of failures since the last period of stable service. */
    private int failures;
    /** Number of starts of the engine so far. It distinguishes the end of an earlier engine from the end of the present one. */
    private int incarnation;
    /** Whether the engine ended during its present start. The result of the start gives the reason. */
    private boolean ended;
    /** Whether the present start of the engine has led to serving. */
    private boolean served;
    /** Whether the feed last reported that the Satellite does not answer. */
    private boolean silent;
    /** The SCN that the Satellite had applied at the last tick. */
    private long applied;
    /** Time for which the Satellite has applied nothing although it lacks commits, in nanoseconds, as of {@code reckonedAt}. */
    private long standing;

    private long reckonedAt;

    SatelliteLifecycle(SatellitePolicy policy) {
        this.policy = policy;
    }

    SatelliteState state() {
        return state;
    }

    /**
     * Handles one event.
     *
     * @param now monotonic nanoseconds
     * @return the actions to execute, in this order
     */
    List<SatelliteAction> on(SatelliteEvent event, long now) {
        listen(event);
        if (event instanceof SatelliteEvent.Stop) {
            return stop();
        }
        if (state instanceof Stopped stopped) {
            return stopped(stopped, event);
        }
        if (state instanceof Queued) {
            return queued(event);
        }
        if (state instanceof Copying) {
            return copying(event, now);
        }
        if (state instanceof Starting starting) {
            return starting(starting, event, now);
        }
        if (state instanceof Fencing fencing) {
            return fencing(fencing, event, now);
        }
        if (state instanceof Down down) {
            return down(down, event, now);
        }
        if (state instanceof Stopping) {
            return stopping(event);
        }
        return running(event, now);
    }

    /**
     * Keeps track of silence in every state, because its beginning is reported once, and its end may be reported in another state.
     */
    private void listen(SatelliteEvent event) {
        if (event instanceof SatelliteEvent.FeedSilent) {
            silent = true;
        } else if (event instanceof SatelliteEvent.FeedHeard || event instanceof SatelliteEvent.FeedConnected) {
            silent = false;
        }
    }

    private List<SatelliteAction> stop() {
        if (state instanceof Stopped || state instanceof Stopping) {
            return NOTHING;
        }
        state = new Stopping();
        return List.of(new SatelliteAction.Evict(), new SatelliteAction.StopEngine());
    }

    private List<SatelliteAction> stopped(Stopped stopped, SatelliteEvent event) {
        if (event instanceof SatelliteEvent.Begin) {
            failures = 0;
            // An engine that could not be ended may still exist.
            return stopped.cause().isEmpty() ? resume() : fence(stopped.cause(), false);
        }
        return NOTHING;
    }

    private List<SatelliteAction> queued(SatelliteEvent event) {
        if (event instanceof SatelliteEvent.CopyTurn) {
            state = new Copying(0, 0);
            return List.of(new SatelliteAction.Copy());
        }
        return NOTHING;
    }

    private List<SatelliteAction> copying(SatelliteEvent event, long now) {
        if (event instanceof SatelliteEvent.CopyProgressed progress) {
            state = new Copying(progress.copiedBytes(), progress.totalBytes());
            return NOTHING;
        }
        if (event instanceof SatelliteEvent.Copied) {
            return start(false);
        }
        if (event instanceof SatelliteEvent.CopyFailed failed) {
            // An interrupted copy leaves no engine, so there is nothing to fence.
            return retryLater("copy failed: " + failed.reason(), true, now);
        }
        return NOTHING;
    }

    private List<SatelliteAction> starting(Starting starting, SatelliteEvent event, long now) {
        if (event instanceof SatelliteEvent.NoData) {
            return copy("no data to resume from");
        }
        if (event instanceof SatelliteEvent.Exited exited) {
            ended |= exited.incarnation() == incarnation;
            return NOTHING;
        }
        if (event instanceof SatelliteEvent.Started) {
            if (ended) {
                return fence("its engine ended", true);
            }
            if (starting.fed()) {
                state = new CatchingUp(0, starting.target());
            } else {
                awaitFeed(now);
            }
            return NOTHING;
        }
        if (event instanceof SatelliteEvent.StartFailed failed) {
            return fence("start failed: " + failed.reason(), true);
        }
        if (event instanceof SatelliteEvent.FeedConnected feed) {
            state = new Starting(starting.resumed(), true, feed.target());
            return NOTHING;
        }
        if (event instanceof SatelliteEvent.FeedLost) {
            state = new Starting(starting.resumed(), false, 0);
            return NOTHING;
        }
        // The engine's control limits the time and the silence of a start, so only a lack of log matters here.
        if (event instanceof SatelliteEvent.LogGone) {
            return failed(event);
        }
        return NOTHING;
    }

    /** Handles an event in the states in which the engine accepts connections: Connecting, CatchingUp, Serving and Suspect. */
    private List<SatelliteAction> running(SatelliteEvent event, long now) {
        if (event instanceof SatelliteEvent.FeedConnected feed) {
            state = new CatchingUp(0, feed.target());
            return List.of(new SatelliteAction.Evict());
        }
        if (event instanceof SatelliteEvent.FeedLost && (state instanceof Serving || state instanceof CatchingUp)) {
            leaveService(now);
            awaitFeed(now);
            return List.of(new SatelliteAction.Evict());
        }
        if (event instanceof SatelliteEvent.FeedSilent && (state instanceof Serving || state instanceof CatchingUp)) {
            leaveService(now);
            state = new Suspect(
                    "no answer to its feed", now + policy.suspectGrace().toNanos());
            return List.of(new SatelliteAction.Evict());
        }
        if (event instanceof SatelliteEvent.Tick tick) {
            return timePassed(tick, now);
        }
        leaveService(now);
        return failed(event);
    }

    private List<SatelliteAction> timePassed(SatelliteEvent.Tick tick, long now) {
        if (tick.frozen() && (state instanceof Serving || state instanceof CatchingUp)) {
            return suspect("its main process is stopped", now);
        }
        if (standsStill(tick, now)) {
            leaveService(now);
            return fence("its replay stands still", !served);
        }
        if (state instanceof CatchingUp catchingUp) {
            // A copy taken while the relay was away may be ahead of the relay. It would show commits that no other node
            // can be required to show.
            if (tick.applied() >= catchingUp.target() && tick.applied() <= tick.heard()) {
                state = new Serving(tick.applied(), now);
                served = true;
                return List.of(new SatelliteAction.Admit());
            }
            state = new CatchingUp(tick.applied(), catchingUp.target());
        } else if (state instanceof Connecting connecting && now - connecting.deadline() >= 0) {
            // This is no reason for a copy: nothing suggests that the data is faulty.
            return fence("its feed did not connect", false);
        } else if (state instanceof Suspect suspect) {
            if (!silent && !tick.frozen()) {
                state = new CatchingUp(0, tick.committed());
            } else if (now - suspect.deadline() >= 0) {
                return fence(suspect.cause(), !served);
            }
        }
        return NOTHING;
    }

    /**
     * Whether the Satellite has applied nothing for too long although it lacks commits. Its feed answers, but replay is paused
     * (because of a setting that the Master has raised), stopped, or blocked for good. Its log would grow for ever.
     *
     * <p>Without a floor no commit is known to be lacking: the log received last may be half a record, which ends only when the
     * Master is back.
     */
    private boolean standsStill(SatelliteEvent.Tick tick, long now) {
        long step = Math.min(now - reckonedAt, LONGEST_STEP);
        reckonedAt = now;
        boolean replays = state instanceof Serving || state instanceof CatchingUp;
        if (!replays || tick.applied() != applied || tick.applied() >= tick.floor()) {
            applied = tick.applied();
            standing = 0;
            return false;
        }
        standing += step;
        return standing >= policy.standstill().toNanos();
    }

    /** Handles the events that end an engine in every state in which there is one. */
    private List<SatelliteAction> failed(SatelliteEvent event) {
        if (event instanceof SatelliteEvent.Exited exited && exited.incarnation() == incarnation) {
            return fence("its engine ended", !served);
        }
        if (event instanceof SatelliteEvent.LogGone) {
            return fence("the log it needs is gone", true);
        }
        if (event instanceof SatelliteEvent.Unresponsive unresponsive) {
            return fence(unresponsive.reason(), !served);
        }
        return NOTHING;
    }

    private List<SatelliteAction> fencing(Fencing fencing, SatelliteEvent event, long now) {
        if (event instanceof SatelliteEvent.Killed) {
            return retryLater(fencing.cause(), fencing.copyAnew(), now);
        }
        if (event instanceof SatelliteEvent.LogGone && !fencing.copyAnew()) {
            state = new Fencing(fencing.cause(), true, fencing.killAgainAt());
            return NOTHING;
        }
        if (event instanceof SatelliteEvent.KillFailed failed) {
            state = new Fencing(
                    failed.reason(),
                    fencing.copyAnew(),
                    now + policy.firstBackoff().toNanos());
            return NOTHING;
        }
        if (event instanceof SatelliteEvent.Tick
                && fencing.killAgainAt() != Fencing.NEVER
                && now - fencing.killAgainAt() >= 0) {
            state = new Fencing(fencing.cause(), fencing.copyAnew(), Fencing.NEVER);
            return List.of(new SatelliteAction.Kill());
        }
        return NOTHING;
    }

    private List<SatelliteAction> down(Down down, SatelliteEvent event, long now) {
        if (event instanceof SatelliteEvent.Tick && now - down.retryAt() >= 0) {
            return down.copyAnew() ? copy(down.cause()) : resume();
        }
        return NOTHING;
    }

    private List<SatelliteAction> stopping(SatelliteEvent event) {
        if (event instanceof SatelliteEvent.EngineEnded) {
            state = new Stopped("");
        } else if (event instanceof SatelliteEvent.KillFailed failed) {
            state = new Stopped(failed.reason());
        }
        return NOTHING;
    }

    private List<SatelliteAction> resume() {
        return start(true);
    }

    private List<SatelliteAction> start(boolean resume) {
        incarnation++;
        ended = false;
        served = false;
        standing = 0;
        state = new Starting(resume, false, 0);
        return List.of(new SatelliteAction.StartEngine(resume, incarnation));
    }

    private List<SatelliteAction> copy(String cause) {
        state = new Queued(cause);
        return List.of(new SatelliteAction.AwaitCopyTurn());
    }

    private void awaitFeed(long now) {
        state = new Connecting(now + policy.feedDeadline().toNanos());
    }

    private List<SatelliteAction> suspect(String cause, long now) {
        leaveService(now);
        state = new Suspect(cause, now + policy.suspectGrace().toNanos());
        return List.of(new SatelliteAction.Evict());
    }

    private void leaveService(long now) {
        if (state instanceof Serving serving
                && now - serving.since() >= policy.stableAfter().toNanos()) {
            failures = 0;
        }
    }

    private List<SatelliteAction> fence(String cause, boolean copyAnew) {
        state = new Fencing(cause, copyAnew, Fencing.NEVER);
        return List.of(new SatelliteAction.Evict(), new SatelliteAction.Kill());
    }

    private List<SatelliteAction> retryLater(String cause, boolean copyAnew, long now) {
        failures++;
        long pause = policy.backoff(failures).toNanos();
        if (pause > 0) {
            state = new Down(cause, now + pause, copyAnew);
            return NOTHING;
        }
        return copyAnew ? copy(cause) : resume();
    }
}
