package io.multimed.tests.history;

import static io.multimed.tests.history.Faults.signal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.admission.AdmissionSources;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.Floor;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.endpoint.mysql.MysqlEndpoint;
import io.multimed.endpoint.mysql.services.MysqlEndpointServices;
import io.multimed.testkit.history.Report;
import io.multimed.testkit.history.Violation;
import io.multimed.testkit.history.Violation.Kind;
import io.multimed.testkit.random.Seed;
import io.multimed.tests.server.RunningMariaDb;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** The history of MariaDB is useful only if it shows broken rules: each test breaks one, in an endpoint of its own over the same engines. */
@Isolated("freezes engines, and needs the processor for itself")
@Timeout(600)
@Tag("slow")
class MariaDbHistoryMutationsTest {
    private static final long SEED = Seed.of("multimed.history.seed");
    private static final long EARLIER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Until the history shows the mutation, or for so many rounds. */
    private static final int ROUNDS = 40;

    private static final long MOMENT_MILLIS = 25;

    private static RunningMariaDb multimed;

    @BeforeAll
    static void start() throws Exception {
        multimed = RunningMariaDb.start(2);
    }

    @AfterAll
    static void end() throws Exception {
        multimed.close();
    }

    /** Runs a workload while the Master is frozen for moments; returns the kinds of violations. */
    private static Set<Kind> violations(String name, UnaryOperator<MysqlEndpointServices> mutation, int rounds)
            throws Exception {
        long master = multimed.nodes().getFirst().pid();
        try (MysqlEndpoint endpoint = multimed.endpoint(UnaryOperator.identity(), mutation);
                MariaDbHistoryRun run = new MariaDbHistoryRun(
                        multimed.nodes().getFirst().socket(),
                        multimed.data(),
                        endpoint.address().getPort(),
                        name,
                        SEED)) {
            for (int round = 0; round < rounds; round++) {
                TimeUnit.MILLISECONDS.sleep(MOMENT_MILLIS);
                signal("STOP", master);
                TimeUnit.MILLISECONDS.sleep(MOMENT_MILLIS);
                signal("CONT", master);
            }
            Report report = run.end();
            Set<Kind> kinds = report.violations().stream().map(Violation::kind).collect(Collectors.toSet());
            System.out.println(name + ": " + report.commits() + " commits, " + report.satelliteReads() + " reads, "
                    + report.violations().size() + " violations: " + kinds);
            return kinds;
        }
    }

    private static MysqlEndpointServices with(
            MysqlEndpointServices services, Floor floor, MasterVisibility visibility) {
        AdmissionSources sources = services.admission();
        return new MysqlEndpointServices(
                new AdmissionSources(sources.nodes(), floor, sources.history(), visibility, sources.placer()),
                services.gate(),
                services.socketPath(),
                services.account(),
                services.schemaChanges(),
                services.coveredChanges(),
                services.tables(),
                services.beforeKill());
    }

    /** Asserts that reads miss what they must see, and that even then every snapshot is a prefix and nothing is lost. */
    private static void assertStale(Set<Kind> kinds) {
        // The checker ends after so many violations, whichever come first.
        assertFalse(kinds.isEmpty());
        assertTrue(EnumSet.of(Kind.STALE_READ, Kind.WENT_BACK).containsAll(kinds), kinds::toString);
    }

    @Test
    void nothingIsNoticedWithoutAMutation() throws Exception {
        assertEquals(Set.of(), violations("history_without_mutation", UnaryOperator.identity(), ROUNDS));
    }

    @Test
    void noticesAFloorThatIsTakenTooEarly() throws Exception {
        assertStale(violations(
                "history_of_old_floors",
                services -> {
                    AdmissionSources sources = services.admission();
                    return with(
                            services,
                            () -> sources.history().floorAt(System.nanoTime() - EARLIER_NANOS),
                            sources.visibility());
                },
                ROUNDS));
    }

    @Test
    void noticesAnAppliedPositionThatIsReportedTooEarly() throws Exception {
        List<ComputationalNode> satellites = multimed.instance().nodes().satellites();
        Thread reporter = Thread.ofPlatform().daemon().start(() -> {
            while (!Thread.interrupted()) {
                satellites.forEach(node -> node.applied(Math.max(node.applied(), node.forwarded())));
            }
        });
        try {
            assertStale(violations("history_of_early_reports", UnaryOperator.identity(), ROUNDS));
        } finally {
            reporter.interrupt();
            reporter.join();
        }
    }

    /** No commit is ever known to this visibility, so the Master is never asked for one. */
    @Test
    void noticesTransactionsOnTheMasterWithoutTheProbe() throws Exception {
        assertEquals(
                Set.of(Kind.WENT_BACK),
                violations(
                        "history_without_probe",
                        services -> with(services, services.admission().floor(), new MasterVisibility()),
                        ROUNDS));
    }
}
