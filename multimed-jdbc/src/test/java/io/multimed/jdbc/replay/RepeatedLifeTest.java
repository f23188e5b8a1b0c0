package io.multimed.jdbc.replay;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static io.multimed.jdbc.replay.RepeatedDatabase.assertEqualEverywhere;
import static io.multimed.jdbc.replay.RepeatedDatabase.connect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.multimed.jdbc.Transfers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests opening, closing, and conflicts between connections. */
@Tag("slow")
class RepeatedLifeTest {
    private static final String REPEATED = ";replicas=2;propagation=statements";

    /** Number of changes that are cancelled. */
    private static final int CANCELLED = 300;

    private static final long PATIENCE_NANOS = 100_000;

    @TempDir
    Path directory;

    @Test
    void aDatabaseOfDerbyOnDiskIsOpenedAgainAsItWasLeft() throws SQLException {
        String engine = "derby:" + directory.resolve("shop");
        String url = "jdbc:multimed:" + engine + ";create=true" + REPEATED;
        for (int run = 1; run <= 3; run++) {
            try (Connection connection = connect(url)) {
                if (run == 1) {
                    execute(connection, "CREATE TABLE T(A INT)");
                }
                assertEquals(String.valueOf(run - 1), value(connection, "SELECT COUNT(*) FROM T"));
                execute(connection, "INSERT INTO T VALUES (" + run + ")");
                assertEqualEverywhere(url, 2, "T");
            }
            SQLException ended = assertThrows(SQLException.class, () -> connect("jdbc:" + engine + ";shutdown=true"));
            assertEquals("08006", ended.getSQLState());
        }
    }

    /** Derby reports the schema of the user's name before it exists, and creates it with the first table. */
    @Test
    void aUserOfDerbyMayHaveNoSchemaYet() throws SQLException {
        String url = RepeatedDatabase.DERBY.url(directory, 2);
        try (Connection connection = connect(url);
                Connection other = connect(url + ";user=OTHER")) {
            execute(connection, "CREATE TABLE T(A INT)");
            execute(other, "INSERT INTO APP.T VALUES (1)");
            execute(connection, "INSERT INTO T VALUES (2)");
            assertEqualEverywhere(url, 2, "T");
            execute(other, "CREATE TABLE MINE(A INT)", "INSERT INTO MINE VALUES (3)");
            assertEquals("3", value(other, "SELECT A FROM MINE"));
            assertEqualEverywhere(url, 2, "T", "OTHER.MINE");
        }
    }

