package io.multimed.core.node;

import io.multimed.core.node.SatelliteState.Stopped;
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
 * <p>A step is a function of state, history, event and time: each {@link SatelliteEvent} must name the method of {@link
 * SatelliteState} that answers it, and each state implements the events that have a meaning in it.
 *
 * <p>Not thread-safe: {@link SatelliteSupervisor} delivers one event after the other.
 */
final class SatelliteLifecycle {
    private final SatellitePolicy policy;
    private SatelliteState state = new Stopped("");
    private SatelliteHistory history = SatelliteHistory.NONE;

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
        SatelliteStep step = event.on(state, new SatelliteMoment(policy, history, now));
        state = step.state();
        history = step.history();
        return step.actions();
    }
}
