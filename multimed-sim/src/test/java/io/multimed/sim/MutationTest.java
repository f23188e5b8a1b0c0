package io.multimed.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.multimed.core.admission.Admission;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.SatelliteSupervisor;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.session.SessionFreshness;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Tests of the checker, which is useful only if it notices broken rules: each test breaks one rule in the code that drives the
 * core, and some seed must show it.
 */
class MutationTest {
    private static final int SEEDS = 1_000;

    @Test
    void noticesReadersThatDoNotWait() {
        requireNoticed("missed", SimRelay::new, world -> new SimGateway(world) {
            @Override
            protected Placement placement(long required) {
                return super.placement(required == MasterLog.UNKNOWN ? required : 0);
            }

            @Override
            protected boolean mayStillServe(Admission admission, ComputationalNode node) {
                return node.serving();
            }
        });
    }

    @Test
    void noticesReadsOnSatellitesWithoutAFloor() {
        requireNoticed("missed", SimRelay::new, world -> new SimGateway(world) {
            @Override
            protected Placement placement(long required) {
                return super.placement(Math.max(required, 0));
            }

            @Override
            protected boolean mayStillServe(Admission admission, ComputationalNode node) {
                return node.covers(admission.required());
            }
        });
    }

    @Test
    void noticesAFloorPublishedAfterTheConfirmation() {
        requireNoticed(
                "missed all that was acknowledged",
                world -> new SimRelay(world) {
                    @Override
                    protected void publish() {
                        long position = end();
                        confirm(position);
                        scheduler.after(200 * Scheduler.MICROSECOND, "mutant: publishes late", () -> {
                            log().received(position);
                            forward(position);
                        });
                    }
                },
                SimGateway::new);
    }

    @Test
    void noticesTransactionsOnTheMasterWithoutTheProbe() {
        requireNoticed("on master missed", SimRelay::new, WithoutProbe::new);
    }

    @Test
    void noticesLogForwardedBeforeItIsConfirmedWithoutTheProbe() {
        requireNoticed(
                "on master missed",
                world -> new SimRelay(world) {
                    @Override
                    public void confirm(long position) {
                        scheduler.after(
                                200 * Scheduler.MICROSECOND, "mutant: confirms late", () -> super.confirm(position));
                    }
                },
                WithoutProbe::new);
    }

    @Test
    void noticesASatelliteReadmittedForWhatItsLastEngineHadApplied() {
        requireNoticed(
                "missed",
                world -> new SimRelay(world) {
                    @Override
                    protected void connected(SatelliteSupervisor supervisor, SimSatellite satellite) {
                        long ofTheLast = satellite.node().applied();
                        super.connected(supervisor, satellite);
                        satellite.node().applied(ofTheLast);
                    }

                    @Override
                    protected void applied(SimSatellite satellite, long position) {
                        super.applied(satellite, Math.max(satellite.node().applied(), position));
                    }
                },
                SimGateway::new);
    }

    @Test
    void noticesTheStartOfACommitTakenForItsEnd() {
        requireNoticed(
                "missed",
                world -> new SimRelay(world) {
                    @Override
                    protected void commit(long start, long end, long transaction) {
                        log().commit(start, transaction);
                    }
                },
                SimGateway::new);
    }

    @Test
    void noticesAConnectionToAnEngineThatWasReplacedMeanwhile() {
        requireNoticed("missed", SimRelay::new, world -> new SimGateway(world) {
            @Override
            protected boolean mayStillServe(Admission admission, ComputationalNode node) {
                return true;
            }
        });
    }

    @Test
    void noticesASessionThatForgetsWhatTheMasterShowedIt() {
        requireNoticed("missed what its session has seen", SimRelay::new, world -> new SimGateway(world) {
            @Override
            protected void observedOnMaster(SessionFreshness session) {}
        });
    }

    @Test
    void noticesReadersThatAreNotWoken() {
        requireNoticed(
                "forgotten",
                world -> new SimRelay(world) {
                    @Override
                    protected void progressed() {}
                },
                SimGateway::new);
    }

    @Test
    void noticesAMasterRestartedWhileThereIsAFloor() {
        requireNoticed("missed", SimRelay::new, SimGateway::new, world -> new SimFaults(world) {
            @Override
            protected boolean mayRestartMaster() {
                return true;
            }
        });
    }

    @Test
    void noticesCommitsThatWaitNoLongerAndAreNotDoubted() {
        requireNoticed("missed all that was acknowledged or seen", SimRelay::new, world -> new SimGateway(world) {
            @Override
            protected void warned() {}
        });
    }

    @Test
    void noticesDoubtsThatEndBeforeTheRelayHasReceivedWhatTheyAreAbout() {
        requireNoticed("missed all that was acknowledged or seen", SimRelay::new, world -> new SimGateway(world) {
            @Override
            protected void endDoubts(long doubts, long position) {
                super.endDoubts(doubts, 0);
            }
        });
    }

    private static final class WithoutProbe extends SimGateway {
        WithoutProbe(SimWorld world) {
            super(world);
        }

        @Override
        protected Admission.Turn turnOnMaster(Admission admission) {
            return Admission.Turn.BEGINS;
        }
    }

    private static void requireNoticed(
            String expected, Function<SimWorld, SimRelay> relays, Function<SimWorld, SimGateway> gateways) {
        requireNoticed(expected, relays, gateways, SimFaults::new);
    }

    private static void requireNoticed(
            String expected,
            Function<SimWorld, SimRelay> relays,
            Function<SimWorld, SimGateway> gateways,
            Function<SimWorld, SimFaults> faults) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                new Simulation(seed, relays, gateways, faults).run();
            } catch (SimulationException noticed) {
                assertTrue(noticed.getMessage().contains("seed " + seed), noticed.getMessage());
                // A broken rule may first show in another way.
                if (noticed.getMessage().contains(expected)) {
                    return;
                }
            }
        }
        fail("not noticed in " + SEEDS + " seeds");
    }
}
