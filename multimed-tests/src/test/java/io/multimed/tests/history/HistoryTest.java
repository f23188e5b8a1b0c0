package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.EndpointServices;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.testkit.history.Promise;
import io.multimed.testkit.history.Report;
import io.multimed.testkit.history.Violation;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What clients of a Multimed with two Satellites see is what DESIGN.md, section 2, promises, also while engines die and
 * freeze.
 *
 * <p>{@code -Dmultimed.history.seconds=N} makes each run N seconds long, {@code -Dmultimed.history.seed=N} repeats the
 * choices of the sessions.
 */
@Isolated("kills and freezes engines, and needs the processor for itself")
class HistoryTest {
    private static final int SECONDS = Integer.getInteger("multimed.history.seconds", 12);
    private static final long SEED = Long.getLong("multimed.history.seed", System.nanoTime());
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static void sleep(double share) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (SECONDS * 1000 * share));
    }

    private static void signal(String signal, long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .inheritIO()
                .start();
        assertEquals(0, kill.waitFor(), "kill -" + signal + " " + pid);
    }

    private static boolean answers(RunningMultimed multimed) {
        try (WireSession session = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            session.rows("CREATE TABLE IF NOT EXISTS answers ()");
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static void assertKept(HistoryRun run, Report report) {
        String summary = "seed " + SEED + ", " + report.commits() + " commits, " + report.satelliteReads() + " + "
                + report.masterReads() + " reads, " + report.forks() + " forks, " + report.undecided()
                + " undecided, errors " + run.recording().errors();
        System.out.println(summary);
        assertEquals(List.of(), report.violations(), summary);
        assertEquals(List.of(), run.recording().contradictions(), summary);
        assertTrue(report.commits() > 50, summary);
        assertTrue(report.satelliteReads() > 100, summary);
    }

    private static void assertConverged(RunningMultimed multimed, HistoryRun run, String database) throws IOException {
        RunningMultimed.await(() -> multimed.satellitesServing() == 2, "both Satellites serving again");
        multimed.awaitSatellites(database);
        for (int i = 0; i < 2; i++) {
            assertEquals(run.checksums(multimed.master()), run.checksums(multimed.satellite(i)), "Satellite " + i);
        }
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
            // It may have been killed and replaced meanwhile.
            if (ProcessHandle.of(frozen).isPresent()) {
                signal("CONT", frozen);
            }
            sleep(0.2);
            Report report = run.end(Promise.STRONG);
            assertKept(run, report);
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
            assertKept(run, report);
            assertConverged(multimed, run, "history_of_master");
        }
    }

    /** The same product, but for a Dispatcher that takes any Satellite: the history must show it. */
    @Test
    void isNoticedWhenReadsDoNotWaitForFreshness() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(2);
                PostgresEndpoint careless = multimed.endpoint(options -> options, HistoryTest::withoutWaiting)) {
            HistoryRun run = new HistoryRun(
                    multimed.master(), RunningMultimed.address(careless), "history_of_stale_reads", true, SEED);
            sleep(0.1);
            // The two replay at different times, so that no read can be fresh by luck.
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
                services.classifier(),
                services.schemas(),
                services.probe(),
                services.roles(),
                services.status());
    }

    private static Placement anySatellite(long required, Nodes nodes) {
        List<ComputationalNode> serving =
                nodes.satellites().stream().filter(ComputationalNode::serving).toList();
        return serving.isEmpty()
                ? new Placement.OnMaster(Reason.NO_SATELLITE)
                : new Placement.OnSatellite(serving.get(Math.floorMod(System.nanoTime(), serving.size())));
    }
}
