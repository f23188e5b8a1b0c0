package io.multimed.sim;

import static io.multimed.sim.Scheduler.MILLISECOND;

import io.multimed.core.node.ComputationalNode;
import java.util.Objects;
import java.util.function.Function;

/** One run: load and faults, then load alone, then rest; checked all the way. */
final class Simulation {
    private static final long FAULTS = 1_000 * MILLISECOND;
    private static final long RECOVERY = 300 * MILLISECOND;
    private static final long REST = 3_000 * MILLISECOND;

    /**
     * The result of a run.
     *
     * @param hash depends on every event and every answer
     */
    record Outcome(long hash, int reads, int satelliteReads, int commits) {}

    private final long seed;
    private final Function<SimWorld, SimRelay> relays;
    private final Function<SimWorld, SimGateway> gateways;
    private final Function<SimWorld, SimFaults> faults;

    Simulation(long seed) {
        this(seed, SimRelay::new, SimGateway::new, SimFaults::new);
    }

    /** Makes a simulation, perhaps with one part that is wrong. */
    Simulation(
            long seed,
            Function<SimWorld, SimRelay> relays,
            Function<SimWorld, SimGateway> gateways,
            Function<SimWorld, SimFaults> faults) {
        this.seed = seed;
        this.relays = relays;
        this.gateways = gateways;
        this.faults = faults;
    }

    /**
     * Executes the run.
     *
     * @throws SimulationException if a guarantee was broken; its message names the seed
     */
    Outcome run() {
        SimWorld world = new SimWorld(seed, relays, gateways);
        try {
            return run(world, faults.apply(world));
        } catch (RuntimeException e) {
            throw new SimulationException(seed, world.scheduler().now(), e);
        }
    }

    private static Outcome run(SimWorld world, SimFaults faults) {
        Scheduler scheduler = world.scheduler();
        scheduler.runUntil(FAULTS);
        faults.stop();
        scheduler.runUntil(FAULTS + RECOVERY);
        world.clients().forEach(SimClient::stop);
        scheduler.runUntil(FAULTS + RECOVERY + REST);
        atRest(world);
        return new Outcome(
                scheduler.hash(),
                world.checker().reads(),
                world.checker().satelliteReads(),
                world.checker().commits());
    }

    private static void atRest(SimWorld world) {
        if (world.clients().stream().anyMatch(SimClient::busy)) {
            throw new GuaranteeViolation("a client waits for ever");
        }
        world.requireAllServing();
        Snapshot master = world.master().snapshot();
        if (master.commits().cardinality() != world.master().commits().size()) {
            throw new GuaranteeViolation("a commit never became visible");
        }
        for (ComputationalNode node : world.nodes().satellites()) {
            SimSatellite.Engine engine =
                    Objects.requireNonNull(world.satellite(node).engine());
            world.satellite(node)
                    .read(
                            engine,
                            snapshot -> world.checker().converged(node.id().name(), snapshot, master),
                            () -> {
                                throw new GuaranteeViolation(node.id() + " does not answer");
                            });
        }
        world.scheduler().runUntil(world.scheduler().now() + 100 * MILLISECOND);
    }
}
