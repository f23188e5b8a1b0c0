package io.multimed.endpoint.pg;

import static io.multimed.endpoint.pg.EndpointOnOneEngine.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.sql.DatabaseCatalog;
import io.multimed.testkit.wire.WireSession;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

/** The endpoint's behaviour towards clients, with one engine as Master and Satellite. */
@Timeout(60)
class EndpointTest {
    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @BeforeAll
    static void start() throws Exception {
        try (Connection connection = multimed.connect()) {
            execute(connection, "CREATE TABLE t (i int PRIMARY KEY, x text)");
            execute(connection, "INSERT INTO t SELECT g, 'x' || g FROM generate_series(1, 100) g");
            execute(connection, "CREATE SEQUENCE s");
        }
    }

    @Test
    void readsRunOnTheSatelliteAndWritesOnTheMaster() throws SQLException {
        try (Connection connection = multimed.connect()) {
            assertEquals("100", ask(connection, "SELECT count(*) FROM t WHERE i <= 100"));
            assertTrue(route(connection).startsWith("satellite-1: "), route(connection));
            execute(connection, "UPDATE t SET x = x WHERE i = 1");
            assertTrue(route(connection).startsWith("master: "), route(connection));
        }
    }

    @Test
    void readOnlyTransactionsRunOnTheSatellite() throws SQLException {
        try (Connection connection = multimed.connect()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertEquals("x7", ask(connection, "SELECT x FROM t WHERE i = 7"));
            assertEquals("x8", ask(connection, "SELECT x FROM t WHERE i = 8"));
            connection.commit();
            connection.setAutoCommit(true);
            assertTrue(route(connection).startsWith("satellite-1: "), route(connection));
        }
    }

    @Test
    void readOnlyTransactionMovesToTheMasterForWhatOnlyTheMasterCanSay() throws SQLException {
        try (Connection connection = multimed.connect()) {
            execute(connection, "SELECT 1");
            execute(connection, "BEGIN READ ONLY");
            assertEquals("x7", ask(connection, "SELECT x FROM t WHERE i = 7"));
            assertEquals("1", ask(connection, "SELECT last_value FROM s"));
            assertEquals("on", ask(connection, "SHOW transaction_read_only"));
            execute(connection, "COMMIT");
        }
    }

    /** After each transaction with an unclassified statement, the engine is asked for the state that it left. */
    @Test
    void statementSeenOnlyWithinUpdateTransactionsIsUnderstoodToo() throws Exception {
        byte[] sql = "SELECT x, x FROM t WHERE i = 7 AND 7 = 7".getBytes(StandardCharsets.US_ASCII);
        try (Connection connection = multimed.connect("preferQueryMode=simple")) {
            execute(connection, "BEGIN");
            execute(connection, "UPDATE t SET x = x WHERE i = 7");
            assertEquals("x7", ask(connection, new String(sql, StandardCharsets.US_ASCII)));
            execute(connection, "COMMIT");
            // A session that ends withdraws its requests for classification.
            await(() -> multimed.classifier.classify(sql, 0, sql.length, DatabaseCatalog.EMPTY) != null);
        }
    }

    /** The engine refuses to drop, rename or copy a database to which a client is connected. */
    @Test
    void databaseThatNobodyUsesAnyMoreCanBeDropped() throws SQLException {
        try (Connection connection = multimed.connect()) {
            execute(connection, "CREATE DATABASE used");
            try (Connection user = multimed.connectTo("used")) {
                execute(user, "CREATE TABLE t (i int)");
                assertEquals("0", ask(user, "SELECT count(*) FROM t"));
            }
            execute(connection, "CREATE DATABASE copied TEMPLATE used");
            execute(connection, "ALTER DATABASE used RENAME TO renamed");
            execute(connection, "DROP DATABASE renamed");
            execute(connection, "DROP DATABASE copied");
        }
    }

    @Test
    void chainBehindAMovedTransactionIsReadOnlyStill() throws SQLException {
        for (String end : List.of("ROLLBACK AND CHAIN", "COMMIT AND CHAIN")) {
            try (Connection connection = multimed.connect()) {
                execute(connection, "SELECT 1");
                execute(connection, "BEGIN READ ONLY");
                assertEquals("x7", ask(connection, "SELECT x FROM t WHERE i = 7"));
                assertEquals("1", ask(connection, "SELECT last_value FROM s"));
                execute(connection, end);
                assertEquals("on", ask(connection, "SHOW transaction_read_only"));
                SQLException refused =
                        assertThrows(SQLException.class, () -> execute(connection, "UPDATE t SET x = x"));
                assertEquals("25006", refused.getSQLState());
                // A failure does not undo properties that the block got by being chained.
                execute(connection, end);
                assertEquals("on", ask(connection, "SHOW transaction_read_only"));
                execute(connection, "ROLLBACK");
            }
        }
    }

