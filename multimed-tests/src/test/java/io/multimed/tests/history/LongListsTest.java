package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.history.Promise;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.MessageText;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Statements with many thousand elements are answered as by PostgreSQL, be that an error, beside the workload whose history is checked.
 *
 * <p>{@code -Dmultimed.lists.elements=100000} asks for so many.
 */
@Isolated("needs the processor for itself")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(1800)
@Tag("slow")
class LongListsTest {
    /** Number of elements; the longest list is beyond the limit for looking at a statement as a whole. */
    private static final int ELEMENTS = Integer.getInteger("multimed.lists.elements", 40_000);

    private static final List<Integer> LENGTHS = List.of(50, ELEMENTS / 10, ELEMENTS);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int TEN = 10;
    private static final String HISTORY = "history_of_lists";
    /** Number of commits of the workload beside each kind of statement. */
    private static final int COMMITS = 5;

    private final ServerAddress plain = PlainServer.get().unix();
    private final RunningMultimed multimed = RunningMultimed.shared();
    private HistoryRun run;

    /** A statement with a list of any length. */
    enum Kind {
        IN(n -> "SELECT count(*), sum(i) FROM ten WHERE i IN (" + list(n, i -> "" + i) + ")"),
        NOT_IN(n -> "SELECT count(*) FROM ten WHERE i NOT IN (" + list(n, i -> "" + (i + 5)) + ")"),
        IN_TEXTS(n -> "SELECT count(*) FROM ten WHERE v IN (" + list(n, i -> "'v" + i + "'") + ")"),
        IN_ROWS(n -> "SELECT count(*) FROM ten WHERE (i, v) IN (" + list(n, i -> "(" + i + ",'v" + i + "')") + ")"),
        OR(n -> "SELECT count(*) FROM ten WHERE "
                + IntStream.range(0, n).mapToObj(i -> "i=" + i).collect(Collectors.joining(" OR "))),
        VALUES(n ->
                "SELECT count(*), sum(j) FROM (VALUES " + list(n, i -> "(" + i + ")") + ") AS w (j) JOIN ten ON i = j"),
        ANY_LITERAL(n -> "SELECT count(*) FROM ten WHERE i = ANY ('{" + list(n, i -> "" + i) + "}')"),
        ANY_ARRAY(n -> "SELECT count(*) FROM ten WHERE i = ANY (ARRAY[" + list(n, i -> "" + i) + "])"),
        CASE(n -> "SELECT sum(CASE i "
                + IntStream.range(0, n)
                        .mapToObj(i -> "WHEN " + i + " THEN " + i)
                        .collect(Collectors.joining(" ")) + " END) FROM ten"),
        GREATEST(n -> "SELECT greatest(" + list(n, i -> "" + i) + ")"),
        CONCAT(n -> "SELECT length(concat(" + list(n, i -> "" + i) + "))"),
        COLUMNS(n -> "SELECT " + list(n, i -> "" + i)),
        SUM(n -> "SELECT " + IntStream.range(0, n).mapToObj(i -> "" + i).collect(Collectors.joining("+"))),
        UNION(n -> IntStream.range(0, n).mapToObj(i -> "SELECT " + i).collect(Collectors.joining(" UNION ALL "))),
        ARGUMENTS(n -> "SELECT " + "abs(".repeat(n) + "1" + ")".repeat(n)),
        ORDER(n -> "SELECT i + 0 FROM ten ORDER BY " + list(Math.min(n, Kind.MOST_KEYS), i -> "i + " + i) + " LIMIT 1"),
        INSERT(n -> "INSERT INTO many (i) VALUES " + list(n, i -> "(" + i + ")"));

        /** Limit for PostgreSQL's planner, whose time for each key grows with the number of keys. */
        private static final int MOST_KEYS = 300;

        private final IntFunction<String> text;

        Kind(IntFunction<String> text) {
            this.text = text;
        }

        private static String list(int length, IntFunction<String> element) {
            return IntStream.range(0, length).mapToObj(element).collect(Collectors.joining(","));
        }
    }

    private static final String DATABASE = "long_lists";

    @BeforeAll
    void create() throws IOException {
        for (ServerAddress server : List.of(plain, multimed.address())) {
            try (WireSession owner = open(server, "postgres")) {
                owner.rows("CREATE DATABASE " + DATABASE);
            }
            try (WireSession owner = open(server, DATABASE)) {
                owner.rows("CREATE TABLE ten AS SELECT i, 'v' || i AS v FROM generate_series(0, " + (TEN - 1)
                        + ") AS i; CREATE TABLE many (i int)");
            }
        }
        multimed.awaitSatellites(DATABASE);
        run = new HistoryRun(multimed.master(), multimed.address(), HISTORY, true, Seed.of("multimed.history.seed"));
    }

    @AfterAll
    void checkAndDrop() throws Exception {
        run.assertKept(run.end(Promise.STRONG));
        Faults.assertConverged(multimed, run, HISTORY);
        multimed.awaitSatellites(DATABASE);
        run.assertConverged(DATABASE, List.of(multimed.satellite(0), multimed.satellite(1)));
        run.dropDatabase();
        for (ServerAddress server : List.of(plain, multimed.address())) {
            try (WireSession owner = open(server, "postgres")) {
                owner.rows("DROP DATABASE " + DATABASE + " WITH (FORCE)");
            }
        }
    }

    private static WireSession open(ServerAddress server, String database) throws IOException {
        return WireSession.open(server, "postgres", database, PATIENCE);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void areAnsweredAsByPostgresql(Kind kind) throws IOException {
        int commits = run.recording().updates().size();
        try (WireSession alone = open(plain, DATABASE);
                WireSession through = open(multimed.address(), DATABASE)) {
            for (int length : LENGTHS) {
                String sql = kind.text.apply(length);
                assertAlike(kind + " " + length + " by Query", alone, through, FrontendBytes.query(sql));
                assertAlike(
                        kind + " " + length + " unnamed",
                        alone,
                        through,
                        FrontendBytes.parse("", sql),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.describe('P', ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync());
                String name = "s" + length;
                assertAlike(
                        kind + " " + length + " prepares",
                        alone,
                        through,
                        FrontendBytes.parse(name, sql),
                        FrontendBytes.sync());
                assertAlike(
                        kind + " " + length + " named",
                        alone,
                        through,
                        FrontendBytes.bind("", name),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync());
            }
            assertEquals("1", through.value("SELECT 1"));
            multimed.awaitSatellites(DATABASE);
            String rows = "SELECT count(*), count(DISTINCT i), sum(i) FROM many";
            List<List<String>> wanted = texts(alone, rows);
            assertEquals(wanted, texts(through, rows));
            for (int i = 0; i < 2; i++) {
                try (WireSession satellite = open(multimed.satellite(i), DATABASE)) {
                    assertEquals(wanted, texts(satellite, rows));
                }
            }
            assertTrue(kind != Kind.INSERT || !wanted.getFirst().getFirst().equals("0"), "nothing was inserted");
        }
        RunningMultimed.await(() -> run.recording().updates().size() >= commits + COMMITS, "commits of the workload");
    }

    private static List<List<String>> texts(WireSession session, String sql) throws IOException {
        return session.rows(sql).stream()
                .map(row -> row.stream().map(String::valueOf).toList())
                .toList();
    }

    private static void assertAlike(String what, WireSession alone, WireSession through, byte[]... messages)
            throws IOException {
        alone.send(messages);
        through.send(messages);
        assertEquals(lines(alone.ready()), lines(through.ready()), what);
    }

    private static List<String> lines(List<Message> messages) {
        return messages.stream().map(MessageText::line).toList();
    }
}
