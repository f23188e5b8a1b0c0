package io.multimed.tests.partial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A partial Satellite beside the Master, without any full one: its reads, and the events after which it is copied anew. */
@Tag("slow")
@Timeout(300)
@Isolated("kills engines, and its reads must not wait for others' commits")
class PartialSatellitesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PART = "part";

    private static RunningMultimed multimed;

    @BeforeAll
    static void start() throws Exception {
        multimed = RunningMultimed.start(0, """
                [reads]
                patience = "5s"
                [satellites.part]
                tables = ["shop.orders", "shop.line"]
                indexes = ["CREATE INDEX only_here ON shop.line (item)"]
                settings = { work_mem = "64MB" }
                """);
        try (WireSession session = session()) {
            for (String sql : List.of(
                    "CREATE SCHEMA shop",
                    "CREATE TABLE shop.elsewhere (id int PRIMARY KEY)",
                    "CREATE TABLE shop.orders (id int PRIMARY KEY, state text)",
                    "CREATE TABLE shop.line (id int, item int, PRIMARY KEY (id, item)) PARTITION BY RANGE (id)",
                    "CREATE TABLE shop.line_1 PARTITION OF shop.line FOR VALUES FROM (0) TO (1000)",
                    "CREATE VIEW shop.open AS SELECT * FROM shop.orders WHERE state = 'open'",
                    "INSERT INTO shop.orders SELECT g, 'open' FROM generate_series(1, 100) g",
                    "INSERT INTO shop.line SELECT g, g FROM generate_series(1, 100) g",
                    "INSERT INTO shop.elsewhere VALUES (1)")) {
                session.rows(sql);
            }
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (multimed != null) {
            multimed.close();
        }
    }

    @BeforeEach
    void awaitServing() {
        RunningMultimed.await(() -> multimed.node(PART).state().equals("serving"), "the partial Satellite serving");
    }

    private static WireSession session() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }

    /** Returns the value and the node that gave it. */
    private static String placed(WireSession session, String query) throws IOException {
        String value = session.value(query);
        return value + " by " + node(session);
    }

    private static String node(WireSession session) throws IOException {
        String route = session.value("SHOW multimed.route");
        return route.substring(0, route.indexOf(':'));
    }

    @Test
    void answersReadsOfItsTablesAloneAndTheMasterAllOthers() throws Exception {
        try (WireSession session = session()) {
            assertEquals("100 by part", placed(session, "SELECT count(*) FROM shop.orders"));
            assertEquals(
                    "100 by part", placed(session, "SELECT count(*) FROM shop.orders o JOIN shop.line USING (id)"));
            assertEquals("100 by part", placed(session, "SELECT count(*) FROM shop.open"));
            assertEquals("1 by part", placed(session, "SELECT 1"));
            assertEquals("1 by master", placed(session, "SELECT count(*) FROM shop.elsewhere"));
            assertEquals(
                    "100 by master",
                    placed(session, "SELECT count(*) FROM shop.orders, shop.elsewhere e WHERE e.id = 1"));
            assertEquals("orders by master", placed(session, "SELECT relname FROM pg_class WHERE relname = 'orders'"));
            session.rows("SET search_path = shop");
            assertEquals("100 by part", placed(session, "SELECT count(*) FROM orders"));
            assertEquals("1 by master", placed(session, "SELECT count(*) FROM elsewhere"));
        }
    }

    @Test
    void showsEveryCommitBeforeTheNextRead() throws Exception {
        try (WireSession writer = session();
                WireSession reader = session()) {
            int before = Integer.parseInt(reader.value("SELECT count(*) FROM shop.orders"));
            for (int i = 1; i <= 200; i++) {
                writer.rows(
                        i % 2 == 0
                                ? "INSERT INTO shop.orders VALUES (" + (10_000 + i) + ", 'new')"
                                : "INSERT INTO shop.elsewhere VALUES (" + (10_000 + i) + ")");
                assertEquals(
                        (before + i / 2) + " by part",
                        placed(reader, "SELECT count(*) FROM shop.orders"),
                        "after " + i);
            }
            writer.rows("DELETE FROM shop.orders WHERE id > 10000");
            writer.rows("DELETE FROM shop.elsewhere WHERE id > 10000");
            assertEquals(before + " by part", placed(reader, "SELECT count(*) FROM shop.orders"));
        }
    }

    @Test
    void isCopiedAnewWhenItsTablesChange() throws Exception {
        try (WireSession session = session()) {
            session.rows("ALTER TABLE shop.orders ADD COLUMN note text DEFAULT 'none'");
            assertEquals("none by master", placed(session, "SELECT note FROM shop.orders WHERE id = 1"));
            awaitCopy();
            assertEquals("none by part", placed(session, "SELECT note FROM shop.orders WHERE id = 1"));
            session.rows("ALTER TABLE shop.orders DROP COLUMN note");
            awaitCopy();
            assertEquals("100 by part", placed(session, "SELECT count(*) FROM shop.orders"));
        }
    }

    @Test
    void obeysRightsThatWereGrantedOrRevokedSince() throws Exception {
        try (WireSession owner = session()) {
            owner.rows("CREATE ROLE clerk LOGIN");
            owner.rows("GRANT USAGE ON SCHEMA shop TO clerk");
            owner.rows("GRANT SELECT ON shop.orders TO clerk");
            awaitCopy();
            try (WireSession clerk = WireSession.open(multimed.address(), "clerk", "postgres", PATIENCE)) {
                assertEquals("100 by part", placed(clerk, "SELECT count(*) FROM shop.orders"));
                owner.rows("REVOKE SELECT ON shop.orders FROM clerk");
                assertTrue(
                        clerk.query("SELECT count(*) FROM shop.orders")
                                .toString()
                                .contains("42501"),
                        "a right that was revoked");
            }
            owner.rows("REVOKE ALL ON SCHEMA shop FROM clerk");
            owner.rows("DROP ROLE clerk");
            awaitCopy();
        }
    }

    @Test
    void keepsServingWhileOtherTablesAndTemporaryOnesChange() throws Exception {
        long pid = multimed.node(PART).pid();
        try (WireSession session = session()) {
            session.rows("CREATE TABLE shop.further (id int)");
            session.rows("CREATE TEMP TABLE mine (id int)");
            session.rows("ANALYZE shop.orders");
            session.rows("CREATE INDEX further_id ON shop.further (id)");
            session.rows("DROP TABLE shop.further");
            session.rows("DROP TABLE mine");
            try (WireSession other = session()) {
                assertEquals("100 by part", placed(other, "SELECT count(*) FROM shop.orders"));
            }
        }
        assertEquals(pid, multimed.node(PART).pid());
    }

    @Test
    void comesBackAfterTheDeathOfItsEngine() throws Exception {
        long pid = multimed.node(PART).pid();
        kill(pid);
        try (WireSession session = session()) {
            assertEquals("100", session.value("SELECT count(*) FROM shop.orders"));
            multimed.awaitOtherEngine(PART, pid);
            assertEquals("100 by part", placed(session, "SELECT count(*) FROM shop.orders"));
        }
    }

    @Test
    void goesOnWithTheMasterThatHasRestarted() throws Exception {
        long pid = multimed.node(PART).pid();
        long master = multimed.masterPid();
        kill(master);
        RunningMultimed.await(
                () -> multimed.masterPid() != master && inserts("(500, 'after')"), "the Master answering again");
        try (WireSession session = session()) {
            RunningMultimed.await(
                    () -> countedBy(session, "after").equals("1 by part"), "a read on the partial Satellite");
            session.rows("DELETE FROM shop.orders WHERE id = 500");
        }
        assertEquals(pid, multimed.node(PART).pid(), "the same engine");
    }

    private static String countedBy(WireSession session, String state) {
        try {
            return placed(session, "SELECT count(*) FROM shop.orders WHERE state = '" + state + "'");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }

    private static boolean inserts(String row) {
        try (WireSession session = session()) {
            return session.query("INSERT INTO shop.orders VALUES " + row + " ON CONFLICT DO NOTHING")
                    .toString()
                    .contains("CommandComplete");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void refusesWritesAsTheMasterDoesInAReadOnlyBlock() throws Exception {
        try (WireSession session = session()) {
            session.rows("SET default_transaction_read_only = off");
            assertEquals("100 by part", placed(session, "SELECT count(*) FROM shop.orders"));
            session.rows("BEGIN READ ONLY");
            assertEquals("100", session.value("SELECT count(*) FROM shop.orders"));
            assertTrue(session.query("DELETE FROM shop.orders").toString().contains("25006"));
            session.rows("ROLLBACK");
            assertEquals("100 by part", placed(session, "SELECT count(*) FROM shop.orders"));
        }
    }

    @Test
    void aBlockMovesWhenItReadsOtherTables() throws Exception {
        try (WireSession session = session()) {
            session.rows("BEGIN READ ONLY");
            assertEquals("100", session.value("SELECT count(*) FROM shop.orders"));
            session.rows("COMMIT");
            assertEquals("part", node(session), "a block of one read");
            session.rows("BEGIN READ ONLY");
            assertEquals("100", session.value("SELECT count(*) FROM shop.orders"));
            assertEquals("1", session.value("SELECT count(*) FROM shop.elsewhere"));
            assertEquals("100", session.value("SELECT count(*) FROM shop.orders"));
            session.rows("COMMIT");
            assertEquals("master", node(session));
            session.rows("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ");
            assertEquals("100", session.value("SELECT count(*) FROM shop.orders"));
            assertEquals("1", session.value("SELECT count(*) FROM shop.elsewhere"));
            session.rows("COMMIT");
            session.rows("BEGIN READ ONLY");
            session.rows("DECLARE c CURSOR FOR SELECT id FROM shop.orders ORDER BY id");
            assertEquals("1", session.value("FETCH c"));
            assertEquals("1", session.value("SELECT count(*) FROM shop.elsewhere"));
            assertEquals("2", session.value("FETCH c"));
            session.rows("COMMIT");
        }
    }

    /** Begins a block by these statements and returns the node of its first read. */
    private static String begin(WireSession session, String begin, String first) throws IOException {
        session.rows(begin);
        session.rows(first);
        return node(session);
    }

    @Test
    void aBlockWithOneSnapshotRunsThereOnceItsLikeHasNeededNothingElse() throws Exception {
        String begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        String first = "SELECT count(*) AS first_of_report FROM shop.orders";
        try (WireSession session = session();
                WireSession writer = session()) {
            assertEquals("master", begin(session, begin, first), "its tables are not known yet");
            session.rows("SELECT count(*) FROM shop.line");
            session.rows("COMMIT");

            assertEquals("part", begin(session, begin, first));
            writer.rows("INSERT INTO shop.orders VALUES (600, 'later')");
            writer.rows("INSERT INTO shop.line VALUES (600, 600)");
            assertEquals("100 by part", placed(session, first), "its snapshot");
            assertEquals("100 by part", placed(session, "SELECT count(*) FROM shop.line"), "its snapshot");
            session.rows("COMMIT");
            assertEquals("101 by part", placed(session, first));
            writer.rows("DELETE FROM shop.orders WHERE id = 600");
            writer.rows("DELETE FROM shop.line WHERE id = 600");
        }
    }

    @Test
    void aBlockThatCannotMoveIsRefusedOnce() throws Exception {
        String begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        String first = "SELECT count(*) AS first_of_two FROM shop.orders";
        try (WireSession session = session()) {
            begin(session, begin, first);
            session.rows("COMMIT");
            assertEquals("part", begin(session, begin, first));
            String refused =
                    session.query("SELECT count(*) FROM shop.elsewhere").toString();
            assertTrue(refused.contains("40001") && refused.contains("partial satellite"), refused);
            assertTrue(session.query(first).toString().contains("25P02"), "the block has failed");
            session.rows("ROLLBACK");
        }
        try (WireSession again = session()) {
            assertEquals("master", begin(again, begin, first));
            assertEquals("1", again.value("SELECT count(*) FROM shop.elsewhere"));
            again.rows("COMMIT");
            assertEquals("100 by part", placed(again, first), "outside such a block");
        }
    }

    @Test
    void blocksWithSavepointsOrCursorsRunThereOnceTheirLikeHasNeededNothingElse() throws Exception {
        String first = "SELECT count(*) AS first_before_savepoint FROM shop.orders";
        String cursor = "DECLARE c CURSOR FOR SELECT id AS first_by_cursor FROM shop.orders ORDER BY id";
        try (WireSession session = session()) {
            // Blocks on the Master do not wait until a statement is understood, and nothing is learned from them then.
            session.query("SELECT 1 / 0");
            session.rows(first);
            for (String node : List.of("master", "part")) {
                begin(session, "BEGIN READ ONLY", first);
                session.rows("SAVEPOINT s");
                assertEquals("100 by " + node, placed(session, first));
                assertTrue(session.query("SELECT 1 / 0").toString().contains("22012"));
                session.rows("ROLLBACK TO s");
                assertEquals("100 by " + node, placed(session, first));
                session.rows("COMMIT");

                session.rows("BEGIN READ ONLY");
                session.rows(cursor);
                assertEquals("1 by " + node, placed(session, "FETCH c"));
                assertEquals("100 by " + node, placed(session, first));
                assertEquals("2 by " + node, placed(session, "FETCH c"));
                session.rows("COMMIT");
            }
        }
    }

    @Test
    void aHintSendsABlockThereThatCannotMoveBeforeItsTablesAreKnown() throws Exception {
        String first = "SELECT count(*) AS first_by_hint FROM shop.orders /* multimed: node=part */";
        try (WireSession session = session()) {
            assertEquals("part", begin(session, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", first));
            assertEquals("100 by part", placed(session, "SELECT count(*) FROM shop.line"));
            session.rows("COMMIT");
        }
    }

    @Test
    void aBlockThatCannotMoveFailsWithItsEngineAndItsSessionGoesOn() throws Exception {
        String first = "SELECT count(*) AS first_before_death FROM shop.orders /* multimed: node=part */";
        try (WireSession session = session()) {
            assertEquals("part", begin(session, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", first));
            long pid = multimed.node(PART).pid();
            kill(pid);
            RunningMultimed.await(() -> multimed.node(PART).pid() != pid, "the engine gone");
            String lost = session.query("SELECT count(*) FROM shop.line").toString();
            assertTrue(lost.contains("40001"), lost);
            session.rows("ROLLBACK");
            assertEquals("100", session.value("SELECT count(*) FROM shop.line"));
        }
    }

    @Test
    void hasIndexesAndSettingsOfItsOwn() throws Exception {
        try (WireSession part = WireSession.open(multimed.address(PART), "postgres", "postgres", PATIENCE);
                WireSession master = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE)) {
            String indexes = "SELECT count(*) FROM pg_class WHERE relname = 'only_here'";
            assertEquals("1", part.value(indexes));
            assertEquals("0", master.value(indexes));
            assertEquals("64MB", part.value("SHOW work_mem"));
            assertNotEquals("64MB", master.value("SHOW work_mem"));
            assertEquals("0", part.value("SELECT count(*) FROM pg_class WHERE relname = 'elsewhere'"));
        }
    }

    /** Waits until the Satellite serves from a copy that was begun after this call, or has gone on serving. */
    private static void awaitCopy() throws IOException {
        try (WireSession session = session()) {
            RunningMultimed.await(
                    () -> {
                        try {
                            return placed(session, "SELECT count(*) FROM shop.line")
                                    .equals("100 by part");
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    "a read on the partial Satellite");
        }
    }
}
