package io.multimed.engine.embedded.runtime;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.h2.H2Family;
import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that the last session of a database ends it, even if another session is opened at that moment. */
class LastCloseTest {
    private static final long DEADLINE_SECONDS = 20;

    /** A step in the calling thread before a call of the engine. */
    @FunctionalInterface
    private interface Before {
        void call(String method) throws Exception;
    }

    private static ReplicatedDatabase open(Before before) throws SQLException {
        EngineFamily family = (url, user, capture) -> watched(new H2Family().open(url, user, capture), before);
        return ReplicatedDatabase.open(
                family, EmbeddedOptions.of("jdbc:h2:mem:" + UUID.randomUUID(), 2), credentials(), gone -> {});
    }

    private static Properties credentials() {
        Properties credentials = new Properties();
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        return credentials;
    }

    private static MasterEngine watched(MasterEngine engine, Before before) {
        return (MasterEngine) Proxy.newProxyInstance(
                MasterEngine.class.getClassLoader(),
                new Class<?>[] {MasterEngine.class},
                (proxy, method, arguments) -> {
                    before.call(method.getName());
                    try {
                        return method.invoke(engine, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static @Nullable EmbeddedSession connect(ReplicatedDatabase database) throws SQLException {
        return database.connect(database.options(), credentials(), ReplicaListener.NONE);
    }

    private static EmbeddedSession connected(ReplicatedDatabase database) throws SQLException {
        EmbeddedSession session = connect(database);
        assertNotNull(session);
        return session;
    }

    private static void awaitBlocked(Thread thread) throws InterruptedException {
        long began = System.nanoTime();
        while (thread.getState() != Thread.State.BLOCKED) {
            assertTrue(
                    thread.isAlive() && System.nanoTime() - began < TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS),
                    "does not wait");
            Thread.sleep(1);
        }
    }

    @Test
    void whoHasConnectedToTheEngineByThenOpensTheDatabaseAnew() throws Exception {
        CountDownLatch lastIsClosing = new CountDownLatch(1);
        CountDownLatch lateIsConnected = new CountDownLatch(1);
        Thread[] late = new Thread[1];
        ReplicatedDatabase database = open(method -> {
            if (method.equals("sameEngine") && Thread.currentThread() == late[0]) {
                lateIsConnected.countDown();
                lastIsClosing.await();
            } else if (method.equals("outlivesConnections")) {
                // No session is left, and none can be counted during this check.
                lastIsClosing.countDown();
                awaitBlocked(late[0]);
            }
        });
        EmbeddedSession last = connected(database);
        FutureTask<@Nullable EmbeddedSession> session = new FutureTask<>(() -> connect(database));
        late[0] = new Thread(session);
        late[0].start();
        assertTrue(lateIsConnected.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
        last.close();
        assertNull(session.get(DEADLINE_SECONDS, TimeUnit.SECONDS), "a session whose Satellites have ended");
        assertTrue(database.closed());
    }

    @Test
    void aSessionThatCouldNotBeOpenedDoesNotKeepItOpen() throws Exception {
        boolean[] fails = new boolean[1];
        ReplicatedDatabase database = open(method -> {
            if (fails[0] && method.equals("definesBesideTransactions")) {
                throw new IllegalStateException("fails");
            }
        });
        try (EmbeddedSession session = connected(database);
                Statement unannounced = session.master().createStatement()) {
            unannounced.execute("CREATE TABLE strayed(id INT)");
            fails[0] = true;
            assertThrows(IllegalStateException.class, () -> connect(database));
            fails[0] = false;
        }
        assertTrue(database.closed());
    }
}
