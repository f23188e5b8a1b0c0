package io.multimed.core.node;

/**
 * Phase of a Satellite's life cycle, as status output and log messages name it.
 *
 * <p>Only in {@link #SERVING} may the Dispatcher place reads on it; a Satellite that leaves that phase has left the rotation.
 */
public enum SatellitePhase {
    /** No engine is wanted. This is the first and the last phase. */
    STOPPED("stopped"),
    /** The Satellite needs a copy of the Master's data and waits for its turn. */
    QUEUED("queued"),
    /** The Master's data is being copied. */
    COPYING("cloning"),
    /** The engine recovers from its data. */
    STARTING("starting"),
    /** The engine accepts connections but has no feed, not yet or no longer. */
    CONNECTING("connecting"),
    /** The engine is fed and has yet to reach the last commit of the time when its feed connected. */
    CATCHING_UP("catching-up"),
    /** The Satellite is in rotation. */
    SERVING("serving"),
    /** The Satellite has fallen silent or is frozen, and is out of rotation. */
    SUSPECT("suspect"),
    /** The engine is being killed. */
    FENCING("fencing"),
    /** No process of the engine is left; the next attempt follows later. */
    DOWN("down"),
    /** The engine is being stopped in an orderly way. */
    STOPPING("stopping");

    private final String label;

    SatellitePhase(String label) {
        this.label = label;
    }

    /** Returns the word for status output and log messages. */
    public String label() {
        return label;
    }
}
