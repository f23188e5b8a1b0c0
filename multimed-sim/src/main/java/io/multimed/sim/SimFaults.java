package io.multimed.sim;

import static io.multimed.sim.Scheduler.MILLISECOND;

import io.multimed.core.node.ComputationalNode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The faults and their times. Each seed chooses some kinds only: rare combinations come up more often that way.
 *
 * <p>Tests replace the step that is {@code protected} by a wrong one.
 */
class SimFaults {
    private enum Kind {
        SATELLITE_KILLED,
        SATELLITE_FROZEN,
        SATELLITE_STALLED,
        /** Replay stops until the engine is restarted. */
        REPLAY_STOPPED,
        RELAY_DISCONNECTED,
        RELAY_PAUSED,
        /** Commits that wait for the relay are made to wait no longer, for a while. */
        WAITS_CUT,
        MASTER_KILLED,
        /** This is no fault: writers pause, a state in which other faults have different effects. */
        WRITERS_REST
    }

    protected final SimWorld world;
    private final Scheduler scheduler;
    private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    private boolean over;

    SimFaults(SimWorld world) {
        this.world = world;
        this.scheduler = world.scheduler();
        for (Kind kind : Kind.values()) {
            if (scheduler.chance(0.5)) {
                kinds.add(kind);
            }
        }
        next();
        watchMaster();
    }

    /** Ends all faults; their effects heal. */
    final void stop() {
        over = true;
    }

    private void next() {
        scheduler.after(scheduler.between(5 * MILLISECOND, 80 * MILLISECOND), "fault", () -> {
            if (!over) {
                Kind[] all = Kind.values();
                Kind kind = all[scheduler.below(all.length)];
                if (kinds.contains(kind)) {
                    scheduler.trace(kind.name());
                    inject(kind);
                }
                next();
            }
        });
    }

    private void inject(Kind kind) {
        List<ComputationalNode> nodes = world.nodes().satellites();
        SimSatellite satellite = world.satellite(nodes.get(scheduler.below(nodes.size())));
        switch (kind) {
            case SATELLITE_KILLED -> satellite.crash();
            case SATELLITE_FROZEN -> satellite.freeze(scheduler.between(10 * MILLISECOND, 700 * MILLISECOND));
            case SATELLITE_STALLED -> satellite.stall(scheduler.between(MILLISECOND, 200 * MILLISECOND));
            case REPLAY_STOPPED -> satellite.stopReplay();
            case RELAY_DISCONNECTED -> world.master().disconnect();
            case RELAY_PAUSED -> world.relay().pause(scheduler.between(MILLISECOND, 80 * MILLISECOND));
            case WAITS_CUT -> cutWaits(scheduler.now() + scheduler.between(MILLISECOND, 100 * MILLISECOND));
            case WRITERS_REST -> world.writersRest(scheduler.between(20 * MILLISECOND, 150 * MILLISECOND));
            case MASTER_KILLED -> {
                if (world.master().up()) {
                    world.master().kill();
                    world.checker().logCut(world.master().commits().size());
                }
            }
        }
    }

    private void cutWaits(long until) {
        scheduler.after(scheduler.delay(2 * MILLISECOND), "master: waits are cut", () -> {
            world.master().cutWaits(world.gateway()::warned);
            if (scheduler.now() < until) {
                cutWaits(until);
            }
        });
    }

    /**
     * Watches the Master as the server does: starts it again, but only when the relay knows that it has lost it. A commit that
     * the relay has not received is visible as soon as the Master has recovered.
     */
    private void watchMaster() {
        scheduler.after(scheduler.delay(10 * MILLISECOND), "server: watches the master", () -> {
            if (!world.master().up() && mayRestartMaster()) {
                world.master().restart();
            }
            watchMaster();
        });
    }

    protected boolean mayRestartMaster() {
        return !world.relay().connected();
    }
}
