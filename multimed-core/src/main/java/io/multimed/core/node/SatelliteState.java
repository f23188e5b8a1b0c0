package io.multimed.core.node;

/**
 * State of a Satellite in its life cycle. Times are monotonic nanoseconds of the supervisor's clock.
 *
 * <p>Only in {@link Serving} may the Dispatcher place reads on it; a Satellite that leaves that state has left the rotation.
 */
public sealed interface SatelliteState {
    /** Returns one word for status output: {@code serving}, {@code cloning}, {@code catching-up}, {@code down}, ... */
    String name();

    /** Returns a short description for people beyond the name: progress, or the cause of the state. Empty if there is none. */
    default String detail() {
        return "";
    }

    /**
     * No engine is wanted. This is the first and the last state.
     *
     * @param cause the reason why an engine may still exist, if it could not be ended; empty otherwise
     */
    record Stopped(String cause) implements SatelliteState {
        @Override
        public String name() {
            return "stopped";
        }

        @Override
        public String detail() {
            return cause;
        }
    }

    /**
     * The Satellite needs a copy of the Master's data and waits for its turn, since each copy disturbs the Master.
     *
     * @param cause the reason why its present data, if any, is unusable
     */
    record Queued(String cause) implements SatelliteState {
        @Override
        public String name() {
            return "queued";
        }

        @Override
        public String detail() {
            return cause;
        }
    }

    /**
     * The Master's data is being copied. Sizes are in bytes, the total being an estimate; both are 0 until the copy first reports.
     */
    record Copying(long copiedBytes, long totalBytes) implements SatelliteState {
        @Override
        public String name() {
            return "cloning";
        }

        @Override
        public String detail() {
            return totalBytes == 0 ? "" : (copiedBytes >> 20) + " of " + (totalBytes >> 20) + " MB";
        }
    }

    /**
     * The engine is starting: it recovers from its data and requests the log that it lacks from its feed, possibly before it
     * accepts connections.
     *
     * @param resumed whether it starts from the data of an earlier run
     * @param fed whether its feed is connected
     * @param target the SCN that it must have applied to be caught up, once it is fed
     */
    record Starting(boolean resumed, boolean fed, long target) implements SatelliteState {
        @Override
        public String name() {
            return "starting";
        }
    }

    /**
     * The engine accepts connections but has no feed, not yet or no longer. It makes no progress, and may read old log by uncounted
     * ways, so it must not serve reads.
     *
     * @param deadline time at which the engine is given up
     */
    record Connecting(long deadline) implements SatelliteState {
        @Override
        public String name() {
            return "connecting";
        }
    }

    /**
     * The engine runs and is fed, and has yet to reach the last commit of the time when its feed connected.
     *
     * @param applied the SCN that it has applied
     * @param target the SCN that it must reach to be admitted
     */
    record CatchingUp(long applied, long target) implements SatelliteState {
        @Override
        public String name() {
            return "catching-up";
        }
    }

    /**
     * The Satellite is in rotation. It may be behind at times; the Dispatcher then only passes it over.
     *
     * @param admitted the SCN that it had applied when it was admitted
     * @param since time of the admission
     */
    record Serving(long admitted, long since) implements SatelliteState {
        @Override
        public String name() {
            return "serving";
        }
    }

    /**
     * The Satellite has fallen silent or is frozen, and is out of rotation. If it recovers in time it only has to catch up;
     * otherwise it is fenced.
     *
     * @param deadline time at which it is given up
     */
    record Suspect(String cause, long deadline) implements SatelliteState {
        @Override
        public String name() {
            return "suspect";
        }

        @Override
        public String detail() {
            return cause;
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
        public static final long NEVER = Long.MIN_VALUE;

        @Override
        public String name() {
            return "fencing";
        }

        @Override
        public String detail() {
            return cause;
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
        public String name() {
            return "down";
        }

        @Override
        public String detail() {
            return cause;
        }
    }

    /** The Satellite is out of rotation; the engine is being stopped in an orderly way. */
    record Stopping() implements SatelliteState {
        @Override
        public String name() {
            return "stopping";
        }
    }
}
