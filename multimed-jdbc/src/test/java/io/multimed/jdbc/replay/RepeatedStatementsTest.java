package io.multimed.jdbc.replay;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static io.multimed.jdbc.replay.RepeatedDatabase.assertEqualEverywhere;
import static io.multimed.jdbc.replay.RepeatedDatabase.connect;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests engines that do not tell which rows have changed: every replica executes committed statements again. */
@Tag("slow")
class RepeatedStatementsTest {
    /** Number of transactions of one client under load. */
    private static final int ROUNDS = 40;

    private static final int SQLITE_BUSY = 5;
    /** Derby's deadlock, and its wait for a lock that has lasted too long. */
    private static final Set<String> CONFLICTS = Set.of("40001", "40XL1");

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"DERBY,2", "DERBY,3", "SQLITE,2", "SQLITE,3", "DUCKDB,2", "DUCKDB,3"})
    void readsRunOnASecondaryAndSeeWhatWasJustCommitted(RepeatedDatabase engine, int replicas) throws SQLException {
        String url = engine.url(directory, replicas);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT)");
            for (int i = 1; i <= 50; i++) {
                execute(connection, "INSERT INTO T VALUES (" + i + ")");
                assertEquals(String.valueOf(i), value(connection, "SELECT MAX(A) FROM T"));
                assertEquals("satellite: a read by itself", value(connection, "SHOW multimed.route"));
            }
            execute(connection, "UPDATE T SET A = A + 1 WHERE A > 25", "DELETE FROM T WHERE A < 10");
            assertEqualEverywhere(url, replicas, "T");
        }
    }

    @ParameterizedTest
    @EnumSource
    void parametersGoAlongWithTheirStatements(RepeatedDatabase engine) throws SQLException {
        String url = engine.url(directory, 3);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT PRIMARY KEY, B VARCHAR(20), C DECIMAL(10,2), D VARCHAR(10))");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES (?, ?, ?, ?)")) {
                for (int i = 0; i < 20; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, "it's " + i);
                    insert.setBigDecimal(3, BigDecimal.valueOf(i * 10L, 2));
                    insert.setString(4, null);
                    assertEquals(1, insert.executeUpdate());
                }
            }
            assertEqualEverywhere(url, 3, "T");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DERBY", "SQLITE"})
    void whatIsRolledBackIsExecutedNowhereElse(RepeatedDatabase engine) throws SQLException {
        String url = engine.url(directory, 3);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT PRIMARY KEY)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO T VALUES (1)");
            connection.rollback();
            execute(connection, "INSERT INTO T VALUES (2)");
            Savepoint savepoint = connection.setSavepoint("S");
            execute(connection, "INSERT INTO T VALUES (3)");
            connection.rollback(savepoint);
            assertThrows(SQLException.class, () -> execute(connection, "INSERT INTO T VALUES (2)"));
            execute(connection, "INSERT INTO T VALUES (4)");
            connection.commit();
            connection.setAutoCommit(true);
            assertEquals("6", value(connection, "SELECT SUM(A) FROM T"));
            assertEqualEverywhere(url, 3, "T");
        }
    }

    @Test
    void ofSavepointsWithOneNameTheLatestCounts() throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 2);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT)");
            connection.setAutoCommit(false);
            Savepoint first = connection.setSavepoint("S");
            execute(connection, "INSERT INTO T VALUES (1)");
            connection.setSavepoint("S");
            execute(connection, "INSERT INTO T VALUES (2)");
            connection.rollback(first);
            connection.commit();
            connection.setSavepoint("S");
            execute(connection, "INSERT INTO T VALUES (4)");
            Savepoint second = connection.setSavepoint("S");
            connection.releaseSavepoint(second);
            execute(connection, "INSERT INTO T VALUES (8)");
            connection.rollback(second);
            execute(connection, "INSERT INTO T VALUES (16)");
            connection.commit();
            connection.setAutoCommit(true);
            assertEquals("17", value(connection, "SELECT SUM(A) FROM T"));
            assertEqualEverywhere(url, 2, "T");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClosedStatementTellsNoConnectionButThatOfTheApplication(RepeatedDatabase engine) throws SQLException {
        try (Connection connection = connect(engine.url(directory, 2))) {
            Statement statement = connection.createStatement();
            statement.execute("CREATE TABLE T(A INT)");
            statement.close();
            Connection told;
            try {
                told = statement.getConnection();
            } catch (SQLException e) {
                told = connection;
            }
            assertSame(connection, told);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DERBY", "SQLITE"})
    void ofABatchThatFailsHalfWayTheRestGoesNowhere(RepeatedDatabase engine) throws SQLException {
        String url = engine.url(directory, 3);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT PRIMARY KEY)");
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES (?)")) {
                for (int value : new int[] {1, 2, 1, 3}) {
                    insert.setInt(1, value);
                    insert.addBatch();
                }
                BatchUpdateException failed = assertThrows(BatchUpdateException.class, insert::executeBatch);
                assertArrayEquals(new int[] {1, 1}, failed.getUpdateCounts());
                for (int value : new int[] {10, 11}) {
                    insert.setInt(1, value);
                    insert.addBatch();
                }
                assertArrayEquals(new int[] {1, 1}, insert.executeBatch());
            }
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("INSERT INTO T VALUES (20)");
                statement.addBatch("UPDATE T SET A = A + 100 WHERE A > 5");
                assertArrayEquals(new int[] {1, 3}, statement.executeBatch());
            }
            connection.commit();
            assertEqualEverywhere(url, 3, "T");
        }
    }

    /** For the application the elements are transactions of their own; Derby rolls them back as one transaction. */
    @Test
    void ofABatchUnderAutoCommitWhoseTransactionIsRolledBackNothingIsToldAsExecuted() throws SQLException {
        String url = RepeatedDatabase.DERBY.url(directory, 2);
        try (Connection connection = connect(url);
                Connection other = connect(url)) {
            execute(connection, "CREATE TABLE T(ID INT PRIMARY KEY, A INT)", "INSERT INTO T VALUES (1, 0), (2, 0)");
            String master = "jdbc:" + url.substring("jdbc:multimed:".length(), url.indexOf(";create"));
            try (Connection plain = DriverManager.getConnection(master)) {
                execute(plain, "CALL SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.locks.waitTimeout', '1')");
            }
            other.setAutoCommit(false);
            execute(other, "UPDATE T SET A = 9 WHERE ID = 2");
            try (PreparedStatement update = connection.prepareStatement("UPDATE T SET A = A + 1 WHERE ID = ?")) {
                for (int id = 1; id <= 2; id++) {
                    update.setInt(1, id);
                    update.addBatch();
                }
                BatchUpdateException failed = assertThrows(BatchUpdateException.class, update::executeBatch);
                assertEquals("40XL1", failed.getSQLState(), failed.getMessage());
                assertArrayEquals(new int[0], failed.getUpdateCounts());
            }
            other.rollback();
            assertEquals("0", value(connection, "SELECT SUM(A) FROM T"));
            assertEqualEverywhere(url, 2, "T");
        }
    }

    @Test
    void aPreparedCommitMayBeABatch() throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 2);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO T VALUES (1)");
            try (PreparedStatement commit = connection.prepareStatement("COMMIT")) {
                commit.addBatch();
                assertEquals(1, commit.executeBatch().length);
            }
            connection.rollback();
            connection.setAutoCommit(true);
            assertEquals("1", value(connection, "SELECT COUNT(*) FROM T"));
            assertEqualEverywhere(url, 2, "T");
        }
    }

    /** The definition comes after other changes, whose counts an engine may remember. */
    @ParameterizedTest
    @EnumSource
    void aPreparedDefinitionMayBeABatch(RepeatedDatabase engine) throws SQLException {
        String url = engine.url(directory, 2);
        try (Connection connection = connect(url);
                Connection other = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1), (2), (3)");
            execute(other, "INSERT INTO T VALUES (4)");
            try (PreparedStatement create = connection.prepareStatement("CREATE TABLE U(A INT)")) {
                create.addBatch();
                assertEquals(1, create.executeBatch().length);
            }
            execute(connection, "INSERT INTO U VALUES (1)");
            assertEqualEverywhere(url, 2, "T", "U");
        }
    }

    /** SQLite refuses that within a transaction, and its driver has begun one. */
    @Test
    void toBeginATransactionAgainIsRefusedAndDoesNotCommitIt() throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 2);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO T VALUES (1)");
            assertThrows(SQLException.class, () -> execute(connection, "BEGIN"));
            connection.rollback();
            execute(connection, "INSERT INTO T VALUES (2)");
            connection.commit();
            connection.setAutoCommit(true);
            assertEquals("2", value(connection, "SELECT SUM(A) FROM T"));
            assertEqualEverywhere(url, 2, "T");
        }
    }

    @ParameterizedTest
    @CsvSource({"BEGIN IMMEDIATE, true", "begin exclusive transaction, true", "BEGIN DEFERRED TRANSACTION, false"})
    void howATransactionOfSqliteBeginsInWordsIsHowItBegins(String begin, boolean locks) throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 2).replace(";replicas", "?busy_timeout=50;replicas");
        try (Connection first = connect(url);
                Connection second = connect(url)) {
            execute(first, "CREATE TABLE T(A INT)", begin);
            assertFalse(first.getAutoCommit());
            if (locks) {
                SQLException busy = assertThrows(SQLException.class, () -> execute(second, "INSERT INTO T VALUES (1)"));
                assertEquals(SQLITE_BUSY, busy.getErrorCode(), busy.getMessage());
                busy = assertThrows(SQLException.class, () -> execute(second, "BEGIN IMMEDIATE"));
                assertEquals(SQLITE_BUSY, busy.getErrorCode(), busy.getMessage());
                assertTrue(second.getAutoCommit(), "it has begun nothing");
            } else {
                execute(second, "INSERT INTO T VALUES (1)");
            }
            execute(first, "INSERT INTO T VALUES (2)", "COMMIT");
            assertTrue(first.getAutoCommit());
            execute(second, "BEGIN IMMEDIATE", "INSERT INTO T VALUES (3)", "ROLLBACK");
            execute(second, "BEGIN IMMEDIATE");
            assertEquals(locks ? "2" : "3", value(second, "SELECT SUM(A) FROM T"));
            execute(second, "INSERT INTO T VALUES (4)", "END TRANSACTION");
            assertEquals(locks ? "6" : "7", value(first, "SELECT SUM(A) FROM T"));
            assertEqualEverywhere(url, 2, "T");
        }
    }

    @Test
    void withoutReplicasTransactionsInWordsAreThoseOfSqlite() throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 1).replace(";replicas", "?busy_timeout=50;replicas");
        try (Connection first = connect(url);
                Connection second = connect(url)) {
            execute(first, "CREATE TABLE T(A INT)", "BEGIN IMMEDIATE");
            assertEquals(
                    SQLITE_BUSY,
                    assertThrows(SQLException.class, () -> execute(second, "BEGIN IMMEDIATE"))
                            .getErrorCode());
            execute(first, "INSERT INTO T VALUES (1)", "ROLLBACK");
            execute(second, "BEGIN IMMEDIATE", "INSERT INTO T VALUES (2)", "COMMIT");
            assertEquals("2", value(first, "SELECT SUM(A) FROM T"));
        }
    }

    /** A form of BEGIN that SQLite does not know causes an error, and begins nothing. */
    @Test
    void whatBeginsNoTransactionOfSqliteIsTheEnginesToRefuse() throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 2);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT)");
            assertThrows(SQLException.class, () -> execute(connection, "BEGIN CONCURRENT"));
            assertTrue(connection.getAutoCommit());
            execute(connection, "INSERT INTO T VALUES (1)");
            assertEqualEverywhere(url, 2, "T");
        }
    }

    @Test
    void settingsThatDoNotChangeWhatStatementsMeanMayDiffer() throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 2);
        try (Connection first = connect(url);
                Connection second = connect(url.replace(";replicas", "?busy_timeout=50;replicas"))) {
            execute(first, "CREATE TABLE T(A INT)");
            execute(second, "INSERT INTO T VALUES (1)");
            assertEqualEverywhere(url, 2, "T");
        }
    }

    @Test
    void keysThatSqliteGeneratesAreEqualOnAllReplicasAfterRollbacks() throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 3);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(ID INTEGER PRIMARY KEY AUTOINCREMENT, A INT)");
            connection.setAutoCommit(false);
            for (int i = 1; i <= 10; i++) {
                try (PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO T(A) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
                    insert.setInt(1, i);
                    insert.executeUpdate();
                    try (ResultSet keys = insert.getGeneratedKeys()) {
                        assertTrue(keys.next());
                    }
                }
                if (i % 3 == 0) {
                    connection.rollback();
                } else {
                    connection.commit();
                }
            }
            assertEqualEverywhere(url, 3, "T");
        }
    }

    /** The engine reports that no row was changed, but the trigger's changes count nevertheless. */
    @Test
    void whatATriggerInsteadOfAStatementChangesIsChangedEverywhere() throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 3);
        try (Connection connection = connect(url)) {
            execute(
                    connection,
                    "CREATE TABLE T(A INT)",
                    "CREATE VIEW V AS SELECT A FROM T",
                    "CREATE TRIGGER G INSTEAD OF INSERT ON V BEGIN INSERT INTO T VALUES (NEW.A * 2); END",
                    "INSERT INTO V VALUES (4)");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO V VALUES (?)");
                    Statement plain = connection.createStatement()) {
                insert.setInt(1, 5);
                insert.executeUpdate();
                plain.executeUpdate("INSERT INTO V VALUES (6)");
            }
            assertEquals("30", value(connection, "SELECT SUM(A) FROM T"));
            assertEqualEverywhere(url, 3, "T");
        }
    }

    @ParameterizedTest
    @EnumSource
    void definitionsArePartOfTheirTransaction(RepeatedDatabase engine) throws SQLException {
        String url = engine.url(directory, 3);
        try (Connection connection = connect(url)) {
            connection.setAutoCommit(false);
            execute(connection, "CREATE TABLE GONE(A INT)");
            connection.rollback();
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            connection.commit();
            execute(connection, "ALTER TABLE T ADD COLUMN B INT DEFAULT 5", "CREATE VIEW V AS SELECT A, B FROM T");
            connection.commit();
            connection.setAutoCommit(true);
            assertEquals("5", value(connection, "SELECT B FROM V"));
            assertThrows(SQLException.class, () -> value(connection, "SELECT * FROM GONE"));
            assertEqualEverywhere(url, 3, "T", "V");
        }
    }

    /** Metadata are the same before a change, in its transaction and after it, and the query blocks no other session. */
    @ParameterizedTest
    @EnumSource
    void metadataAreThoseOfTheMaster(RepeatedDatabase engine) throws SQLException {
        String url = engine.url(directory, 2);
        try (Connection connection = connect(url);
                Connection other = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT)");
            assertEquals("T", tables(connection));
            connection.setAutoCommit(false);
            assertEquals("T", tables(connection));
            execute(connection, "CREATE TABLE U(A INT)");
            assertEquals("TU", tables(connection));
            connection.rollback();
            assertEquals("T", tables(connection));
            connection.commit();
            execute(other, "INSERT INTO T VALUES (1)");
            assertEqualEverywhere(url, 2, "T");
        }
    }

    private static String tables(Connection connection) throws SQLException {
        StringBuilder names = new StringBuilder();
        try (ResultSet tables = connection.getMetaData().getTables(null, null, "_", null)) {
            while (tables.next()) {
                names.append(tables.getString("TABLE_NAME"));
            }
        }
        return names.toString();
    }

    @ParameterizedTest
    @EnumSource
    void replicasAreEqualAfterAConcurrentLoad(RepeatedDatabase engine) throws Exception {
        String url = engine.url(directory, 3);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT PRIMARY KEY, B INT)", "CREATE TABLE U(A INT, B INT)");
            for (int i = 0; i < 20; i++) {
                execute(connection, "INSERT INTO T VALUES (" + i + ", 0)");
            }
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                List<Future<Integer>> loads = new ArrayList<>();
                for (int seed = 1; seed <= 4; seed++) {
                    Random random = new Random(seed);
                    loads.add(threads.submit(() -> load(url, random)));
                }
                int committed = 0;
                for (Future<Integer> load : loads) {
                    committed += load.get();
                }
                assertTrue(committed > ROUNDS, "only " + committed + " were committed");
            } finally {
                threads.shutdown();
            }
            assertEqualEverywhere(url, 3, "T", "U");
        }
    }

    /**
     * Runs transactions that depend on each other's rows. Some end in a deadlock, or wait too long behind several of these (Derby: 40001,
     * 40XL1), or find the database busy.
     */
    private static int load(String url, Random random) throws SQLException {
        int committed = 0;
        try (Connection connection = connect(url)) {
            for (int i = 0; i < ROUNDS; i++) {
                connection.setAutoCommit(false);
                try {
                    int from = random.nextInt(20);
                    execute(connection, "UPDATE T SET B = B * 2 + 1 WHERE A = " + from + " AND B < 100000");
                    execute(
                            connection,
                            "INSERT INTO U SELECT A, B FROM T WHERE A = " + random.nextInt(20),
                            "DELETE FROM U WHERE A = " + random.nextInt(20));
                    if (random.nextInt(5) == 0) {
                        connection.rollback();
                    } else {
                        connection.commit();
                        committed++;
                    }
                } catch (SQLException e) {
                    if (!CONFLICTS.contains(String.valueOf(e.getSQLState())) && e.getErrorCode() != SQLITE_BUSY) {
                        throw e;
                    }
                    connection.rollback();
                }
                connection.setAutoCommit(true);
                value(connection, "SELECT COUNT(*) FROM U");
            }
        }
        return committed;
    }
}
