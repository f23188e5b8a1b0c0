package io.multimed.jdbc.faults;

import static io.multimed.jdbc.Sql.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.UUID;
import java.util.stream.Stream;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.hsqldb.Database;
import org.hsqldb.jdbc.JDBCConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ends the Master's engine without Multimed's knowledge. The next call either succeeds, or fails with a transient error and
 * succeeds when it is repeated. All acknowledged changes are there.
 */
@Tag("slow")
class MasterEndsTest {
    static {
        System.setProperty("derby.stream.error.file", "target/derby.log");
    }

    @TempDir
    private static Path directory;

    /** Name of a database in memory, or of its files. */
    private final String name = directory.resolve(UUID.randomUUID().toString()).toString();

    /** An engine, and a way in which a database of it may end. */
    enum Death {
        H2_SHUTDOWN("h2"),
        H2_SHUTDOWN_IMMEDIATELY("h2"),
        H2_FAILURE("h2"),
        HSQLDB_SHUTDOWN("hsqldb"),
        HSQLDB_SHUTDOWN_IMMEDIATELY("hsqldb"),
        HSQLDB_FAILURE("hsqldb"),
        H2_FILE_SHUTDOWN("h2"),
        HSQLDB_FILE_SHUTDOWN("hsqldb"),
        DERBY_DROP("derby");

        final String engine;

        Death(String engine) {
            this.engine = engine;
        }

        private String options() {
            return switch (engine) {
                case "h2" -> "h2:" + kind() + ":%s;DB_CLOSE_DELAY=-1;user=SA;password=";
                case "hsqldb" -> "hsqldb:" + kind() + ":%s;user=SA;password=";
                default -> "derby:memory:%s;create=true";
            };
        }

        private String kind() {
            return name().contains("FILE") ? "file" : "mem";
        }

        String url(String name) {
            String more = engine.equals("derby") ? ";propagation=statements" : "";
            return "jdbc:multimed:" + options().formatted(name) + ";replicas=3" + more;
        }

        void ends(String name, Connection open) throws SQLException {
            switch (this) {
                case H2_SHUTDOWN, HSQLDB_SHUTDOWN, H2_FILE_SHUTDOWN, HSQLDB_FILE_SHUTDOWN -> outside(name, "SHUTDOWN");
                case H2_SHUTDOWN_IMMEDIATELY, HSQLDB_SHUTDOWN_IMMEDIATELY -> outside(name, "SHUTDOWN IMMEDIATELY");
                case H2_FAILURE ->
                    ((SessionLocal) open.unwrap(JdbcConnection.class).getSession())
                            .getDatabase()
                            .shutdownImmediately();
                case HSQLDB_FAILURE ->
                    ((org.hsqldb.Session) open.unwrap(JDBCConnection.class).getSession())
                            .getDatabase()
                            .close(Database.CLOSEMODE_IMMEDIATELY);
                case DERBY_DROP -> {
                    SQLException dropped = assertThrows(
                            SQLException.class,
                            () -> DriverManager.getConnection("jdbc:derby:memory:" + name + ";drop=true"));
                    assertEquals("08006", dropped.getSQLState());
                }
            }
        }

        private void outside(String name, String sql) throws SQLException {
            try (Connection plain =
                            DriverManager.getConnection("jdbc:" + options().formatted(name));
                    Statement statement = plain.createStatement()) {
                statement.execute(sql);
            }
        }
    }

    /** A call on a connection. */
    @FunctionalInterface
    interface Call {
        void on(Connection connection) throws SQLException;
    }

