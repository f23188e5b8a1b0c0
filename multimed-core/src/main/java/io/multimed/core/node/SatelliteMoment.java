package io.multimed.core.node;

import io.multimed.core.node.RunningState.CatchingUp;
import io.multimed.core.node.RunningState.Connecting;
import io.multimed.core.node.RunningState.Suspect;
import io.multimed.core.node.SatelliteState.Down;
import io.multimed.core.node.SatelliteState.Fencing;
import io.multimed.core.node.SatelliteState.Queued;
import io.multimed.core.node.SatelliteState.Starting;
import java.time.Duration;
import java.util.List;

/**
 * The moment of an event, and the steps of the life cycle that several states have in common.
 *
 * @param now monotonic nanoseconds
 */
record SatelliteMoment(SatellitePolicy policy, SatelliteHistory history, long now) {
    SatelliteStep to(SatelliteState state, SatelliteAction... actions) {
        return new SatelliteStep(state, history, List.of(actions));
    }

    SatelliteStep resume() {
        return start(true);
    }

    /** Starts the engine from the data of an earlier run, or from a new copy. */
    SatelliteStep start(boolean resume) {
        SatelliteHistory next = history.withNextIncarnation();
        return with(next)
                .to(new Starting(false, 0, false), new SatelliteAction.StartEngine(resume, next.incarnation()));
    }

    SatelliteStep copy(String cause) {
        return to(new Queued(cause), new SatelliteAction.AwaitCopyTurn());
    }

    SatelliteStep awaitFeed(boolean served, SatelliteAction... actions) {
        return to(new Connecting(after(policy.feedDeadline()), served), actions);
    }

    SatelliteStep catchUp(long target, boolean served, SatelliteAction... actions) {
        return to(new CatchingUp(ReplayProgress.unknown(now), target, served), actions);
    }

    SatelliteStep suspect(String cause, boolean served) {
        return to(new Suspect(cause, after(policy.suspectGrace()), served), new SatelliteAction.Evict());
    }

    SatelliteStep fence(String cause, boolean copyAnew) {
        return to(new Fencing(cause, copyAnew, Fencing.NEVER), new SatelliteAction.Evict(), new SatelliteAction.Kill());
    }

    /** Begins again after a failure, at once or after a pause. No process of the engine is left. */
    SatelliteStep retry(String cause, boolean copyAnew) {
        SatelliteMoment failed = with(history.withFailures(history.failures() + 1));
        Duration pause = policy.backoff(failed.history.failures());
        if (!pause.isZero()) {
            return failed.to(new Down(cause, after(pause), copyAnew));
        }
        return copyAnew ? failed.copy(cause) : failed.resume();
    }

    SatelliteMoment with(SatelliteHistory other) {
        return new SatelliteMoment(policy, other, now);
    }

    /** Returns the time {@code pause} from now. */
    long after(Duration pause) {
        return now + pause.toNanos();
    }

    boolean reached(long deadline) {
        return now - deadline >= 0;
    }
}
