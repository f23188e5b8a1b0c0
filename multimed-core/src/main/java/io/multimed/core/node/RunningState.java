package io.multimed.core.node;

import io.multimed.core.node.SatelliteAction.Admit;
import io.multimed.core.node.SatelliteAction.Evict;

/** State of a Satellite whose engine accepts connections. */
sealed interface RunningState extends SatelliteState {
    /** Whether the present start of the engine has led to serving. If not, its data is not trusted after a failure. */
    boolean served();

    /** Returns {@code at} with the history that counts once this state is left. */
    default SatelliteMoment leaving(SatelliteMoment at) {
        return at;
    }

    @Override
    default SatelliteStep feedConnected(long target, SatelliteMoment at) {
        return leaving(at).catchUp(target, served(), new Evict());
    }

    @Override
    default SatelliteStep exited(int incarnation, SatelliteMoment at) {
        return incarnation == at.history().incarnation() ? fail("its engine ended", at) : at.to(this);
    }

    @Override
    default SatelliteStep logGone(SatelliteMoment at) {
        return leaving(at).fence("the log it needs is gone", true);
    }

    @Override
    default SatelliteStep unresponsive(String reason, SatelliteMoment at) {
        return fail(reason, at);
    }

    @Override
    default SatelliteStep differs(String reason, SatelliteMoment at) {
        return leaving(at).fence(reason, true);
    }

    private SatelliteStep fail(String cause, SatelliteMoment at) {
        return leaving(at).fence(cause, !served());
    }

    /**
     * The engine has no feed, not yet or no longer. It makes no progress, and may read old log by uncounted ways, so it must not serve
     * reads.
     *
     * @param deadline time at which the engine is given up
     */
    record Connecting(long deadline, boolean served) implements RunningState {
        @Override
        public SatellitePhase phase() {
            return SatellitePhase.CONNECTING;
        }

        @Override
        public SatelliteStep tick(SatelliteEvent.Tick tick, SatelliteMoment at) {
            // This is no reason for a copy: nothing suggests that the data is faulty.
            return at.reached(deadline) ? at.fence("its feed did not connect", false) : at.to(this);
        }
    }

    /**
     * The Satellite has fallen silent or is frozen, and is out of rotation. If it recovers in time it only has to catch up;
     * otherwise it is fenced.
     *
     * @param deadline time at which it is given up
     */
    record Suspect(String cause, long deadline, boolean served) implements RunningState {
        @Override
        public SatellitePhase phase() {
            return SatellitePhase.SUSPECT;
        }

        @Override
        public String detail() {
            return cause;
        }

        @Override
        public SatelliteStep tick(SatelliteEvent.Tick tick, SatelliteMoment at) {
            if (!at.history().silent() && !tick.frozen()) {
                return at.catchUp(tick.committed(), served);
            }
            return at.reached(deadline) ? at.fence(cause, !served) : at.to(this);
        }
    }

    /** State of a Satellite that is fed and replays the log. */
    sealed interface Replaying extends RunningState {
        ReplayProgress replay();

        /** Returns the answer to a tick at which the engine is not frozen and its replay does not stand still. */
        SatelliteStep replayed(ReplayProgress progress, SatelliteEvent.Tick tick, SatelliteMoment at);

        @Override
        default SatelliteStep feedLost(SatelliteMoment at) {
            return leaving(at).awaitFeed(served(), new Evict());
        }

        @Override
        default SatelliteStep feedSilent(SatelliteMoment at) {
            return leaving(at).suspect("no answer to its feed", served());
        }

        @Override
        default SatelliteStep tick(SatelliteEvent.Tick tick, SatelliteMoment at) {
            if (tick.frozen()) {
                return leaving(at).suspect("its main process is stopped", served());
            }
            ReplayProgress progress = replay().at(tick, at.now());
            if (progress.standsStill(at.policy())) {
                return leaving(at).fence("its replay stands still", !served());
            }
            return replayed(progress, tick, at);
        }
    }

    /**
     * The Satellite has yet to reach the last commit of the time when its feed connected.
     *
     * @param target the SCN that it must reach to be admitted
     */
    record CatchingUp(ReplayProgress replay, long target, boolean served) implements Replaying {
        @Override
        public SatellitePhase phase() {
            return SatellitePhase.CATCHING_UP;
        }

        @Override
        public SatelliteStep replayed(ReplayProgress progress, SatelliteEvent.Tick tick, SatelliteMoment at) {
            // A copy taken while the relay was away may be ahead of the relay. It would show commits that no other node
            // can be required to show.
            if (tick.applied() >= target && tick.applied() <= tick.heard()) {
                return at.to(new Serving(progress, at.now()), new Admit());
            }
            return at.to(new CatchingUp(progress, target, served));
        }
    }

    /**
     * The Satellite is in rotation. It may be behind at times; the Dispatcher then only passes it over.
     *
     * @param since time of the admission
     */
    record Serving(ReplayProgress replay, long since) implements Replaying {
        @Override
        public SatellitePhase phase() {
            return SatellitePhase.SERVING;
        }

        @Override
        public boolean served() {
            return true;
        }

        /** Forgets the failures before a long service. */
        @Override
        public SatelliteMoment leaving(SatelliteMoment at) {
            boolean stable = at.now() - since >= at.policy().stableAfter().toNanos();
            return stable ? at.with(at.history().withFailures(0)) : at;
        }

        @Override
        public SatelliteStep replayed(ReplayProgress progress, SatelliteEvent.Tick tick, SatelliteMoment at) {
            return at.to(new Serving(progress, since));
        }
    }
}
