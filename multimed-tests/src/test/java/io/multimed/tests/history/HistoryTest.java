package io.multimed.tests.history;

import static io.multimed.tests.history.Faults.answers;
import static io.multimed.tests.history.Faults.assertConverged;
import static io.multimed.tests.history.Faults.signal;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.counters.RouteCounters;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.ReadNeeds;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.testkit.history.Promise;
import io.multimed.testkit.history.Report;
import io.multimed.testkit.history.Violation;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.ServedCertificate;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The observations of clients of a Multimed with two Satellites keep the guarantees of ARCHITECTURE.md also while engines
 * die and freeze.
 *
 * <p>{@code -Dmultimed.history.seconds=N} makes each run N seconds long, {@code -Dmultimed.history.seed=N} repeats the choices
 * of the sessions.
 */
@Isolated("kills and freezes engines, and needs the processor for itself")
@Tag("slow")
class HistoryTest {
    private static final int SECONDS = Integer.getInteger("multimed.history.seconds", 12);
    private static final long SEED = Seed.of("multimed.history.seed");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static void sleep(double share) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (SECONDS * 1000 * share));
    }

    @Test
    void keepsItsPromisesWhileSatellitesDieAndFreeze() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(2)) {
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_satellites", true, SEED);
            sleep(0.2);
            signal("KILL", multimed.satellitePid(0));
            sleep(0.3);
            long frozen = multimed.satellitePid(1);
            signal("STOP", frozen);
            sleep(0.3);
            // The process may have been killed and replaced meanwhile.
            if (ProcessHandle.of(frozen).isPresent()) {
                signal("CONT", frozen);
            }
            sleep(0.2);
            Report report = run.end(Promise.STRONG);
            run.assertKept(report);
            assertTrue(
                    run.recording().readsElsewhereBeforeWrites() > 10,
                    () -> "reads before writes: " + run.recording().readsElsewhereBeforeWrites());
            assertConverged(multimed, run, "history_of_satellites");
        }
    }

    @Test
    void keepsItsPromisesWhenTheMasterDies() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(2)) {
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_master", true, SEED);
            sleep(0.4);
            signal("KILL", multimed.masterPid());
            sleep(0.2);
            RunningMultimed.await(() -> answers(multimed), "the Master answering again");
            sleep(0.4);
            Report report = run.end(Promise.STRONG);
            run.assertKept(report);
            assertConverged(multimed, run, "history_of_master");
        }
    }

    @Test
    void keepsItsPromisesWhileTheMasterDiesAgainAndAgain() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(2)) {
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_deaths", true, SEED);
            for (int death = 0; death < 6; death++) {
                // The time differs every time, so that commits are hit at every stage.
                TimeUnit.MILLISECONDS.sleep(300 + Math.floorMod(SEED * (death + 1), 700));
                signal("KILL", multimed.masterPid());
                RunningMultimed.await(() -> answers(multimed), "the Master answering again");
            }
            sleep(0.1);
            run.assertKept(run.end(Promise.STRONG));
            assertConverged(multimed, run, "history_of_deaths");
        }
    }

    /** There are several event loops, SCRAM for all, and TLS for the drivers that use it. */
    @Test
    void keepsItsPromisesWhileASatelliteIsAlwaysDying() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(2)) {
            SslContext certificate = ServedCertificate.context();
            try (WireSession owner = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE)) {
                owner.rows("CREATE ROLE guarded SUPERUSER LOGIN PASSWORD 'guarded'");
            }
            try (PostgresEndpoint endpoint = multimed.endpoint(
                    options -> options.withLoops(3)
                            .withTls(certificate)
                            .withAuthentication(EndpointOptions.Authentication.SCRAM_SHA_256),
                    UnaryOperator.identity())) {
                HistoryRun run = new HistoryRun(
                        multimed.master(),
                        RunningMultimed.address(endpoint),
                        new Credentials("guarded", "guarded", true),
                        "history_of_loops",
                        true,
                        SEED);
                for (int death = 0; death < 6; death++) {
                    sleep(0.12);
                    int satellite = death % 2;
                    RunningMultimed.await(() -> multimed.satellitePid(satellite) != 0, "an engine to kill");
                    signal("KILL", multimed.satellitePid(satellite));
                }
                run.assertKept(run.end(Promise.STRONG));
                assertConverged(multimed, run, "history_of_loops");
            }
        }
    }

    /** Each Satellite has one connection, used by no other test: reads wait, and those that are the same are executed once. */
    @Test
    void keepsItsPromisesWhereReadsAreExecutedForSeveral() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(2);
                PostgresEndpoint narrow = multimed.endpoint(
                        options -> options.withLimits(
                                options.limits().withConnections(16, 1).withSharing(new ReadSharing(1, 1))),
                        UnaryOperator.identity())) {
            HistoryRun run = new HistoryRun(
                    multimed.master(), RunningMultimed.address(narrow), "history_of_coalesced_reads", true, SEED);
            sleep(0.4);
            signal("KILL", multimed.satellitePid(0));
            sleep(0.6);
            run.assertKept(run.end(Promise.STRONG));
            long coalesced = narrow.counters().stream()
                    .mapToLong(RouteCounters::coalescedReads)
                    .sum();
            assertTrue(coalesced > 0, "no read was executed for several");
            assertConverged(multimed, run, "history_of_coalesced_reads");
        }
    }

    /** This is the same product with a Dispatcher that takes any Satellite: the history must show it. */
    @Test
    void isNoticedWhenReadsDoNotWaitForFreshness() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(2);
                PostgresEndpoint careless = multimed.endpoint(options -> options, HistoryTest::withoutWaiting)) {
            HistoryRun run = new HistoryRun(
                    multimed.master(), RunningMultimed.address(careless), "history_of_stale_reads", true, SEED);
            sleep(0.1);
            // The two replay at different times, so that no read can be fresh by chance.
            for (int i = 0; i < 2; i++) {
                try (WireSession satellite =
                        WireSession.open(multimed.satellite(i), "postgres", "history_of_stale_reads", PATIENCE)) {
                    satellite.rows("SELECT pg_wal_replay_pause()");
                    sleep(0.1);
                    satellite.rows("SELECT pg_wal_replay_resume()");
                }
            }
            Report report = run.end(Promise.STRONG);
            assertFalse(report.passed());
            Set<Violation.Kind> kinds =
                    report.violations().stream().map(Violation::kind).collect(Collectors.toSet());
            assertTrue(kinds.contains(Violation.Kind.STALE_READ), kinds::toString);
            // Even then every snapshot is a prefix and nothing is lost.
            Set<Violation.Kind> expected = EnumSet.of(Violation.Kind.STALE_READ, Violation.Kind.WENT_BACK);
            assertTrue(expected.containsAll(kinds), kinds::toString);
        }
    }

    private static EndpointServices withoutWaiting(EndpointServices services) {
        return new EndpointServices(
                services.nodes(),
                services.log(),
                services.visibility(),
                services.gate(),
                services.floorHistory(),
                HistoryTest::anySatellite,
                services.addresses(),
                services.processes(),
                services.classifier(),
                services.schemas(),
                services.snapshots(),
                services.roles(),
                services.nodeTable(),
                services.operations());
    }

    private static Placement anySatellite(long required, ReadNeeds needs, Nodes nodes) {
        List<ComputationalNode> serving =
                nodes.satellites().stream().filter(ComputationalNode::serving).toList();
        return serving.isEmpty()
                ? new Placement.OnMaster(Reason.NO_SATELLITE)
                : new Placement.OnSatellite(serving.get(Math.floorMod(System.nanoTime(), serving.size())));
    }
}
