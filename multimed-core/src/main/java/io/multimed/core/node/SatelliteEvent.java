package io.multimed.core.node;

import io.multimed.core.propagation.Floor;

/** An event in the life of a Satellite. An event that has no meaning in the present state is late, and is ignored. */
sealed interface SatelliteEvent {
    /** Returns the answer of {@code state} to this event. */
    SatelliteStep on(SatelliteState state, SatelliteMoment at);

    /** The Satellite is requested to serve. */
    record Begin() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.begin(at);
        }
    }

    /** There is no data to resume from. */
    record NoData() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.noData(at);
        }
    }

    /** The Satellite's turn to copy has come. */
    record CopyTurn() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.copyTurn(at);
        }
    }

    record CopyProgressed(long copiedBytes, long totalBytes) implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.copyProgressed(this, at);
        }
    }

    record Copied() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.copied(at);
        }
    }

    record CopyFailed(String reason) implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.copyFailed(reason, at);
        }
    }

    /** The engine accepts read-only connections. */
    record Started() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.started(at);
        }
    }

    record StartFailed(String reason) implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.startFailed(reason, at);
        }
    }

    /**
     * The engine's main process has ended.
     *
     * @param incarnation the number of the start to which the process belonged
     */
    record Exited(int incarnation) implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.exited(incarnation, at);
        }
    }

    /**
     * The feed is connected.
     *
     * @param target the SCN of the last commit at that time
     */
    record FeedConnected(long target) implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.feedConnected(target, at.with(at.history().withSilence(false)));
        }
    }

    record FeedLost() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.feedLost(at);
        }
    }

    /** The Satellite has not answered its feed for too long. */
    record FeedSilent() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.feedSilent(at.with(at.history().withSilence(true)));
        }
    }

    /** The Satellite answers its feed again. */
    record FeedHeard() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return at.with(at.history().withSilence(false)).to(state);
        }
    }

    /** The log that the Satellite needs next does not exist any more. */
    record LogGone() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.logGone(at);
        }
    }

    /** The engine does not behave like a working engine, whatever the state of its feed. */
    record Unresponsive(String reason) implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.unresponsive(reason, at);
        }
    }

    /** The data of the engine is not the Master's, so that it is of no use. */
    record Differs(String reason) implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.differs(reason, at);
        }
    }

    /** The reason of the last failure may have gone, so that the next attempt need not be put off. */
    record TryNow() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.tryNow(at);
        }
    }

    /**
     * Time has passed.
     *
     * @param applied the SCN that the Satellite has applied
     * @param floor the SCN of the last commit; {@link Floor#UNKNOWN} while the relay is not connected to the Master
     * @param heard the end of the received part of the Master's log
     * @param frozen whether the engine's main process is stopped
     */
    record Tick(long applied, long floor, long heard, boolean frozen) implements SatelliteEvent {
        /** Returns the SCN of the last commit by now, as far as is known. */
        long committed() {
            return floor == Floor.UNKNOWN ? heard : floor;
        }

        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.tick(this, at);
        }
    }

    /** No process of the engine is left. */
    record Killed() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.killed(at);
        }
    }

    record KillFailed(String reason) implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.killFailed(reason, at);
        }
    }

    /** The Satellite is no longer needed. */
    record Stop() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.stop(at);
        }
    }

    /** The engine has been stopped. */
    record EngineEnded() implements SatelliteEvent {
        @Override
        public SatelliteStep on(SatelliteState state, SatelliteMoment at) {
            return state.engineEnded(at);
        }
    }
}
