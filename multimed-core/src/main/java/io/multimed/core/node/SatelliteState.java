package io.multimed.core.node;

import io.multimed.core.node.SatelliteAction.Copy;
import io.multimed.core.node.SatelliteAction.Evict;
import io.multimed.core.node.SatelliteAction.Kill;
import io.multimed.core.node.SatelliteAction.StopEngine;

/**
 * State of a Satellite in its life cycle: its data, and its answer to each event. Times are monotonic nanoseconds of the supervisor's
 * clock.
 *
 * <p>A state implements the events that have a meaning in it. Other events are late, and change nothing.
 */
sealed interface SatelliteState
        permits SatelliteState.Stopped,
                SatelliteState.Queued,
                SatelliteState.Copying,
                SatelliteState.Starting,
                RunningState,
                SatelliteState.Fencing,
                SatelliteState.Down,
                SatelliteState.Stopping {
    SatellitePhase phase();

    /** Returns a short description for people beyond the phase: progress, or the cause of the state. Empty if there is none. */
    default String detail() {
        return "";
    }

    default SatelliteStatus status() {
        return new SatelliteStatus(phase(), detail());
    }

    default SatelliteStep begin(SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep noData(SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep copyTurn(SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep copyProgressed(SatelliteEvent.CopyProgressed progress, SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep copied(SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep copyFailed(String reason, SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep started(SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep startFailed(String reason, SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep exited(int incarnation, SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep feedConnected(long target, SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep feedLost(SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep feedSilent(SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep logGone(SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep unresponsive(String reason, SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep differs(String reason, SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep tick(SatelliteEvent.Tick tick, SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep tryNow(SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep killed(SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep killFailed(String reason, SatelliteMoment at) {
        return at.to(this);
    }

    default SatelliteStep stop(SatelliteMoment at) {
        return at.to(new Stopping(), new Evict(), new StopEngine());
    }

    default SatelliteStep engineEnded(SatelliteMoment at) {
        return at.to(this);
    }

    /**
     * No engine is wanted. This is the first and the last state.
     *
     * @param cause the reason why an engine may still exist, if it could not be ended; empty otherwise
     */
    record Stopped(String cause) implements SatelliteState {
        @Override
        public SatellitePhase phase() {
            return SatellitePhase.STOPPED;
        }

        @Override
        public String detail() {
            return cause;
        }

        @Override
        public SatelliteStep begin(SatelliteMoment at) {
            SatelliteMoment afresh = at.with(at.history().withFailures(0));
            // An engine that could not be ended may still exist.
            return cause.isEmpty() ? afresh.resume() : afresh.fence(cause, false);
        }

        @Override
        public SatelliteStep stop(SatelliteMoment at) {
            return at.to(this);
        }
    }

    /**
     * The Satellite needs a copy of the Master's data and waits for its turn, since each copy disturbs the Master.
     *
     * @param cause the reason why its present data, if any, is unusable
     */
    record Queued(String cause) implements SatelliteState {
        @Override
        public SatellitePhase phase() {
            return SatellitePhase.QUEUED;
        }

        @Override
        public String detail() {
            return cause;
        }

        @Override
        public SatelliteStep copyTurn(SatelliteMoment at) {
            return at.to(new Copying(0, 0), new Copy());
        }
    }

    /**
     * The Master's data is being copied. Sizes are in bytes, the total being an estimate; both are 0 until the copy first reports.
     */
    record Copying(long copiedBytes, long totalBytes) implements SatelliteState {
        @Override
        public SatellitePhase phase() {
            return SatellitePhase.COPYING;
        }

        @Override
        public String detail() {
            return totalBytes == 0 ? "" : (copiedBytes >> 20) + " of " + (totalBytes >> 20) + " MB";
        }

        @Override
        public SatelliteStep copyProgressed(SatelliteEvent.CopyProgressed progress, SatelliteMoment at) {
            return at.to(new Copying(progress.copiedBytes(), progress.totalBytes()));
        }

        @Override
        public SatelliteStep copied(SatelliteMoment at) {
            return at.start(false);
        }

        @Override
        public SatelliteStep copyFailed(String reason, SatelliteMoment at) {
            // An interrupted copy leaves no engine, so there is nothing to fence.
            return at.retry("copy failed: " + reason, true);
        }
    }

    /**
     * The engine is starting: it recovers from its data and requests the log that it lacks from its feed, possibly before it
     * accepts connections. The engine's control limits the time and the silence of a start.
     *
     * @param fed whether its feed is connected
     * @param target the SCN that it must have applied to be caught up, once it is fed
     * @param ended whether the engine ended during this start. The result of the start gives the reason
     */
    record Starting(boolean fed, long target, boolean ended) implements SatelliteState {
        @Override
        public SatellitePhase phase() {
            return SatellitePhase.STARTING;
        }

        @Override
        public SatelliteStep noData(SatelliteMoment at) {
            return at.copy("no data to resume from");
        }

        @Override
        public SatelliteStep exited(int incarnation, SatelliteMoment at) {
            return at.to(new Starting(
                    fed, target, ended || incarnation == at.history().incarnation()));
        }

        @Override
        public SatelliteStep started(SatelliteMoment at) {
            if (ended) {
                return at.fence("its engine ended", true);
            }
            return fed ? at.catchUp(target, false) : at.awaitFeed(false);
        }

        @Override
        public SatelliteStep startFailed(String reason, SatelliteMoment at) {
            return at.fence("start failed: " + reason, true);
        }

        @Override
        public SatelliteStep feedConnected(long committed, SatelliteMoment at) {
            return at.to(new Starting(true, committed, ended));
        }

        @Override
        public SatelliteStep feedLost(SatelliteMoment at) {
            return at.to(new Starting(false, 0, ended));
        }

        @Override
        public SatelliteStep logGone(SatelliteMoment at) {
            return at.fence("the log it needs is gone", true);
        }
    }

    /**
     * The engine is being killed in any case, so that no process of it is left when the next one starts.
     *
     * @param copyAnew whether its data is unusable afterwards
     * @param killAgainAt time of the next attempt after a kill that failed; {@link #NEVER} while a kill is under way
     */
    record Fencing(String cause, boolean copyAnew, long killAgainAt) implements SatelliteState {
        /** A value that is no time. */
        static final long NEVER = Long.MIN_VALUE;

        @Override
        public SatellitePhase phase() {
            return SatellitePhase.FENCING;
        }

        @Override
        public String detail() {
            return cause;
        }

        @Override
        public SatelliteStep killed(SatelliteMoment at) {
            return at.retry(cause, copyAnew);
        }

        @Override
        public SatelliteStep killFailed(String reason, SatelliteMoment at) {
            return at.to(new Fencing(reason, copyAnew, at.after(at.policy().firstBackoff())));
        }

        @Override
        public SatelliteStep logGone(SatelliteMoment at) {
            return at.to(new Fencing(cause, true, killAgainAt));
        }

        @Override
        public SatelliteStep tick(SatelliteEvent.Tick tick, SatelliteMoment at) {
            if (killAgainAt == NEVER || !at.reached(killAgainAt)) {
                return at.to(this);
            }
            return at.to(new Fencing(cause, copyAnew, NEVER), new Kill());
        }
    }

    /**
     * No process of the engine is left; the next attempt follows later.
     *
     * @param retryAt time of the next attempt
     * @param copyAnew whether that begins with a new copy rather than the present data
     */
    record Down(String cause, long retryAt, boolean copyAnew) implements SatelliteState {
        @Override
        public SatellitePhase phase() {
            return SatellitePhase.DOWN;
        }

        @Override
        public String detail() {
            return cause;
        }

        @Override
        public SatelliteStep tick(SatelliteEvent.Tick tick, SatelliteMoment at) {
            return at.reached(retryAt) ? tryNow(at) : at.to(this);
        }

        @Override
        public SatelliteStep tryNow(SatelliteMoment at) {
            return copyAnew ? at.copy(cause) : at.resume();
        }
    }

    /** The Satellite is out of rotation; the engine is being stopped in an orderly way. */
    record Stopping() implements SatelliteState {
        @Override
        public SatellitePhase phase() {
            return SatellitePhase.STOPPING;
        }

        @Override
        public SatelliteStep stop(SatelliteMoment at) {
            return at.to(this);
        }

        @Override
        public SatelliteStep engineEnded(SatelliteMoment at) {
            return at.to(new Stopped(""));
        }

        @Override
        public SatelliteStep killFailed(String reason, SatelliteMoment at) {
            return at.to(new Stopped(reason));
        }
    }
}