    /** A reader outside Multimed holds the file when a transaction wants to write it. */
    @Test
    void whatSqliteIsTooBusyToCommitIsNowhere() throws SQLException {
        Path file = directory.resolve("busy");
        String url = "jdbc:multimed:sqlite:" + file + "?busy_timeout=50" + REPEATED;
        try (Connection connection = connect(url);
                Connection outside = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)", "INSERT INTO T VALUES (2)");
            connection.setAutoCommit(false);
            try (Statement statement = outside.createStatement();
                    ResultSet reading = statement.executeQuery("SELECT A FROM T")) {
                assertTrue(reading.next());
                execute(connection, "INSERT INTO T VALUES (3)");
                assertThrows(SQLException.class, connection::commit);
            }
            connection.rollback();
            assertEquals("2", value(connection, "SELECT COUNT(*) FROM T"));
            execute(connection, "INSERT INTO T VALUES (4)");
            connection.commit();
            connection.setAutoCommit(true);
            assertEquals("7", value(connection, "SELECT SUM(A) FROM T"));
            assertEqualEverywhere(url, 2, "T");
        }
    }

    @Test
    void aTransactionThatFindsSqliteBusyBeginsAnew() throws SQLException {
        String url = "jdbc:multimed:sqlite:" + directory.resolve("busy") + "?busy_timeout=50" + REPEATED;
        try (Connection first = connect(url);
                Connection second = connect(url)) {
            execute(first, "CREATE TABLE T(A INT)");
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            execute(first, "INSERT INTO T VALUES (1)");
            assertThrows(SQLException.class, () -> execute(second, "INSERT INTO T VALUES (2)"));
            first.commit();
            second.rollback();
            execute(second, "INSERT INTO T VALUES (3)");
            second.commit();
            assertEqualEverywhere(url, 2, "T");
            first.setAutoCommit(true);
            assertEquals("4", value(first, "SELECT SUM(A) FROM T"));
        }
    }

    /** The data that the transaction has read may have changed. */
    @Test
    void aTransactionThatHasReadAndThenFindsSqliteBusyIsOver() throws SQLException {
        Path file = directory.resolve("busy");
        String url = "jdbc:multimed:sqlite:" + file + "?busy_timeout=50" + REPEATED;
        try (Connection connection = connect(url);
                Connection outside = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            connection.setAutoCommit(false);
            assertEquals("1", value(connection, "SELECT MAX(A) FROM T"));
            execute(outside, "BEGIN IMMEDIATE");
            assertThrows(SQLException.class, () -> execute(connection, "INSERT INTO T VALUES (2)"));
            execute(outside, "ROLLBACK");
            assertIsOver(connection, "INSERT INTO T VALUES (2)");
            connection.rollback();
            assertEquals("1", value(connection, "SELECT MAX(A) FROM T"));
            execute(connection, "INSERT INTO T VALUES (3)");
            connection.commit();
            assertEqualEverywhere(url, 2, "T");
            assertEquals("4", value(connection, "SELECT SUM(A) FROM T"));
        }
    }

    /** With a shared cache SQLite locks tables, so a transaction may meet a locked table after it has changed another one. */
    @Test
    void aTransactionThatHasChangedAndThenFindsSqliteLockedIsOver() throws SQLException {
        String engine = "sqlite:file:" + directory.resolve("shared") + "?cache=shared";
        String url = "jdbc:multimed:" + engine + REPEATED;
        try (Connection connection = connect(url);
                Connection outside = DriverManager.getConnection("jdbc:" + engine)) {
            execute(connection, "CREATE TABLE T(A INT)", "CREATE TABLE U(A INT)", "INSERT INTO U VALUES (1)");
            connection.setAutoCommit(false);
            try (Statement statement = outside.createStatement();
                    ResultSet reading = statement.executeQuery("SELECT A FROM U")) {
                assertTrue(reading.next());
                execute(connection, "INSERT INTO T VALUES (1)");
                assertThrows(SQLException.class, () -> execute(connection, "INSERT INTO U VALUES (2)"));
            }
            assertIsOver(connection, "INSERT INTO U VALUES (2)");
            connection.rollback();
            assertEquals("0", value(connection, "SELECT COUNT(*) FROM T"));
            execute(connection, "INSERT INTO T VALUES (3)", "INSERT INTO U VALUES (3)");
            connection.commit();
            assertEqualEverywhere(url, 2, "T", "U");
            assertEquals("3", value(connection, "SELECT SUM(A) FROM T"));
        }
    }

    /** SQLite has then rolled back. Its driver does not notice, and would begin no new transaction. */
    @Test
    void aTransactionOfSqliteInWhichAChangeWasCancelledIsOver() throws Exception {
        String url = RepeatedDatabase.SQLITE.url(directory, 2);
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO T VALUES (2)");
            FutureTask<Void> endless = new FutureTask<>(() -> {
                statement.execute("INSERT INTO T WITH RECURSIVE N(A) AS (SELECT 3 UNION ALL SELECT A + 1 FROM N)"
                        + " SELECT A FROM N WHERE A < 0");
                return null;
            });
            new Thread(endless, "endless").start();
            // Before the statement has begun there is nothing to cancel.
            while (!endless.isDone()) {
                statement.cancel();
                Thread.sleep(1);
            }
            assertThrows(ExecutionException.class, endless::get);
            assertIsOver(connection, "INSERT INTO T VALUES (4)");
            connection.rollback();
            execute(connection, "INSERT INTO T VALUES (5)");
            connection.rollback();
            assertEquals("1", value(connection, "SELECT MAX(A) FROM T"));
            execute(connection, "INSERT INTO T VALUES (6)");
            connection.commit();
            connection.setAutoCommit(true);
            assertEquals("7", value(connection, "SELECT SUM(A) FROM T"));
            assertEqualEverywhere(url, 2, "T");
        }
    }

    /** A cancellation on a SQLite connection affects all that runs there until nothing does. */
    @Test
    void whatSqliteCouldNotRollBackIsNotCommitted() throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 2);
        try (Connection connection = connect(url);
                Statement reading = connection.createStatement()) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1), (2)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO T VALUES (3)");
            try (ResultSet open = reading.executeQuery("SELECT A FROM T")) {
                assertTrue(open.next());
                reading.cancel();
                assertThrows(SQLException.class, connection::rollback);
            }
            SQLException refused = assertThrows(SQLException.class, connection::commit);
            assertEquals("40001", refused.getSQLState(), refused.getMessage());
            execute(connection, "INSERT INTO T VALUES (4)");
            connection.commit();
            connection.setAutoCommit(true);
            assertEquals("7", value(connection, "SELECT SUM(A) FROM T"));
            assertEqualEverywhere(url, 2, "T");
        }
    }

    /** The connection itself may be unusable, as with SQLite's driver alone: each of its statements is then interrupted. */
    @Test
    void whatWasCancelledAgainAndAgainIsTheSameEverywhere() throws Exception {
        String url = RepeatedDatabase.SQLITE.url(directory, 2);
        try (Connection keeper = connect(url)) {
            execute(keeper, "CREATE TABLE T(A INT)");
            int executed = 0;
            try (Connection connection = connect(url);
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES (1)")) {
                AtomicBoolean ended = new AtomicBoolean();
                FutureTask<Void> impatient = new FutureTask<>(() -> {
                    while (!ended.get()) {
                        insert.cancel();
                        LockSupport.parkNanos(PATIENCE_NANOS);
                    }
                    return null;
                });
                new Thread(impatient, "impatient").start();
                for (int i = 0; i < CANCELLED; i++) {
                    try {
                        executed += insert.executeUpdate();
                    } catch (SQLException e) {
                        // In this case the change has not happened.
                    }
                }
                ended.set(true);
                impatient.get();
            }
            assertEquals(String.valueOf(executed), value(keeper, "SELECT COUNT(*) FROM T"));
            assertEqualEverywhere(url, 2, "T");
        }
    }

    private static void assertIsOver(Connection connection, String sql) {
        SQLException next = assertThrows(SQLException.class, () -> execute(connection, sql));
        assertEquals("40001", next.getSQLState(), next.getMessage());
        SQLException commit = assertThrows(SQLException.class, connection::commit);
        assertEquals("40001", commit.getSQLState(), commit.getMessage());
    }

    @Test
    void aLongReaderOfDerbyKeepsItsReplicaBehindAndNobodyElse() throws SQLException {
        String url = RepeatedDatabase.DERBY.url(directory, 2) + ";patience=100ms";
        try (Connection reader = connect(url);
                Connection other = connect(url)) {
            execute(other, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            reader.setAutoCommit(false);
            reader.setReadOnly(true);
            assertEquals("1", value(reader, "SELECT COUNT(*) FROM T"));
            assertEquals("satellite: a read-only transaction", value(reader, "SHOW multimed.route"));
            for (int i = 2; i <= 3; i++) {
                execute(other, "INSERT INTO T VALUES (" + i + ")");
                assertEquals(String.valueOf(i), value(other, "SELECT COUNT(*) FROM T"));
                assertTrue(value(other, "SHOW multimed.route").startsWith("master"));
            }
            assertEquals("1", value(reader, "SELECT COUNT(*) FROM T"));
            reader.commit();
            do {
                assertEquals("3", value(other, "SELECT COUNT(*) FROM T"));
            } while (value(other, "SHOW multimed.route").startsWith("master"));
            assertEqualEverywhere(url, 2, "T");
        }
    }

    @Test
    void connectionsToDerbyArePooled() throws Exception {
        String url = RepeatedDatabase.DERBY.url(directory, 3);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(3);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            try (Connection connection = pool.getConnection()) {
                execute(connection, "CREATE TABLE ACCOUNT(ID INT PRIMARY KEY, BALANCE INT)");
                for (int i = 0; i < 10; i++) {
                    execute(connection, "INSERT INTO ACCOUNT VALUES (" + i + ", 100)");
                }
            }
            ExecutorService threads = Executors.newFixedThreadPool(4);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int thread = i;
                running.add(threads.submit(() -> {
                    for (int j = 0; j < 20; j++) {
                        Transfers.transfer(pool, (thread + j) % 10, (thread + 7 * j + 1) % 10);
                        try (Connection connection = pool.getConnection()) {
                            assertEquals("1000", value(connection, "SELECT SUM(BALANCE) FROM ACCOUNT"));
                        }
                    }
                    return null;
                }));
            }
            threads.shutdown();
            for (Future<?> future : running) {
                future.get(60, TimeUnit.SECONDS);
            }
            assertEqualEverywhere(url, 3, "ACCOUNT");
        }
    }

    @Test
    void aFileThatIsNamedInAnotherWayIsTheSameDatabase() throws SQLException {
        Path file = directory.resolve("shop");
        String url = "jdbc:multimed:sqlite:" + file + REPEATED;
        try (Connection one = connect(url);
                Connection other = connect("jdbc:multimed:sqlite:file:" + directory.resolve("x/../shop") + REPEATED)) {
            execute(one, "CREATE TABLE T(A INT)");
            execute(other, "INSERT INTO T VALUES (1)");
            assertEquals("1", value(one, "SELECT A FROM T"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"?foreign_keys=true", "?Foreign_Keys=true", "?reverse_unordered_selects=true"})
    void settingsThatChangeWhatStatementsMeanAreTheSameForAll(String settings) throws SQLException {
        String file = "jdbc:multimed:sqlite:" + directory.resolve("shop");
        try (Connection connection = connect(file + REPEATED)) {
            assertEquals(
                    "08001",
                    assertThrows(SQLException.class, () -> connect(file + settings + REPEATED))
                            .getSQLState());
            Properties properties = new Properties();
            properties.setProperty(
                    settings.substring(1, settings.indexOf('=')).toLowerCase(java.util.Locale.ROOT), "true");
            assertEquals(
                    "08001",
                    assertThrows(SQLException.class, () -> DriverManager.getConnection(file + REPEATED, properties))
                            .getSQLState());
            execute(connection, "CREATE TABLE T(A INT)");
        }
        try (Connection connection = connect(file + settings + REPEATED)) {
            execute(connection, "INSERT INTO T VALUES (1)");
            assertEqualEverywhere(file + settings + REPEATED, 2, "T");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE T(A DEFAULT (random/* */()))",
                "CREATE TABLE T(A DEFAULT (\"random\"()))",
                "CREATE TABLE T(A DEFAULT '--', B DEFAULT ([random] ()))"
            })
    void aDatabaseOfSqliteThatHoldsSuchThingsIsRefused(String definition) throws SQLException {
        String file = "sqlite:" + directory.resolve("shop");
        try (Connection connection = connect("jdbc:" + file)) {
            execute(connection, definition);
        }
        SQLException refused = assertThrows(SQLException.class, () -> connect("jdbc:multimed:" + file + REPEATED));
        assertEquals("0A000", refused.getSQLState());
    }

    private String duckDb(String settings) {
        RepeatedDatabase.DUCKDB.url(directory, 2);
        return "jdbc:multimed:duckdb:" + directory.resolve("shop.db") + settings + REPEATED;
    }

    @Test
    void aDatabaseOfDuckDbOnDiskIsOpenedAgainAsItWasLeft() throws SQLException {
        String url = duckDb("");
        for (int run = 1; run <= 3; run++) {
            try (Connection connection = connect(url);
                    Connection other = connect(url.replace("shop.db", "x/../shop.db"))) {
                if (run == 1) {
                    execute(connection, "CREATE TABLE T(A INT)");
                }
                assertEquals(String.valueOf(run - 1), value(connection, "SELECT COUNT(*) FROM T"));
                // With the name of the database, which is that of its file.
                execute(other, "INSERT INTO shop.main.T VALUES (" + run + ")");
                assertEqualEverywhere(url, 2, "T");
            }
        }
    }

    @Test
    void settingsOfAnEngineThatIsDescribedAreTheSameForAll() throws SQLException {
        try (Connection connection = connect(duckDb(""))) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
        }
        String url = duckDb(";threads=1");
        try (Connection connection = connect(url)) {
            execute(connection, "INSERT INTO T VALUES (2)");
            SQLException refused = assertThrows(SQLException.class, () -> connect(duckDb(";threads=2")));
            assertEquals("08001", refused.getSQLState());
            assertTrue(refused.getMessage().contains("with other settings"), refused.getMessage());
            assertEqualEverywhere(url, 2, "T");
        }
    }

    /** A file may have other contents when a replica reads it. */
    @Test
    void statementsOfDuckDbReadNoFiles() throws Exception {
        Path file = Files.writeString(directory.resolve("rows.csv"), "1\n");
        try (Connection connection = connect(RepeatedDatabase.DUCKDB.url(Path.of("."), 2))) {
            execute(connection, "CREATE TABLE T(A INT)");
            SQLException refused = assertThrows(
                    SQLException.class,
                    () -> execute(
                            connection,
                            "INSERT INTO T SELECT * FROM '"
                                    + file.toAbsolutePath().getRoot() + "etc/x.csv'"));
            assertTrue(refused.getMessage().contains("disabled by configuration"), refused.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE T(A TIMESTAMP DEFAULT current_timestamp) | column A with",
                "CREATE TABLE T(A INT DEFAULT (random() * 9)) | column A with RANDOM(…)",
                "CREATE SEQUENCE S | sequence s with NEXTVAL",
                "CREATE MACRO twice(A) AS A + A | macro twice with TWICE(…)",
                "CREATE VIEW V AS SELECT uuid() AS A | view V with UUID(…)"
            })
    void aDatabaseOfAnEngineThatIsDescribedIsRefusedIfItHoldsSuchThings(String definition, String what)
            throws SQLException {
        String url = duckDb("");
        try (Connection alone = connect(url.replaceFirst(";.*", ";replicas=1"))) {
            execute(alone, definition);
        }
        SQLException refused = assertThrows(SQLException.class, () -> connect(url));
        assertEquals("0A000", refused.getSQLState(), refused.toString());
        assertTrue(
                refused.getMessage()
                        .toLowerCase(java.util.Locale.ROOT)
                        .contains(what.toLowerCase(java.util.Locale.ROOT)),
                refused.getMessage());
    }

    /** Opens databases and exits without closing them. */
    static final class Forgetful {
        private Forgetful() {}

        public static void main(String[] urls) throws SQLException {
            for (String url : urls) {
                execute(connect(url), "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            }
            System.exit(0);
        }
    }

    @Test
    void aProcessLeavesNothingBehind() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-Dorg.sqlite.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                Forgetful.class.getName()));
        for (RepeatedDatabase engine : RepeatedDatabase.values()) {
            if (engine.isHere()) {
                command.add(engine.url(directory, 3));
            }
        }
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .inheritIO()
                .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue());
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(
                    List.of(),
                    left.filter(path -> path.getFileName().toString().startsWith("multimed-"))
                            .toList());
        }
    }
}