    @Test
    void repeatableReadWithItsSnapshotTakenIsNotMovedButRefused() throws SQLException {
        try (Connection connection = multimed.connect()) {
            execute(connection, "SELECT 1");
            execute(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            ask(connection, "SELECT x FROM t WHERE i = 7");
            SQLException refused =
                    assertThrows(SQLException.class, () -> ask(connection, "SELECT pg_notify('a', 'b')"));
            assertEquals("0A000", refused.getSQLState());
            assertEquals(
                    "25P02",
                    assertThrows(SQLException.class, () -> ask(connection, "SELECT 1"))
                            .getSQLState());
            execute(connection, "ROLLBACK");
            assertEquals("1", ask(connection, "SELECT 1"));
        }
    }

    @Test
    void settingsFollowTheirSessionToEveryBackend() throws SQLException {
        try (Connection one = multimed.connect();
                Connection other = multimed.connect()) {
            execute(one, "SET work_mem = '7MB'");
            execute(one, "SET search_path = pg_catalog, public");
            for (int i = 0; i < 5; i++) {
                assertEquals("7MB", ask(one, "SHOW work_mem"));
                assertEquals("4MB", ask(other, "SHOW work_mem"));
                // This read is placed on the Satellite, where other backends serve.
                assertEquals("x1", ask(one, "SELECT x FROM t WHERE i = 1"));
                assertEquals("pg_catalog", ask(one, "SELECT current_schema()"));
                assertEquals("public", ask(other, "SELECT current_schema()"));
            }
            execute(one, "RESET ALL");
            assertEquals("4MB", ask(one, "SHOW work_mem"));
            assertEquals("public", ask(one, "SELECT current_schema()"));
        }
    }

    @Test
    void applicationsOwnSettingsFollowTheirSession() throws SQLException {
        try (Connection one = multimed.connect();
                Connection other = multimed.connect()) {
            execute(one, "SET app.who = 'alice'");
            ask(one, "SELECT set_config('app.tenant', '7', false)");
            execute(other, "SET app.who = 'bob'");
            for (int i = 0; i < 5; i++) {
                assertEquals(
                        "alice 7",
                        ask(one, "SELECT current_setting('app.who') || ' ' || current_setting('app.tenant')"));
                assertEquals("bob", ask(other, "SELECT current_setting('app.who')"));
            }
        }
    }

    @Test
    void settingUnderAComputedNameStaysWithItsSession() throws SQLException {
        String tenant = "SELECT coalesce(current_setting('app.tenant', true), '')";
        try (Connection one = multimed.connect();
                Connection other = multimed.connect()) {
            ask(one, "SELECT set_config('app.who', 'alice', false), set_config('app' || '.tenant', '7', false)");
            for (int i = 0; i < 5; i++) {
                assertEquals("7", ask(one, tenant));
                assertEquals("", ask(other, tenant));
            }
        }
    }

    @Test
    void settingThatIsRolledBackIsForgotten() throws SQLException {
        try (Connection connection = multimed.connect()) {
            execute(connection, "BEGIN");
            execute(connection, "SET work_mem = '9MB'");
            execute(connection, "ROLLBACK");
            assertEquals("4MB", ask(connection, "SHOW work_mem"));
        }
    }

    @Test
    void temporaryTableKeepsItsSessionOnItsBackendAndAwayFromOthers() throws SQLException {
        try (Connection one = multimed.connect();
                Connection other = multimed.connect()) {
            execute(one, "CREATE TEMPORARY TABLE mine (i int)");
            execute(one, "INSERT INTO mine VALUES (42)");
            for (int i = 0; i < 20; i++) {
                assertEquals("1", ask(other, "SELECT 1"));
                assertEquals("42", ask(one, "SELECT i FROM mine"));
            }
            assertEquals(
                    "42P01",
                    assertThrows(SQLException.class, () -> ask(other, "SELECT i FROM mine"))
                            .getSQLState());
        }
    }

    @Test
    void sessionAdvisoryLockIsHeldUntilItsSessionEnds() throws SQLException {
        try (Connection other = multimed.connect()) {
            try (Connection one = multimed.connect()) {
                ask(one, "SELECT pg_advisory_lock(77)");
                assertEquals("f", ask(other, "SELECT pg_try_advisory_lock(77)"));
                assertEquals("1", ask(one, "SELECT 1"));
                assertEquals("f", ask(other, "SELECT pg_try_advisory_lock(77)"));
            }
            await(() -> ask(other, "SELECT pg_try_advisory_lock(77)").equals("t"));
        }
    }

    @Test
    void preparedStatementsAreThereOnWhateverBackend() throws Exception {
        int clients = 40;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<Void>> results = new ArrayList<>();
            for (int c = 0; c < clients; c++) {
                int client = c;
                results.add(threads.submit(() -> {
                    try (Connection connection = multimed.connect("prepareThreshold=1");
                            PreparedStatement read = connection.prepareStatement("SELECT x FROM t WHERE i = ?");
                            PreparedStatement own =
                                    connection.prepareStatement("SELECT ?::int + " + client + " FROM t WHERE i = 1")) {
                        for (int i = 1; i <= 50; i++) {
                            read.setInt(1, i);
                            assertEquals("x" + i, first(read.executeQuery()));
                            own.setInt(1, i);
                            assertEquals(Integer.toString(i + client), first(own.executeQuery()));
                        }
                    }
                    return null;
                }));
            }
            for (Future<Void> result : results) {
                result.get(50, TimeUnit.SECONDS);
            }
        }
        int open = multimed.endpoint.backends(multimed.satellite).stream()
                .mapToInt(backends -> backends.size())
                .sum();
        // There are more than execute side by side if some wait for a processor so long that they count as at rest.
        assertTrue(open < clients, "engine connections: " + open);
    }

