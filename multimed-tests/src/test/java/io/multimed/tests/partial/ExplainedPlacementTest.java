package io.multimed.tests.partial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** EXPLAIN (MULTIMED): it tells where a statement would be executed, and nothing is executed. */
@Tag("slow")
@Timeout(300)
@Isolated("the nodes must be idle, so that the least loaded one is known")
class ExplainedPlacementTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static RunningMultimed multimed;

    @BeforeAll
    static void start() throws Exception {
        multimed = RunningMultimed.start(1, """
                [reads]
                patience = "5s"
                safe_functions = ["declared_safe"]
                [satellites.analytics]
                tables = ["shop.orders", "shop.line"]
                serves = "long"
                [satellites.shelf]
                tables = ["shop.item"]
                serves = "short"
                """);
        try (WireSession session = session()) {
            for (String sql : List.of(
                    "CREATE SCHEMA shop",
                    "CREATE TABLE shop.elsewhere (id int PRIMARY KEY)",
                    "CREATE TABLE shop.orders (id int PRIMARY KEY, state text)",
                    "CREATE TABLE shop.line (id int PRIMARY KEY, item int)",
                    "CREATE TABLE shop.item (id int PRIMARY KEY, title text)",
                    "CREATE VIEW shop.open AS SELECT * FROM shop.orders WHERE state = 'open'",
                    "CREATE VIEW shop.hidden AS SELECT o.id FROM shop.open o JOIN shop.elsewhere e USING (id)",
                    "CREATE SEQUENCE shop.s",
                    "CREATE FUNCTION declared_safe() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                    "CREATE FUNCTION unknown() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                    "INSERT INTO shop.orders SELECT g, 'open' FROM generate_series(1, 100) g",
                    "INSERT INTO shop.line SELECT g, g FROM generate_series(1, 400) g",
                    "INSERT INTO shop.item SELECT g, 'title' FROM generate_series(1, 100) g",
                    "INSERT INTO shop.elsewhere VALUES (1)")) {
                session.rows(sql);
            }
            for (String node : List.of("analytics", "shelf")) {
                RunningMultimed.await(() -> multimed.node(node).state().equals("serving"), node + " serving");
            }
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (multimed != null) {
            multimed.close();
        }
    }

    private static WireSession session() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }

    private static String explain(WireSession session, String sql) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (List<?> row : session.rows("EXPLAIN (MULTIMED) " + sql)) {
            lines.append(row.getFirst()).append('\n');
        }
        return lines.toString();
    }

    /** Returns the node on which a statement runs according to an explanation. */
    private static String node(String explanation) {
        return explanation.replaceFirst("(?s)^Runs on  ([\\w-]+).*", "$1");
    }

    /** Executes a statement, even if it fails, and returns its node. */
    private static String executed(WireSession session, String sql) throws IOException {
        if (session.query(sql).getLast().body()[0] == 'E') {
            // A failed block does not show its route.
            session.query("ROLLBACK");
        }
        String route = session.value("SHOW multimed.route");
        return route.substring(0, route.indexOf(':'));
    }

    /** Compares the explanation of a statement with its execution, and returns the explanation. */
    private static String assertTold(WireSession session, String sql) throws IOException {
        String told = explain(session, sql);
        while (told.contains("behind: applied")) {
            // A Satellite has yet to apply what was written last, and may have applied it when the statement comes.
            told = explain(session, sql);
        }
        assertEquals(node(told), executed(session, sql), told + sql);
        return told;
    }

    private static final String LONG = "SELECT count(*) FROM shop.line a, shop.line b WHERE a.item < b.item";

    @Test
    void everyStatementRunsWhereItsExplanationSays() throws Exception {
        try (WireSession session = session()) {
            for (String sql : List.of(
                    "SELECT 1",
                    "SELECT count(*) FROM shop.orders",
                    "SELECT count(*) FROM shop.elsewhere",
                    "SELECT count(*) FROM shop.item JOIN shop.orders USING (id)",
                    "SELECT count(*) FROM shop.open",
                    "SELECT count(*) FROM shop.hidden",
                    "SELECT count(*) FROM pg_class",
                    "SELECT count(*) FROM pg_stat_activity",
                    "SELECT declared_safe() FROM shop.orders",
                    "SELECT unknown()",
                    "SELECT nextval('shop.s')",
                    "SELECT ctid FROM shop.item",
                    "SELECT now()",
                    "TABLE shop.item",
                    "VALUES (1), (2)",
                    "COPY shop.item TO STDOUT",
                    "INSERT INTO shop.elsewhere VALUES (2)",
                    "DELETE FROM shop.elsewhere WHERE id = 2",
                    "SELECT * FROM shop.item FOR UPDATE",
                    "EXPLAIN SELECT 1",
                    "SET search_path = shop",
                    "SELECT count(*) FROM item",
                    "SHOW search_path",
                    "RESET search_path")) {
                for (int execution = 0; execution < 4; execution++) {
                    assertTold(session, sql);
                }
            }
            for (int execution = 0; execution < 4; execution++) {
                assertTold(session, LONG);
                assertTold(session, "SELECT title FROM shop.item WHERE id = 7");
            }
            assertEquals("analytics", node(explain(session, LONG)));
            assertEquals("shelf", node(explain(session, "SELECT title FROM shop.item WHERE id = 7")));
        }
    }

    @Test
    void everyStatementOfABlockRunsWhereItsExplanationSays() throws Exception {
        try (WireSession session = session()) {
            for (List<String> block : List.of(
                    List.of("BEGIN READ ONLY", "SELECT count(*) FROM shop.item", "SELECT count(*) FROM shop.elsewhere"),
                    List.of("BEGIN READ ONLY", "SELECT now()", "SELECT count(*) FROM shop.item", "SELECT unknown()"),
                    List.of("BEGIN READ ONLY", "SELECT nextval('shop.s')"),
                    List.of(
                            "BEGIN READ ONLY",
                            "DECLARE c CURSOR FOR SELECT id FROM shop.item",
                            "FETCH c",
                            "SELECT count(*) FROM shop.elsewhere"),
                    List.of("BEGIN", "SELECT count(*) FROM shop.item", "DELETE FROM shop.item WHERE id < 0"),
                    List.of(
                            "BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ",
                            "SELECT count(*) FROM shop.item",
                            "SELECT count(*) FROM shop.elsewhere",
                            "DELETE FROM shop.item"),
                    List.of("BEGIN READ ONLY ISOLATION LEVEL SERIALIZABLE", "SELECT count(*) FROM shop.item"))) {
                session.rows(block.getFirst());
                for (String sql : block.subList(1, block.size())) {
                    assertTold(session, sql);
                }
                session.rows("ROLLBACK");
            }
            session.rows("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ");
            session.rows("SELECT count(*) FROM shop.item");
            String refused = explain(session, "SELECT nextval('shop.s')");
            assertEquals("no", node(refused), refused);
            assertTrue(session.query("SELECT nextval('shop.s')").toString().contains("0A000"), refused);
            session.rows("ROLLBACK");
        }
    }

    @Test
    void theSessionsStateCounts() throws Exception {
        try (WireSession session = session()) {
            session.rows("SET multimed.reads = 'master'");
            assertTold(session, "SELECT count(*) FROM shop.item");
            session.rows("RESET multimed.reads");
            session.rows("SET multimed.freshness = 'eventual'");
            assertTold(session, "SELECT count(*) FROM shop.item");
            session.rows("RESET multimed.freshness");
            session.rows("CREATE TEMP TABLE mine (id int)");
            String pinned = assertTold(session, "SELECT count(*) FROM shop.item");
            assertTrue(pinned.contains("session pinned"), pinned);
        }
    }

    @Test
    void namesTheReasonForWhichANodeIsNone() throws Exception {
        try (WireSession session = session()) {
            String joined = explain(session, "SELECT count(*) FROM shop.item JOIN shop.orders USING (id)");
            assertLine(joined, "shelf +cannot: lacks orders, ");
            assertLine(joined, "analytics +cannot: lacks item, ");
            assertLine(joined, "satellite-1 +could answer, ");
            assertLine(joined, "Because  a read: no effect found; reads item, orders");
            String view = explain(session, "SELECT count(*) FROM shop.hidden");
            assertLine(view, "analytics +cannot: lacks elsewhere, behind hidden, ");
            String catalog = explain(session, "SELECT count(*) FROM pg_class");
            assertLine(catalog, "analytics +cannot: may answer differently: reads pg_class, ");
            String function = explain(session, "SELECT declared_safe()");
            assertLine(function, "analytics +cannot: may lack what it reads: calls declared_safe, ");
            String unknown = explain(session, "SELECT unknown()");
            assertLine(unknown, "Because  may write: calls unknown, which is not declared safe");
            assertLine(unknown, "master +executes it, ");
            session.rows("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ");
            String block = explain(session, "SELECT count(*) FROM shop.item");
            assertLine(block, "shelf +cannot: a block under REPEATABLE READ could not move ");
            session.rows("ROLLBACK");
        }
    }

    private static void assertLine(String explanation, String pattern) {
        boolean found = explanation.lines().anyMatch(line -> line.strip().matches(pattern + ".*"));
        assertTrue(found, explanation);
    }

    @Test
    void nothingIsExecutedAndErrorsArePostgresqls() throws Exception {
        try (WireSession session = session()) {
            String before = session.value("SELECT last_value || ' ' || is_called FROM shop.s");
            for (String sql : List.of(
                    "SELECT nextval('shop.s')",
                    "INSERT INTO shop.elsewhere VALUES (1000)",
                    "DROP TABLE shop.elsewhere",
                    "CREATE TABLE made (id int)",
                    "SET search_path = nowhere",
                    "SELECT * FROM shop.item WHERE id = $1")) {
                assertFalse(explain(session, sql).isEmpty(), sql);
            }
            assertEquals(before, session.value("SELECT last_value || ' ' || is_called FROM shop.s"));
            assertEquals("0", session.value("SELECT count(*) FROM shop.elsewhere WHERE id = 1000"));
            assertEquals("0", session.value("SELECT count(*) FROM pg_class WHERE relname = 'made'"));
            Message syntax = session.query("EXPLAIN (MULTIMED) SELEC 1").getFirst();
            assertEquals("42601", syntax.sqlState());
            assertEquals("20", syntax.fields().get('P'), "the position in the client's text");
            assertError(session, "42P01", "EXPLAIN (MULTIMED) SELECT * FROM nowhere");
            assertError(session, "42601", "EXPLAIN (MULTIMED)");
            assertError(session, "0A000", "EXPLAIN (MULTIMED, ANALYZE) SELECT 1");
            assertError(session, "0A000", "EXPLAIN (MULTIMED) SELECT 1; SELECT 2");
            session.rows("BEGIN");
            session.rows("LOCK TABLE shop.item");
            assertError(session, "42601", "EXPLAIN (MULTIMED) SELEC 1");
            assertError(session, "25P02", "EXPLAIN (MULTIMED) SELECT 1");
            session.rows("ROLLBACK");
            assertEquals("1", session.value("SELECT 1"));
        }
    }

    private static void assertError(WireSession session, String state, String sql) throws IOException {
        String answer = session.query(sql).toString();
        assertTrue(answer.contains(state), sql + ": " + answer);
    }

    @Test
    void isAnsweredAsExtendedQueryMessagesToo() throws Exception {
        String url = "jdbc:postgresql://" + multimed.address().host() + ":"
                + multimed.address().port() + "/postgres?user=postgres&prepareThreshold=2";
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement explain =
                        connection.prepareStatement("EXPLAIN (MULTIMED) SELECT title FROM shop.item WHERE id = ?")) {
            for (int execution = 0; execution < 5; execution++) {
                explain.setInt(1, 7);
                try (ResultSet rows = explain.executeQuery()) {
                    assertEquals("QUERY PLAN", rows.getMetaData().getColumnName(1));
                    rows.next();
                    assertTrue(rows.getString(1).startsWith("Runs on  "), rows.getString(1));
                }
            }
        }
        try (WireSession session = session()) {
            session.send(FrontendBytes.parse("e", "EXPLAIN (MULTIMED) SELEC 1"), FrontendBytes.sync());
            assertTrue(session.ready().toString().contains("42601"), "an error of the engine's");
            session.rows("BEGIN READ ONLY");
            session.send(
                    FrontendBytes.parse("", "EXPLAIN (MULTIMED) SELECT count(*) FROM shop.elsewhere"),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.describe('P', ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            String answer = session.ready().toString();
            assertTrue(answer.contains("Runs on  satellite-1"), answer);
            assertEquals("satellite-1", executed(session, "SELECT count(*) FROM shop.elsewhere"));
            session.rows("COMMIT");
        }
    }
}
