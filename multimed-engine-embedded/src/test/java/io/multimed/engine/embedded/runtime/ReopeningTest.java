package io.multimed.engine.embedded.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.h2.H2Family;
import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a persistent Master that ends is opened again. A step that fails half-way is repeated and leaves nothing behind. */
class ReopeningTest {
    private static final int TIMES = 5;
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    Path directory;

    private final Properties credentials = new Properties();
    private String url = "";
    /** Name of the call that H2 cannot execute at the moment, as if memory had run out. */
    private volatile String failing = "";

    @BeforeEach
    void name() {
        url = "jdbc:h2:file:" + directory.resolve("shop");
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
    }

    /** H2 with one call that may fail. */
    private final class Faulty implements EngineFamily {
        private final H2Family h2 = new H2Family();

        @Override
        public MasterEngine open(String of, Properties login, boolean capture) throws SQLException {
            return faulty(MasterEngine.class, h2.open(of, login, capture));
        }

        @Override
        public Properties login(String of, Properties given) throws SQLException {
            return h2.login(of, given);
        }
    }

    private <T> T faulty(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals(failing)) {
                        throw new SQLException("out of memory");
                    }
                    Object result;
                    try {
                        result = method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    return result instanceof MasterEngine.Image image
                            ? faulty(MasterEngine.Image.class, image)
                            : result;
                }));
    }

    private EmbeddedSession open(int replicas) throws SQLException {
        EngineFamily family = new Faulty();
        Properties login = family.login(url, credentials);
        ReplicatedDatabase database =
                ReplicatedDatabase.open(family, EmbeddedOptions.of(url, replicas), login, closed -> {});
        EmbeddedSession session = database.connect(database.options(), login, ReplicaListener.NONE);
        assertNotNull(session);
        session.changeCatalog("CREATE TABLE t(id INT)", () -> execute(session, "CREATE TABLE t(id INT)"));
        session.beforeUpdate();
        execute(session, "INSERT INTO t VALUES(1)");
        session.afterUpdate();
        return session;
    }

    private static boolean execute(EmbeddedSession session, String sql) throws SQLException {
        try (Statement statement = session.master().createStatement()) {
            return statement.execute(sql);
        }
    }

    /** Ends the engine from outside, without the runtime's knowledge. All commits are in the file. */
    private void end() throws SQLException {
        try (Connection plain = DriverManager.getConnection(url, "SA", "");
                Statement statement = plain.createStatement()) {
            statement.execute("SHUTDOWN");
        }
    }

    private static int one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getInt(1);
        }
    }

    private static long rebuilding() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("multimed-rebuild-"))
                .count();
    }

    private static void awaitRebuilding(long atMost) throws InterruptedException {
        long began = System.nanoTime();
        while (rebuilding() > atMost) {
            assertTrue(System.nanoTime() - began < DEADLINE_NANOS, rebuilding() + " threads");
            Thread.sleep(10);
        }
    }

    @Test
    void attemptsThatFailHalfWayLeaveNoConnection() throws Exception {
        try (EmbeddedSession session = open(2)) {
            failing = "image";
            end();
            for (int i = 0; i < TIMES; i++) {
                assertEquals(
                        "08006",
                        assertThrows(SQLException.class, session::liveMaster).getSQLState());
            }
            try (Connection plain = DriverManager.getConnection(url, "SA", "")) {
                assertEquals(1, one(plain, "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS"));
            }
            failing = "";
            assertEquals(1, one(session.liveMaster(), "SELECT COUNT(*) FROM t"));
            session.rollback();
            Replica replica = session.beginRead(true);
            assertEquals(1, one(replica.connection(), "SELECT COUNT(*) FROM t"));
            replica.endRead();
        }
        awaitRebuilding(0);
    }

    @Test
    void whoRebuildsAReplicaOfAFormerMasterGivesUp() throws Exception {
        try (EmbeddedSession session = open(2)) {
            failing = "create";
            for (int i = 0; i < TIMES; i++) {
                end();
                assertEquals(1, one(session.liveMaster(), "SELECT COUNT(*) FROM t"));
                session.rollback();
            }
            awaitRebuilding(1);
            failing = "";
            awaitRebuilding(0);
            assertEquals("serving", session.database().nodes().get(1).state());
        }
    }
}
