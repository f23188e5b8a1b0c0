package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a session's statement can be ended by another session, wherever it runs: by the number of its session on the Master. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class EndedByOtherSessionsTest {
    /** Runs for hours unless it is ended. */
    private static final String LONG = "SELECT COUNT(*) FROM T A, T B, T C, T D, T E, T F, T G"
            + " WHERE A.A + B.A + C.A + D.A + E.A + F.A + G.A < 0";

    private static final long MOST_SECONDS = 10;

    private final String database = UUID.randomUUID().toString();
    private String url = "";
    private Statement read;

    @BeforeEach
    void noneReads() {
        read = null;
    }

    /** Ends what no other session has ended. */
    @AfterEach
    void end() throws SQLException {
        if (read != null && !read.isClosed()) {
            read.cancel();
        }
    }

    private Connection connect(String engine) throws SQLException {
        url = "jdbc:multimed:" + engine + ":mem:" + database + ";replicas=3";
        return DriverManager.getConnection(url, "SA", "");
    }

    private static void fill(Connection connection) throws SQLException {
        execute(connection, "CREATE TABLE T(A INT)");
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES (?)")) {
            for (int i = 0; i < 200; i++) {
                insert.setInt(1, i);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** Begins the long read. Returns once the session's reads run on a Satellite. */
    private FutureTask<Void> reads(Connection reader) throws SQLException {
        assertEquals("200", value(reader, "SELECT COUNT(*) FROM T"));
        assertTrue(value(reader, "SHOW multimed.route").startsWith("satellite"), "reads run on a Satellite");
        read = reader.createStatement();
        FutureTask<Void> reading = new FutureTask<>(() -> {
            read.executeQuery(LONG).close();
            return null;
        });
        new Thread(reading).start();
        return reading;
    }

    /** A way of saying it in SQL. */
    private interface Ending {
        boolean of(Connection by, int session) throws SQLException;
    }

    private static boolean first(ResultSet rows) throws SQLException {
        try (rows) {
            assertTrue(rows.next());
            return rows.getBoolean(1);
        }
    }

    private static Ending ending(String form) {
        return (by, session) -> {
            if (form.startsWith("{")) {
                try (CallableStatement call = by.prepareCall(form)) {
                    call.setInt(1, session);
                    return first(call.executeQuery());
                }
            }
            if (form.contains("?")) {
                try (PreparedStatement prepared = by.prepareStatement(form)) {
                    prepared.setInt(1, session);
                    return first(prepared.executeQuery());
                }
            }
            try (Statement statement = by.createStatement()) {
                return first(statement.executeQuery(form.formatted(session)));
            }
        };
    }

    private static SQLException ended(FutureTask<Void> reading) throws Exception {
        return assertInstanceOf(
                SQLException.class,
                assertThrows(ExecutionException.class, () -> reading.get(MOST_SECONDS, TimeUnit.SECONDS))
                        .getCause());
    }

    private static void endUntilDone(Ending ending, Connection by, int session) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (!ending.of(by, session)) {
            assertTrue(System.nanoTime() < deadline, "the session's statement is not found");
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | CALL CANCEL_SESSION(%d)",
                "false | call cancel_session(%d)",
                "true | SELECT CANCEL_SESSION(%d)",
                "true | VALUES CANCEL_SESSION(? + 0)",
                "true | CALL CANCEL_SESSION(?)",
                "true | {call CANCEL_SESSION(?)}",
                "true | SELECT CANCEL_SESSION(SESSION_ID) FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = ?"
            })
    void h2CancelsAReadOnAReplica(boolean autoCommit, String form) throws Exception {
        try (Connection reader = connect("h2");
                Connection other = connect("h2")) {
            fill(reader);
            int session = Integer.parseInt(value(reader, "CALL SESSION_ID()"));
            Ending ending = ending(form);
            assertFalse(ending.of(other, session), "an idle session has nothing to be cancelled");
            reader.setReadOnly(!autoCommit);
            reader.setAutoCommit(autoCommit);

            FutureTask<Void> reading = reads(reader);
            endUntilDone(ending, other, session);

            SQLException cancelled = ended(reading);
            assertEquals("57014", cancelled.getSQLState());
            assertInstanceOf(SQLTimeoutException.class, cancelled, "the same error as H2's own");
            assertFalse(ending.of(other, session), "it is idle again");
            assertEquals("200", value(reader, "SELECT COUNT(*) FROM T"), "the session goes on");
            if (!autoCommit) {
                reader.rollback();
            }
            assertEquals("1", value(reader, "SELECT 1"));
            assertTrue(value(reader, "SHOW multimed.route").startsWith("satellite"));
        }
    }

    @Test
    void h2sNullAndNumbersOfNobodyMeanWhatTheyMean() throws Exception {
        try (Connection reader = connect("h2");
                Connection other = connect("h2")) {
            fill(reader);
            FutureTask<Void> reading = reads(reader);
            assertEquals("null", value(other, "CALL CANCEL_SESSION(NULL)"));
            assertEquals("FALSE", value(other, "CALL CANCEL_SESSION(4711)"));
            assertThrows(TimeoutException.class, () -> reading.get(300, TimeUnit.MILLISECONDS));
        }
    }

    @Test
    void h2LetsOnlyAdministratorsCancel() throws Exception {
        try (Connection reader = connect("h2")) {
            fill(reader);
            int session = Integer.parseInt(value(reader, "CALL SESSION_ID()"));
            execute(reader, "CREATE USER GUEST PASSWORD ''");
            FutureTask<Void> reading = reads(reader);
            try (Connection guest = DriverManager.getConnection(url, "GUEST", "")) {
                for (int i = 0; i < 50; i++) {
                    assertEquals(
                            90040,
                            assertThrows(
                                            SQLException.class,
                                            () -> execute(guest, "CALL CANCEL_SESSION(" + session + ")"))
                                    .getErrorCode());
                }
            }
            assertFalse(reading.isDone());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"END STATEMENT", "RELEASE"})
    void hsqldbEndsAReadOnAReplica(String how) throws Exception {
        try (Connection reader = connect("hsqldb");
                Connection other = connect("hsqldb")) {
            fill(reader);
            long session = Long.parseLong(value(reader, "CALL SESSION_ID()"));
            FutureTask<Void> reading = reads(reader);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
            while (!reading.isDone() && System.nanoTime() < deadline) {
                execute(other, "ALTER SESSION " + session + " " + how);
            }
            assertTrue(ended(reading).getSQLState().startsWith("40"), "HSQLDB's error, of that class");
            assertEquals("200", value(reader, "SELECT COUNT(*) FROM T"), "the session goes on");
            assertTrue(value(reader, "SHOW multimed.route").startsWith("satellite"));
            execute(other, "SHUTDOWN");
        }
    }
}
