package io.multimed.engine.embedded.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.ReadPolicy;
import io.multimed.engine.embedded.Replica;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.h2.H2Family;
import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.model.Freshness;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.Test;

/** Tests the source from which a replica that differs from the Master is made anew. */
class DifferingReplicaTest {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int PERCENT_FOR_COMPARISON = 50;

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private final AtomicInteger failedCopies = new AtomicInteger();
    private volatile boolean masterCannotBeCopied;

    /** H2 whose Master may refuse to be copied. */
    private final class Refusing implements EngineFamily {
        private final H2Family h2 = new H2Family();

        @Override
        public MasterEngine open(String of, Properties login, boolean capture) throws SQLException {
            MasterEngine real = h2.open(of, login, capture);
            return (MasterEngine) Proxy.newProxyInstance(
                    MasterEngine.class.getClassLoader(),
                    new Class<?>[] {MasterEngine.class},
                    (proxy, method, arguments) -> {
                        if (masterCannotBeCopied && method.getName().equals("image")) {
                            failedCopies.incrementAndGet();
                            throw new SQLException("out of memory");
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        @Override
        public Properties login(String of, Properties given) throws SQLException {
            return h2.login(of, given);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int sum(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT SUM(v) FROM t")) {
            assertTrue(rows.next());
            return rows.getInt(1);
        }
    }

    private static void await(BooleanSupplier condition, EmbeddedSession session) {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(
                    System.nanoTime() - began < DEADLINE_NANOS,
                    () -> session.database().nodes().toString());
            Thread.onSpinWait();
        }
    }

    @Test
    void isTheMasterAloneHoweverOftenThatCannotBeCopied() throws Exception {
        Properties credentials = new Properties();
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        EngineFamily family = new Refusing();
        Properties login = family.login(url, credentials);
        EmbeddedOptions options = new EmbeddedOptions(
                url, 3, ReadPolicy.STICKY, Freshness.STRONG, Duration.ofSeconds(2), PERCENT_FOR_COMPARISON);
        ReplicatedDatabase database = ReplicatedDatabase.open(family, options, login, closed -> {});
        try (EmbeddedSession session = database.connect(options, login, ReplicaListener.NONE)) {
            assertNotNull(session);
            session.changeCatalog("CREATE TABLE t(id INT PRIMARY KEY, v INT)", () -> {
                execute(session.master(), "CREATE TABLE t(id INT PRIMARY KEY, v INT)");
                return true;
            });
            session.beforeUpdate();
            execute(session.master(), "INSERT INTO t VALUES(1, 1), (2, 2)");
            session.afterUpdate();
            masterCannotBeCopied = true;
            Replica replica = session.beginRead(true);
            JdbcConnection connection = (JdbcConnection) replica.connection();
            Database engine = ((SessionLocal) connection.getSession()).getDatabase();
            engine.setReadOnly(false);
            execute(connection, "UPDATE t SET v = 17 WHERE id = 1");
            engine.setReadOnly(true);
            replica.endRead();

            // The second attempt must not take the other Satellite, which might have the same difference.
            await(() -> failedCopies.get() >= 3, session);
            masterCannotBeCopied = false;
            await(() -> database.nodes().stream().allMatch(node -> node.state().equals("serving")), session);
            Replica again = session.beginRead(true);
            assertEquals(3, sum(again.connection()));
            again.endRead();
        }
    }
}