    @Test
    void copyGoesBothWays() throws Exception {
        try (Connection connection = multimed.connect()) {
            execute(connection, "CREATE TABLE copied (i int, x text)");
            var copy = connection.unwrap(PGConnection.class).getCopyAPI();
            StringBuilder rows = new StringBuilder();
            for (int i = 0; i < 10_000; i++) {
                rows.append(i).append('\t').append("text ").append(i).append('\n');
            }
            assertEquals(10_000, copy.copyIn("COPY copied FROM STDIN", new StringReader(rows.toString())));
            StringWriter out = new StringWriter();
            copy.copyOut("COPY (SELECT * FROM copied ORDER BY i) TO STDOUT", out);
            assertEquals(rows.toString(), out.toString());
            assertThrows(SQLException.class, () -> copy.copyIn("COPY copied FROM STDIN", new StringReader("x\ty\n")));
            assertEquals("10000", ask(connection, "SELECT count(*) FROM copied"));
        }
    }

    @Test
    void cancelReachesTheStatementAndNotTheNext() throws Exception {
        try (Connection connection = multimed.connect();
                Statement statement = connection.createStatement();
                WireSession engine = multimed.openEngine();
                ExecutorService canceller = Executors.newSingleThreadExecutor()) {
            Future<?> cancelled = canceller.submit(() -> {
                // The driver sends no request before it has begun to send the statement.
                await(() -> !engine.rows("SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)'")
                        .isEmpty());
                statement.cancel();
                return null;
            });
            SQLException answer = assertThrows(SQLException.class, () -> statement.executeQuery("SELECT pg_sleep(30)"));
            assertEquals("57014", answer.getSQLState());
            cancelled.get();
            for (int i = 0; i < 20; i++) {
                assertEquals("1", ask(connection, "SELECT 1"));
            }
        }
    }

    @Test
    void rowsOfAnySizePass() throws SQLException {
        try (Connection connection = multimed.connect()) {
            assertEquals(
                    20_000_000, ask(connection, "SELECT repeat('x', 20000000)").length());
            try (PreparedStatement statement = connection.prepareStatement("SELECT length(?::text)")) {
                statement.setString(1, "y".repeat(20_000_000));
                assertEquals("20000000", first(statement.executeQuery()));
            }
        }
    }

    @Test
    void moreClientsThanEngineConnectionsTakeTurns() throws Exception {
        int clients = 200;
        List<Connection> connections = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            for (int i = 0; i < clients; i++) {
                connections.add(multimed.connect());
            }
            List<Future<String>> answers = new ArrayList<>();
            for (Connection connection : connections) {
                answers.add(threads.submit(() -> ask(connection, "SELECT sum(i) FROM t WHERE i <= 100")));
            }
            for (Future<String> answer : answers) {
                assertEquals("5050", answer.get(30, TimeUnit.SECONDS));
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    @Test
    void wrongFreshnessIsRefusedAndRightOneShown() throws SQLException {
        try (Connection connection = multimed.connect()) {
            assertEquals("strong", ask(connection, "SHOW multimed.freshness"));
            execute(connection, "SET multimed.freshness = session");
            assertEquals("session", ask(connection, "SHOW multimed.freshness"));
            assertEquals(
                    "22023",
                    assertThrows(SQLException.class, () -> execute(connection, "SET multimed.freshness = 'stale'"))
                            .getSQLState());
            assertEquals("session", ask(connection, "SHOW multimed.freshness"));
            execute(connection, "RESET multimed.freshness");
            assertEquals("strong", ask(connection, "SHOW multimed.freshness"));
        }
    }

    @Test
    void unknownDatabaseIsRefusedInTheEnginesWords() {
        SQLException refused = assertThrows(SQLException.class, () -> multimed.connectTo("nowhere"));
        assertEquals("3D000", refused.getSQLState());
    }

    static void await(Callable<Boolean> condition) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        try {
            while (!condition.call()) {
                assertFalse(System.nanoTime() - deadline > 0, "condition did not come");
                LockSupport.parkNanos(100_000);
            }
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String route(Connection connection) throws SQLException {
        return ask(connection, "SHOW multimed.route");
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return first(statement.executeQuery(sql));
        }
    }

    private static String first(ResultSet rows) throws SQLException {
        try (rows) {
            assertTrue(rows.next());
            return String.valueOf(rows.getString(1));
        }
    }
}
