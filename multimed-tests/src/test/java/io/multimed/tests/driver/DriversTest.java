package io.multimed.tests.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.copy.CopyManager;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Real clients through Multimed: pgjdbc, and psql and pgbench where they are installed. */
@Tag("slow")
class DriversTest {
    private static final String DATABASE = "drivers";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @BeforeAll
    static void createDatabase() throws IOException {
        try (WireSession owner =
                WireSession.open(RunningMultimed.shared().address(), "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE DATABASE " + DATABASE);
        }
    }

    @AfterAll
    static void dropDatabase() throws IOException {
        try (WireSession owner =
                WireSession.open(RunningMultimed.shared().master(), "postgres", "postgres", PATIENCE)) {
            owner.rows("DROP DATABASE " + DATABASE + " WITH (FORCE)");
        }
    }

    private static Connection connect(String options) throws SQLException {
        ServerAddress address = RunningMultimed.shared().address();
        return DriverManager.getConnection("jdbc:postgresql://" + address.host() + ":" + address.port() + "/" + DATABASE
                + "?user=postgres&socketTimeout=60" + options);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String value(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"})
    void everyQueryMode(String mode) throws SQLException {
        try (Connection connection = connect("&preferQueryMode=" + mode + "&prepareThreshold=2")) {
            String table = "mode_" + mode.toLowerCase(java.util.Locale.ROOT);
            execute(connection, "CREATE TABLE " + table + " (i int PRIMARY KEY, s text, b bytea, n numeric)");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?, ?, ?)")) {
                for (int i = 0; i < 10; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, i == 3 ? null : "row " + i);
                    insert.setBytes(3, new byte[] {0, (byte) i, -1});
                    insert.setBigDecimal(4, new java.math.BigDecimal("1.25"));
                    assertEquals(1, insert.executeUpdate());
                }
            }
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT s, b, n FROM " + table + " WHERE i = ?")) {
                for (int i = 0; i < 10; i++) {
                    select.setInt(1, i);
                    try (ResultSet row = select.executeQuery()) {
                        assertTrue(row.next());
                        assertEquals(i == 3 ? null : "row " + i, row.getString(1));
                        assertArrayEquals(new byte[] {0, (byte) i, -1}, row.getBytes(2));
                        assertEquals(new java.math.BigDecimal("1.25"), row.getBigDecimal(3));
                    }
                }
            }
        }
    }

    @Test
    void batchesAndGeneratedKeys() throws SQLException {
        try (Connection connection = connect("&reWriteBatchedInserts=true")) {
            execute(connection, "CREATE TABLE batch (id serial PRIMARY KEY, v int)");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO batch (v) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
                for (int i = 0; i < 500; i++) {
                    insert.setInt(1, i);
                    insert.addBatch();
                }
                assertEquals(500, insert.executeBatch().length);
                List<Integer> keys = new ArrayList<>();
                try (ResultSet generated = insert.getGeneratedKeys()) {
                    while (generated.next()) {
                        keys.add(generated.getInt(1));
                    }
                }
                assertEquals(500, keys.size());
            }
            assertEquals("124750", value(connection, "SELECT sum(v) FROM batch"));
        }
    }

    @Test
    void cursorsByFetchSizeInReadOnlyTransactions() throws SQLException {
        try (Connection connection = connect("")) {
            execute(connection, "CREATE TABLE many AS SELECT generate_series(1, 1000) AS i");
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(70);
                try (ResultSet result = statement.executeQuery("SELECT i FROM many ORDER BY i")) {
                    int expected = 1;
                    while (result.next()) {
                        assertEquals(expected++, result.getInt(1));
                    }
                    assertEquals(1001, expected);
                }
            }
            SQLException refused = assertThrows(SQLException.class, () -> execute(connection, "DELETE FROM many"));
            assertEquals("25006", refused.getSQLState());
            connection.rollback();
        }
    }

    @Test
    void copyInAndOut() throws Exception {
        try (Connection connection = connect("")) {
            execute(connection, "CREATE TABLE copied (i int, s text)");
            CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
            byte[] lines = "1\tone\n2\ttwo\n".getBytes(StandardCharsets.UTF_8);
            assertEquals(2, copy.copyIn("COPY copied FROM STDIN", new ByteArrayInputStream(lines)));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            assertEquals(2, copy.copyOut("COPY copied TO STDOUT", out));
            assertArrayEquals(lines, out.toByteArray());
        }
    }

    @Test
    void listenAndNotify() throws SQLException {
        try (Connection listener = connect("");
                Connection notifier = connect("")) {
            execute(listener, "LISTEN drivers");
            execute(notifier, "NOTIFY drivers, 'hello'");
            PGNotification[] heard = listener.unwrap(PGConnection.class).getNotifications(30_000);
            assertEquals(
                    List.of("hello"),
                    Arrays.stream(heard).map(PGNotification::getParameter).toList());
        }
    }

    @Test
    void cancelsWhatRuns() throws Exception {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            SQLException cancelled =
                    assertThrows(SQLException.class, () -> statement.executeQuery("SELECT pg_sleep(600)"));
            assertEquals("57014", cancelled.getSQLState());
            assertEquals("1", value(connection, "SELECT 1"));
        }
    }

    @Test
    void largeObjects() throws SQLException {
        try (Connection connection = connect("")) {
            connection.setAutoCommit(false);
            LargeObjectManager manager = connection.unwrap(PGConnection.class).getLargeObjectAPI();
            long oid = manager.createLO();
            byte[] content = new byte[100_000];
            Arrays.fill(content, (byte) 7);
            try (LargeObject written = manager.open(oid, LargeObjectManager.WRITE)) {
                written.write(content);
            }
            connection.commit();
            try (LargeObject read = manager.open(oid, LargeObjectManager.READ)) {
                assertArrayEquals(content, read.read(200_000));
            }
            manager.unlink(oid);
            connection.commit();
        }
    }

    @Test
    void savepointsAndMetadata() throws SQLException {
        try (Connection connection = connect("")) {
            execute(connection, "CREATE TABLE described (i int PRIMARY KEY, s text)");
            try (ResultSet columns = connection.getMetaData().getColumns(null, "public", "described", null)) {
                assertTrue(columns.next());
                assertEquals("i", columns.getString("COLUMN_NAME"));
            }
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO described VALUES (1, 'kept')");
            var savepoint = connection.setSavepoint();
            assertThrows(SQLException.class, () -> execute(connection, "INSERT INTO described VALUES (1, 'twice')"));
            connection.rollback(savepoint);
            connection.commit();
            assertEquals("kept", value(connection, "SELECT s FROM described"));
            connection.rollback();
        }
    }

    @Test
    void psql() throws Exception {
        assumeTrue(Programs.installed("psql"), "psql is not installed");
        ServerAddress address = RunningMultimed.shared().address();
        String url = "postgresql://postgres@" + address.host() + ":" + address.port() + "/" + DATABASE;
        String output = Programs.run(
                "psql",
                "-X",
                "-A",
                "-t",
                "-v",
                "ON_ERROR_STOP=1",
                url,
                "-c",
                "CREATE TABLE by_psql (i int)",
                "-c",
                "INSERT INTO by_psql VALUES (1), (2)",
                "-c",
                "SELECT sum(i) FROM by_psql",
                "-c",
                "\\d by_psql");
        assertTrue(output.contains("\n3\n") && output.contains("i|integer"), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "prepared"})
    void pgbench(String protocol) throws Exception {
        assumeTrue(Programs.installed("pgbench"), "pgbench is not installed");
        ServerAddress address = RunningMultimed.shared().address();
        String[] where = {"-h", address.host(), "-p", String.valueOf(address.port()), "-U", "postgres"};
        String database = "pgbench_" + protocol;
        try (WireSession owner =
                WireSession.open(RunningMultimed.shared().address(), "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE DATABASE " + database);
        }
        Programs.run(command(where, "-i", "-q", "-s", "1", database));
        String output = Programs.run(command(where, "-M", protocol, "-c", "4", "-t", "50", database));
        assertTrue(output.contains("200/200") && output.contains("failed transactions: 0"), output);
        output = Programs.run(command(where, "-M", protocol, "-S", "-c", "4", "-t", "200", database));
        assertTrue(output.contains("800/800") && output.contains("failed transactions: 0"), output);
        assertFalse(output.contains("error"), output);
    }

    private static String[] command(String[] where, String... arguments) {
        List<String> all = new ArrayList<>(List.of("pgbench"));
        all.addAll(Arrays.asList(where));
        all.addAll(Arrays.asList(arguments));
        return all.toArray(new String[0]);
    }
}
