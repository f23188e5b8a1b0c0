package io.multimed.tests.history;

import static io.multimed.tests.history.Faults.answers;
import static io.multimed.tests.history.Faults.signal;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.writeset.CaptureKind;
import io.multimed.testkit.history.Promise;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The observations of clients of a Multimed with a full and a partial Satellite keep the guarantees of ARCHITECTURE.md while engines die
 * and freeze, and while the partial Satellite's tables are redefined. Reads of one table may go to either, those of both tables only to
 * the full one: a session moves between nodes that are fed in different ways.
 */
@Isolated("kills and freezes engines, and needs the processor for itself")
@Tag("slow")
class PartialHistoryTest {
    private static final int SECONDS = Integer.getInteger("multimed.history.seconds", 12);
    private static final long SEED = Seed.of("multimed.history.seed");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int FEWEST_READS = 200;
    private static final int FEWEST_COPIES = 4;
    private static final String PART = "part";
    private static final String FULL = "satellite-1";

    private final Set<Long> engines = new HashSet<>();

    private static void sleep(double share) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (SECONDS * 1000 * share));
    }

    private void awaitPart(RunningMultimed multimed) {
        RunningMultimed.await(() -> multimed.node(PART).state().equals("serving"), "the partial Satellite serving");
        engines.add(multimed.node(PART).pid());
    }

    @ParameterizedTest
    @EnumSource
    void keepsItsPromisesWhileAPartialSatelliteDiesFreezesAndIsRedefined(CaptureKind capture) throws Exception {
        String database = "history_of_parts";
        try (RunningMultimed multimed =
                RunningMultimed.start(1, "capture = \"" + capture.name().toLowerCase(Locale.ROOT) + "\"\n" + """
                [satellites.part]
                database = "history_of_parts"
                tables = ["public.register"]
                """)) {
            HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), database, true, SEED);
            awaitPart(multimed);
            sleep(0.2);
            signal("KILL", multimed.node(PART).pid());
            sleep(0.1);
            awaitPart(multimed);
            sleep(0.2);
            define(multimed, database, "ALTER TABLE register ADD CONSTRAINT numbered CHECK (k >= 0)");
            sleep(0.1);
            awaitPart(multimed);
            long frozen = multimed.node(PART).pid();
            signal("STOP", frozen);
            sleep(0.2);
            if (ProcessHandle.of(frozen).isPresent()) {
                signal("CONT", frozen);
            }
            awaitPart(multimed);
            sleep(0.1);
            signal("KILL", multimed.masterPid());
            RunningMultimed.await(() -> answers(multimed), "the Master answering again");
            sleep(0.1);
            awaitPart(multimed);
            define(
                    multimed,
                    database,
                    capture == CaptureKind.LOG
                            ? "GRANT SELECT ON register TO PUBLIC"
                            : "ALTER TABLE register DISABLE TRIGGER ALL");
            sleep(0.1);
            awaitPart(multimed);
            sleep(0.2);
            run.assertKept(run.end(Promise.STRONG));
            assertConverged(multimed, run, database);
            int snapshots = run.recording().snapshotsOn(PART);
            long served = multimed.node(PART).served();
            System.out.println("seed " + SEED + ", reads on the partial Satellite " + served + ", snapshots "
                    + snapshots + ", its engines " + engines.size());
            assertTrue(served >= FEWEST_READS, () -> served + " reads on the partial Satellite");
            assertTrue(engines.size() >= FEWEST_COPIES, () -> engines.size() + " copies");
        }
    }

    private static void define(RunningMultimed multimed, String database, String sql) throws IOException {
        try (WireSession session = WireSession.open(multimed.address(), "postgres", database, PATIENCE)) {
            session.rows(sql);
        }
    }

    private static void assertConverged(RunningMultimed multimed, HistoryRun run, String database) throws IOException {
        try (WireSession session = WireSession.open(multimed.master(), "postgres", database, PATIENCE)) {
            long position = Long.parseLong(session.value("SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint"));
            for (String node : List.of(PART, FULL)) {
                RunningMultimed.await(
                        () -> multimed.node(node).state().equals("serving")
                                && multimed.node(node).applied() >= position,
                        node + " at " + position);
            }
        }
        run.assertPartConverged(multimed.address(PART), List.of("register"));
        run.assertConverged(List.of(multimed.address(FULL)));
    }
}
