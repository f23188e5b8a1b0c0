package io.multimed.core.node;

/**
 * Where a Satellite is in its life. Times are monotonic nanoseconds of the supervisor's clock.
 *
 * <p>Only in {@link Serving} may the Dispatcher place reads on it; whoever leaves that state has left the rotation.
 */
public sealed interface SatelliteState {
    /** A word for status output: {@code serving}, {@code cloning}, {@code catching-up}, {@code down}, ... */
    String name();

    /** A few words for a person beyond the name: progress, or the cause of being where it is. Empty if there are none. */
    default String detail() {
        return "";
    }

    /**
     * No engine is wanted. The first state and the last.
     *
     * @param cause why an engine may be left, if it could not be ended; empty otherwise
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
     * It needs a copy of the Master's data and waits for its turn, since each copy disturbs the Master.
     *
     * @param cause why the data it had, if any, is of no use
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
     * The Master's data is being copied. Bytes, the total being an estimate; both 0 until the copy has begun to report.
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
     * The engine comes up: it recovers from its data and asks its feed for the log that it lacks, which may happen
     * before it accepts connections.
     *
     * @param resumed whether from the data of an earlier run
     * @param fed whether its feed is connected
     * @param target what it must have applied to be caught up, once it is fed
     */
    record Starting(boolean resumed, boolean fed, long target) implements SatelliteState {
        @Override
        public String name() {
            return "starting";
        }
    }

    /**
     * The engine accepts connections but has no feed, not yet or no longer. It is not progressing, and it may read old
     * log by ways that nobody counts, so it must not be read from.
     *
     * @param deadline when the engine is given up
     */
    record Connecting(long deadline) implements SatelliteState {
        @Override
        public String name() {
            return "connecting";
        }
    }

    /**
     * The engine runs and is fed, and has yet to reach what was committed when its feed connected.
     *
     * @param applied the SCN it has applied
     * @param target the SCN that it must reach to be admitted
     */
    record CatchingUp(long applied, long target) implements SatelliteState {
        @Override
        public String name() {
            return "catching-up";
        }
    }

    /**
     * In rotation. It may be behind at times: then the Dispatcher passes it over, and that is all.
     *
     * @param admitted what it had applied when it was admitted
     * @param since when that was
     */
    record Serving(long admitted, long since) implements SatelliteState {
        @Override
        public String name() {
            return "serving";
        }
    }

    /**
     * It has fallen silent or is frozen, and is out of rotation. If that is over in time it only has to catch up; else it
     * is fenced.
     *
     * @param deadline when it is given up
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
     * The engine is being killed, whatever it may still be doing, so that no process of it is left when the next starts.
     *
     * @param copyAnew whether its data is of no use afterwards
     * @param killAgainAt when to try again after a kill that failed; {@link #NEVER} while a kill is under way
     */
    record Fencing(String cause, boolean copyAnew, long killAgainAt) implements SatelliteState {
        /** No time. */
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
     * No process of the engine is left; it is tried again later.
     *
     * @param retryAt when
     * @param copyAnew whether with a new copy, or from the data that is there
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

    /** Out of rotation; the engine is being ended in an orderly way. */
    record Stopping() implements SatelliteState {
        @Override
        public String name() {
            return "stopping";
        }
    }
}
