package io.multimed.tests.history;

import static io.multimed.tests.history.Faults.signal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.cluster.PartialCluster;
import io.multimed.engine.postgresql.partial.CatalogWatch;
import io.multimed.engine.postgresql.writeset.QualifiedName;
import io.multimed.engine.postgresql.writeset.Transaction;
import io.multimed.server.satellite.FeedSteps;
import io.multimed.testkit.history.Promise;
import io.multimed.testkit.history.Report;
import io.multimed.testkit.history.Violation;
import io.multimed.testkit.history.Violation.Kind;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** The history of partial Satellites is useful only if it shows broken rules: each test breaks one step of the way of write sets. */
@Isolated("freezes engines, and needs the processor for itself")
@Timeout(600)
@Tag("slow")
class PartialHistoryMutationsTest {
    private static final long SEED = Seed.of("multimed.history.seed");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DATABASE = "history_of_mutations";
    private static final String PART = "part";
    private static final int ROUNDS = Integer.getInteger("multimed.mutations.rounds", 40);
    private static final int MOST_RUNS = 20;
    private static final int DEFINITIONS = ROUNDS / 2;
    private static final Set<Kind> STALE = EnumSet.of(Kind.STALE_READ, Kind.WENT_BACK);
    private static final Set<Kind> WRONG_ROWS = EnumSet.of(Kind.TORN_SNAPSHOT, Kind.STALE_READ, Kind.WENT_BACK);
    private static final long MOMENT_MILLIS = 25;
    /** The time between two steps, so that readers come in between. */
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private static RunningMultimed start(int satellites, FeedSteps steps) throws Exception {
        return RunningMultimed.startWithSteps(satellites, """
                [satellites.part]
                database = "history_of_mutations"
                tables = ["public.register"]
                """, steps);
    }

    /** Something that happens in each of the rounds of a workload. */
    private interface Round {
        void run(RunningMultimed multimed) throws Exception;
    }

