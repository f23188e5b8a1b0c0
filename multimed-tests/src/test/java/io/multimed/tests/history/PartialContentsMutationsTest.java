package io.multimed.tests.history;

import static io.multimed.tests.history.Faults.signal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.cluster.PartialCluster;
import io.multimed.engine.postgresql.writeset.CaptureKind;
import io.multimed.engine.postgresql.writeset.Change;
import io.multimed.engine.postgresql.writeset.RowsForTests;
import io.multimed.engine.postgresql.writeset.Transaction;
import io.multimed.server.satellite.FeedSteps;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The history of one client that changes rows in every way: each read after a commit must show what the Master holds. Each mutation writes
 * one kind of change wrongly on a partial Satellite, and must be noticed by the kind of statement that needs it.
 */
@Isolated("needs the processor for itself")
@Timeout(300)
@Tag("slow")
class PartialContentsMutationsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DATABASE = "history_of_contents";
    private static final String PART = "part";
    private static final int ROUNDS = 2;
    private static final String COPY = "copy";
    private static final String ROWS = "SELECT k, v, md5(large) FROM thing ORDER BY k";
    /** A text that PostgreSQL stores apart from its row: it cannot be compressed to less than a page's share. */
    private static final String LARGE =
            "(SELECT string_agg(md5((random() * i)::text), '') FROM generate_series(1, 200) AS i)";

    /** Statements by what they show. */
    private static final Map<String, String> STEPS = steps();

    private static Map<String, String> steps() {
        Map<String, String> steps = new LinkedHashMap<>();
        steps.put("insert", "INSERT INTO thing SELECT i, i, " + LARGE + " FROM generate_series(1, 9) AS i");
        steps.put("unchanged", "UPDATE thing SET v = v + 1 WHERE k < 5");
        steps.put("key", "UPDATE thing SET k = k + 100 WHERE k = 3");
        steps.put(
                "net effect",
                "BEGIN; UPDATE thing SET large = 'a' || large WHERE k = 5; UPDATE thing SET v = v + 1 WHERE k = 5; COMMIT");
        steps.put(
                "exchange",
                "BEGIN; UPDATE thing SET k = -1 WHERE k = 1; UPDATE thing SET k = 1 WHERE k = 2;"
                        + " UPDATE thing SET k = 2 WHERE k = -1; COMMIT");
        steps.put("delete", "DELETE FROM thing WHERE k = 7");
        steps.put("again", "BEGIN; DELETE FROM thing WHERE k = 8; INSERT INTO thing VALUES (8, -8, 'small'); COMMIT");
        steps.put(
                "rolled back",
                "BEGIN; SAVEPOINT s; DELETE FROM thing; ROLLBACK TO s; UPDATE thing SET v = 0 WHERE k = 9; COMMIT");
        steps.put("truncate", "BEGIN; TRUNCATE thing; INSERT INTO thing VALUES (1000, 1, 'only'); COMMIT");
        steps.put("empty", "TRUNCATE thing");
        return steps;
    }

    /** The mutations change what is written, as an error in the step of this name would. */
    private static final class Written extends FeedSteps {
        private final UnaryOperator<List<Change>> mutation;

        Written(UnaryOperator<List<Change>> mutation) {
            this.mutation = mutation;
        }

        @Override
        protected List<Transaction> written(List<Transaction> group) {
            return group.stream()
                    .map(whole ->
                            new Transaction(whole.scn(), whole.xid(), mutation.apply(whole.changes()), whole.bytes()))
                    .toList();
        }
    }

    /**
     * An error in one step.
     *
     * @param noticed the statement after which it must be noticed
     */
    private record Mutation(String name, UnaryOperator<List<Change>> changes, String noticed) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Mutation> mutations() {
        return Stream.of(
                new Mutation(
                        "an insert is left out",
                        each(change -> change instanceof Change.Insert ? null : change),
                        "insert"),
                new Mutation(
                        "a value that did not change becomes NULL",
                        each(PartialContentsMutationsTest::emptied),
                        "unchanged"),
                new Mutation("the row stays under its former key", each(PartialContentsMutationsTest::doubled), "key"),
                new Mutation(
                        "only the last change of a row counts", PartialContentsMutationsTest::lastOfEach, "net effect"),
                new Mutation(
                        "a delete is left out",
                        each(change -> change instanceof Change.Delete ? null : change),
                        "delete"),
                new Mutation(
                        "a truncate is left out",
                        each(change -> change instanceof Change.Truncate ? null : change),
                        "truncate"),
                new Mutation("a truncate comes after all", PartialContentsMutationsTest::truncatedLast, "truncate"));
    }

    private static UnaryOperator<List<Change>> each(UnaryOperator<Change> mutation) {
        return changes -> {
            List<Change> mutated = new ArrayList<>();
            for (Change change : changes) {
                Change other = mutation.apply(change);
                if (other != null) {
                    mutated.add(other);
                }
            }
            return mutated;
        };
    }

    private static Change emptied(Change change) {
        return change instanceof Change.Update update
                ? new Change.Update(update.relation(), update.old(), RowsForTests.withoutUnchanged(update.row()))
                : change;
    }

    /** A key that moved becomes a second row. */
    private static Change doubled(Change change) {
        return change instanceof Change.Update update && update.old() != null
                ? new Change.Insert(update.relation(), RowsForTests.withoutUnchanged(update.row()))
                : change;
    }

    private static List<Change> lastOfEach(List<Change> changes) {
        Map<String, Change> last = new LinkedHashMap<>();
        for (Change change : changes) {
            String key = change instanceof Change.Update update && update.old() == null
                    ? RowsForTests.key(update.row())
                    : "other " + last.size();
            last.put(key, change);
        }
        return List.copyOf(last.values());
    }

    private static List<Change> truncatedLast(List<Change> changes) {
        List<Change> reordered = new ArrayList<>(changes);
        reordered.removeIf(change -> change instanceof Change.Truncate);
        changes.stream().filter(change -> change instanceof Change.Truncate).forEach(reordered::add);
        return reordered;
    }

    /** Takes a copy for later than it is, as if the write sets began with those after the copy. */
    private static final class SeededLate extends FeedSteps {
        @Override
        protected long seed(PartialCluster engine, MasterLog log) {
            return Math.max(super.seed(engine, log), log.received());
        }
    }

    /** Has the Satellite copied while rows are added. */
    private static void copyWhileWriting(RunningMultimed multimed, WireSession session) throws Exception {
        RunningMultimed.await(() -> multimed.node(PART).state().equals("serving"), "the partial Satellite serving");
        long former = multimed.node(PART).pid();
        signal("KILL", former);
        int k = 0;
        while (multimed.node(PART).pid() == former
                || !multimed.node(PART).state().equals("serving")) {
            session.rows("INSERT INTO thing VALUES (" + --k + ", 0, 'while it is copied')");
        }
    }

    /** Executes all statements in turn; returns the name of the first after which a read does not show what the Master holds. */
    private static String noticed(boolean copy, FeedSteps steps) throws Exception {
        return noticed(copy, steps, CaptureKind.LOG);
    }

    private static String noticed(boolean copy, FeedSteps steps, CaptureKind capture) throws Exception {
        try (RunningMultimed multimed = RunningMultimed.startWithSteps(0, capture(capture) + """
                [satellites.part]
                database = "history_of_contents"
                tables = ["public.thing"]
                """, steps)) {
            try (WireSession owner = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
                owner.rows("CREATE DATABASE " + DATABASE);
            }
            try (WireSession session = WireSession.open(multimed.address(), "postgres", DATABASE, PATIENCE);
                    WireSession master = WireSession.open(multimed.master(), "postgres", DATABASE, PATIENCE)) {
                session.rows("CREATE TABLE thing (k int PRIMARY KEY, v int, large text)");
                session.rows("ALTER TABLE thing ALTER large SET STORAGE EXTERNAL");
                if (copy) {
                    copyWhileWriting(multimed, session);
                    if (!session.rows(ROWS).equals(master.rows(ROWS))) {
                        return COPY;
                    }
                    session.rows("TRUNCATE thing");
                }
                for (int round = 0; round < ROUNDS; round++) {
                    for (Map.Entry<String, String> step : STEPS.entrySet()) {
                        RunningMultimed.await(
                                () -> multimed.node(PART).state().equals("serving"), "the partial Satellite serving");
                        session.rows(step.getValue());
                        if (!session.rows(ROWS).equals(master.rows(ROWS))) {
                            return step.getKey();
                        }
                    }
                }
                assertServed(multimed);
                return "";
            }
        }
    }

    private static void assertServed(RunningMultimed multimed) throws IOException {
        long served = multimed.node(PART).served();
        assertTrue(served >= STEPS.size(), () -> served + " reads on the partial Satellite");
    }

    private static String capture(CaptureKind capture) {
        return "capture = \"" + capture.name().toLowerCase(Locale.ROOT) + "\"\n";
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsNoticedWithoutAMutation(CaptureKind capture) throws Exception {
        assertEquals("", noticed(true, new FeedSteps(), capture));
    }

    @Test
    void noticesARowOfATriggersThatIsLost() throws Exception {
        Mutation lost = mutations().findFirst().orElseThrow();
        assertEquals(lost.noticed(), noticed(false, new Written(lost.changes()), CaptureKind.TRIGGERS));
    }

    @Test
    void noticesCommitsThatAreMissingBetweenTheCopyAndTheWriteSets() throws Exception {
        assertEquals(COPY, noticed(true, new SeededLate()));
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void notices(Mutation mutation) throws Exception {
        assertEquals(mutation.noticed(), noticed(false, new Written(mutation.changes())));
    }
}