    /** The first call that an application may make. */
    enum First {
        NOTHING(connection -> {}),
        UPDATE(connection -> execute(connection, "INSERT INTO T VALUES (3)")),
        PREPARED_UPDATE(connection -> {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES (?)")) {
                insert.setInt(1, 3);
                assertEquals(1, insert.executeUpdate());
            }
        }),
        BATCH(connection -> {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES (?)")) {
                for (int i = 3; i < 5; i++) {
                    insert.setInt(1, i);
                    insert.addBatch();
                }
                assertEquals(2, insert.executeBatch().length);
            }
        }),
        PREPARED_READ(connection -> {
            try (PreparedStatement read = connection.prepareStatement("SELECT MAX(A) FROM T");
                    ResultSet rows = read.executeQuery()) {
                assertTrue(rows.next());
                assertEquals(2, rows.getInt(1));
            }
        }),
        READ(connection -> assertEquals(2, max(connection))),
        READ_FOR_UPDATE(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT A FROM T FOR UPDATE")) {
                assertTrue(rows.next());
            }
        }),
        DEFINITION(connection -> execute(connection, "CREATE TABLE U(A INT)")),
        COMMIT_OF_NOTHING(connection -> {
            connection.setAutoCommit(false);
            connection.commit();
            connection.setAutoCommit(true);
        }),
        TRANSACTION(connection -> {
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO T VALUES (3)");
            connection.commit();
            connection.setAutoCommit(true);
        }),
        READ_ONLY_TRANSACTION(connection -> {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertEquals(2, max(connection));
            connection.commit();
            connection.setAutoCommit(true);
            connection.setReadOnly(false);
        }),
        SAVEPOINT(connection -> {
            connection.setAutoCommit(false);
            connection.setSavepoint();
            connection.rollback();
            connection.setAutoCommit(true);
        }),
        METADATA(connection -> {
            try (ResultSet tables = connection.getMetaData().getTables(null, null, "T", null)) {
                assertTrue(tables.next());
            }
        }),
        ISOLATION(connection -> {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            assertEquals(Connection.TRANSACTION_SERIALIZABLE, connection.getTransactionIsolation());
        }),
        VALID(connection -> {
            assertFalse(connection.isClosed());
            assertTrue(connection.isValid(5));
        });

        final Call call;

        First(Call call) {
            this.call = call;
        }
    }

    private static int max(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT MAX(A) FROM T")) {
            assertTrue(rows.next());
            return rows.getInt(1);
        }
    }

    private Connection create(Death death) throws SQLException {
        Connection connection = DriverManager.getConnection(death.url(name));
        execute(connection, "CREATE TABLE T(A INT NOT NULL)", "INSERT INTO T VALUES (1)", "INSERT INTO T VALUES (2)");
        return connection;
    }

    private static void twiceAtMost(Connection connection, Call call) throws SQLException {
        try {
            call.on(connection);
        } catch (SQLTransientException e) {
            // Once more, as the error says.
            if (!connection.getAutoCommit()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            call.on(connection);
        }
    }

    private void assertNothingLost(Death death, Connection connection) throws SQLException {
        execute(connection, "INSERT INTO T VALUES (10)");
        assertEquals(10, max(connection));
        try (Connection another = DriverManager.getConnection(death.url(name));
                Statement statement = another.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM T WHERE A IN (1, 2, 10)")) {
                assertTrue(rows.next());
                assertEquals(3, rows.getInt(1));
            }
            execute(another, "INSERT INTO T VALUES (11)");
        }
        assertEquals(11, max(connection));
    }

    private static Stream<Arguments> deathsAndFirstCalls() {
        return Stream.of(Death.values())
                .flatMap(death -> Stream.of(First.values()).map(first -> Arguments.of(death, first)));
    }

    @ParameterizedTest
    @MethodSource("deathsAndFirstCalls")
    void anOpenConnectionGoesOnWithoutItsMaster(Death death, First first) throws SQLException {
        try (Connection connection = create(death)) {
            death.ends(name, connection);
            twiceAtMost(connection, first.call);
            assertNothingLost(death, connection);
        }
    }

    @ParameterizedTest
    @MethodSource("deathsAndFirstCalls")
    void aConnectionMadeAfterTheMasterHasEndedFindsWhatWasThere(Death death, First first) throws SQLException {
        try (Connection before = create(death)) {
            death.ends(name, before);
            try (Connection connection = DriverManager.getConnection(death.url(name))) {
                first.call.on(connection);
                assertNothingLost(death, connection);
            }
            assertEquals(11, max(before));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Death.class,
            names = {"H2_.*", "HSQLDB_.*"},
            mode = EnumSource.Mode.MATCH_ANY)
    void aDatabaseWithoutConnectionsOutlivesItsMaster(Death death) throws SQLException {
        try (Connection before = create(death)) {
            death.ends(name, before);
        }
        try (Connection connection = DriverManager.getConnection(death.url(name))) {
            assertEquals(2, max(connection));
            assertNothingLost(death, connection);
        }
    }

    @ParameterizedTest
    @EnumSource(Death.class)
    void aTransactionEndsWithItsMaster(Death death) throws SQLException {
        for (First last :
                new First[] {First.NOTHING, First.UPDATE, First.PREPARED_UPDATE, First.SAVEPOINT, First.METADATA}) {
            try (Connection connection = DriverManager.getConnection(death.url(name + last))) {
                execute(connection, "CREATE TABLE T(A INT NOT NULL)", "INSERT INTO T VALUES (2)");
                connection.setAutoCommit(false);
                execute(connection, "INSERT INTO T VALUES (3)");
                death.ends(name + last, connection);
                assertThrows(
                        SQLTransientException.class,
                        () -> {
                            last.call.on(connection);
                            connection.commit();
                        },
                        last.name());
                connection.rollback();
                assertEquals(2, max(connection), last.name());
                connection.rollback();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Death.class)
    void whatAConnectionHasSetOutlivesItsMaster(Death death) throws SQLException {
        try (Connection connection = create(death)) {
            execute(connection, "CREATE SCHEMA S", "CREATE TABLE S.OWN(A INT)");
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setSchema("S");
            death.ends(name, connection);
            twiceAtMost(connection, same -> execute(same, "INSERT INTO OWN VALUES (1)"));
            assertEquals(Connection.TRANSACTION_SERIALIZABLE, connection.getTransactionIsolation());
            assertEquals("S", connection.getSchema());
        }
    }

    @Test
    void aDatabaseThatIsShutDownThroughMultimedIsGone() throws SQLException {
        for (Death engine : new Death[] {Death.H2_SHUTDOWN, Death.HSQLDB_SHUTDOWN}) {
            try (Connection other = create(engine)) {
                try (Connection connection = DriverManager.getConnection(engine.url(name))) {
                    execute(connection, "SHUTDOWN");
                    assertTrue(connection.isClosed());
                }
                assertThrows(SQLException.class, () -> execute(other, "INSERT INTO T VALUES (3)"));
                assertThrows(SQLException.class, () -> max(other));
                try (Connection again = DriverManager.getConnection(engine.url(name))) {
                    assertThrows(SQLException.class, () -> max(again));
                    assertThrows(SQLException.class, () -> max(other));
                    execute(again, "SHUTDOWN");
                }
            }
        }
    }
}