    private static void wait(RunningMultimed multimed) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(2 * MOMENT_MILLIS);
    }

    /** Freezes the Master's processes that serve clients. Walsenders go on: nodes hear of commits that the Master does not show yet. */
    private static void freezeClients(RunningMultimed multimed) throws IOException, InterruptedException {
        freeze(multimed, title -> title.contains(DATABASE) && !title.contains("walsender"));
    }

    /** Freezes the process that feeds the relay, and with it all nodes but the partial Satellite. */
    private static void freezeRelay(RunningMultimed multimed) throws IOException, InterruptedException {
        freeze(multimed, title -> !title.contains(DATABASE) && title.contains("walsender"));
    }

    private static void freeze(RunningMultimed multimed, Predicate<String> titles)
            throws IOException, InterruptedException {
        List<ProcessHandle> processes = ProcessHandle.of(multimed.masterPid())
                .orElseThrow()
                .children()
                .filter(process ->
                        process.info().commandLine().map(titles::test).orElse(false))
                .toList();
        for (ProcessHandle process : processes) {
            stop("STOP", process);
        }
        TimeUnit.MILLISECONDS.sleep(MOMENT_MILLIS);
        for (ProcessHandle process : processes) {
            stop("CONT", process);
        }
        TimeUnit.MILLISECONDS.sleep(MOMENT_MILLIS);
    }

    private static void stop(String signal, ProcessHandle process) throws IOException, InterruptedException {
        if (process.isAlive()) {
            signal(signal, process.pid());
        }
    }

    /** Runs a workload with these steps; returns the kinds of violations. */
    private static Set<Kind> violations(int satellites, FeedSteps steps, Round round) throws Exception {
        try (RunningMultimed multimed = start(satellites, steps)) {
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), DATABASE, true, SEED);
            awaitPart(multimed);
            for (int i = 0; i < ROUNDS; i++) {
                round.run(multimed);
            }
            Report report = run.end(Promise.STRONG);
            Set<Kind> kinds = report.violations().stream().map(Violation::kind).collect(Collectors.toSet());
            System.out.println(steps.getClass().getSimpleName() + ": " + report.commits() + " commits, "
                    + report.satelliteReads() + " reads, " + report.violations().size() + " violations: " + kinds
                    + ", contradictions " + run.recording().contradictions().size());
            assertTrue(multimed.node(PART).served() > 0, "no read on the partial Satellite");
            return kinds;
        }
    }

    private static void awaitPart(RunningMultimed multimed) {
        RunningMultimed.await(() -> multimed.node(PART).state().equals("serving"), "the partial Satellite serving");
    }

    /**
     * Asserts that the workload shows violations, none of which has lost or doubled a commit. Whether a client reads at the very moment that
     * matters is a matter of luck, so that the workload may run several times.
     */
    private static void assertNoticed(Set<Kind> possible, int satellites, Supplier<FeedSteps> steps, Round round)
            throws Exception {
        Set<Kind> kinds = Set.of();
        for (int run = 0; run < MOST_RUNS && kinds.isEmpty(); run++) {
            kinds = violations(satellites, steps.get(), round);
        }
        assertFalse(kinds.isEmpty(), "nothing noticed");
        assertTrue(possible.containsAll(kinds), kinds::toString);
    }

    @Test
    void nothingIsNoticedWithoutAMutation() throws Exception {
        assertEquals(Set.of(), violations(1, new FeedSteps(), multimed -> {
            freezeClients(multimed);
            freezeRelay(multimed);
        }));
    }

    /** Shows commits that the relay has not received, so other nodes may answer without them. */
    private static final class RelayNotAwaited extends FeedSteps {
        @Override
        protected void awaitReceived(MasterLog log, long scn) {}
    }

    @Test
    void noticesCommitsThatAreShownBeforeTheRelayHasThem() throws Exception {
        assertNoticed(EnumSet.of(Kind.WENT_BACK), 1, RelayNotAwaited::new, PartialHistoryMutationsTest::freezeRelay);
    }

    /** Nobody knows that the Satellite has shown a commit, so a session that saw it there may miss it on the Master. */
    private static final class NothingAnnounced extends FeedSteps {
        @Override
        protected void announce(ComputationalNode node, long scn) {}
    }

    @Test
    void noticesCommitsThatAreNotAnnouncedBeforeTheyAreShown() throws Exception {
        assertNoticed(EnumSet.of(Kind.WENT_BACK), 0, NothingAnnounced::new, PartialHistoryMutationsTest::freezeClients);
    }

    private static final class AppliedEarly extends FeedSteps {
        @Override
        protected void announce(ComputationalNode node, long scn) {
            super.announce(node, scn);
            node.applied(scn);
            LockSupport.parkNanos(BETWEEN_NANOS);
        }
    }

    @Test
    void noticesCommitsThatAreReportedBeforeTheyAreApplied() throws Exception {
        assertNoticed(STALE, 0, AppliedEarly::new, PartialHistoryMutationsTest::wait);
    }

    /** Takes the Master's whole log for commits that concern no table, without having heard so. */
    private static final class ProgressAssumed extends FeedSteps {
        private volatile long received;

        @Override
        protected void awaitReceived(MasterLog log, long scn) throws InterruptedException {
            super.awaitReceived(log, scn);
            LockSupport.parkNanos(BETWEEN_NANOS);
            received = log.floor();
        }

        @Override
        protected void applied(ComputationalNode node, FreshnessGate gate, long scn) {
            super.applied(node, gate, Math.max(node.applied(), Math.max(scn, received)));
        }
    }

    @Test
    void noticesProgressThatTheMasterHasNotReported() throws Exception {
        assertNoticed(STALE, 0, ProgressAssumed::new, PartialHistoryMutationsTest::wait);
    }

    private static final class PartOfTransactions extends FeedSteps {
        private static final int LEFT_OUT = 20;
        private final AtomicInteger changes = new AtomicInteger();

        @Override
        protected Predicate<QualifiedName> carried(PartialCluster engine) {
            Predicate<QualifiedName> tables = super.carried(engine);
            return table -> tables.test(table) && changes.incrementAndGet() % LEFT_OUT != 0;
        }
    }

    @Test
    void noticesTransactionsThatAreNotWhole() throws Exception {
        assertNoticed(WRONG_ROWS, 0, PartOfTransactions::new, PartialHistoryMutationsTest::wait);
    }

    /** Writes a group's transactions in the opposite order, and has groups become large. */
    private static final class OppositeOrder extends FeedSteps {
        @Override
        protected List<Transaction> written(List<Transaction> group) {
            LockSupport.parkNanos(BETWEEN_NANOS);
            return group.reversed();
        }
    }

    @Test
    void noticesTransactionsOutOfOrder() throws Exception {
        assertNoticed(WRONG_ROWS, 0, OppositeOrder::new, PartialHistoryMutationsTest::wait);
    }

    private static final class CatalogsNotCompared extends FeedSteps {
        @Override
        protected long awaitCatalogs(CatalogWatch catalogs, long scn) {
            return scn;
        }

        @Override
        protected void takeOut(Consumer<String> lost, String reason) {}
    }

    /** Defines a view anew, and counts the reads after that which are answered by an earlier definition. */
    private static int earlierDefinitions(FeedSteps steps) throws Exception {
        try (RunningMultimed multimed = start(0, steps);
                WireSession owner = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE DATABASE " + DATABASE);
            try (WireSession session = WireSession.open(multimed.address(), "postgres", DATABASE, PATIENCE)) {
                session.rows("CREATE TABLE register (k int PRIMARY KEY, v bigint)");
                session.rows("INSERT INTO register VALUES (1, 1)");
                session.rows("CREATE VIEW defined AS SELECT v + 0 AS n FROM register");
                awaitPart(multimed);
                int earlier = 0;
                for (int n = 1; n <= DEFINITIONS && earlier == 0; n++) {
                    session.rows("CREATE OR REPLACE VIEW defined AS SELECT v + " + n + " AS n FROM register");
                    if (!Integer.toString(n + 1).equals(session.value("SELECT n FROM defined"))) {
                        earlier++;
                    }
                }
                return earlier;
            }
        }
    }

    @Test
    void noticesDefinitionsThatDoNotTakeTheSatelliteOut() throws Exception {
        assertEquals(0, earlierDefinitions(new FeedSteps()));
        assertEquals(1, earlierDefinitions(new CatalogsNotCompared()), "all reads by the definition of their time");
    }
}
