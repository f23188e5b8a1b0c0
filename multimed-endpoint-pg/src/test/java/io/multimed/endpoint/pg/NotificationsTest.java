package io.multimed.endpoint.pg;

import static io.multimed.endpoint.pg.EndpointOnOneEngine.ask;
import static io.multimed.endpoint.pg.EndpointOnOneEngine.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Notifications: their receivers, order and time, and the number of connections used for them. */
@Timeout(60)
class NotificationsTest {
    private static final int PATIENCE_MILLIS = 20_000;

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    /** Waits for the connections of closed clients to end, which takes a moment. */
    @BeforeEach
    void nobodyListens() {
        awaitPrivateConnections(0);
    }

    @Test
    void manyListenersShareOneConnection() throws Exception {
        List<Connection> listeners = new ArrayList<>();
        try (Connection sender = multimed.connect()) {
            for (int i = 0; i < 100; i++) {
                Connection listener = multimed.connect();
                listeners.add(listener);
                execute(listener, i % 2 == 0 ? "LISTEN shared" : "LISTEN shared; LISTEN \"Other one\"");
            }
            awaitPrivateConnections(1);
            execute(sender, "NOTIFY shared, 'to all'");
            execute(sender, "NOTIFY \"Other one\", 'to half'");
            int pid = sender.unwrap(PGConnection.class).getBackendPID();
            for (int i = 0; i < listeners.size(); i++) {
                List<String> expected =
                        i % 2 == 0 ? List.of("shared to all") : List.of("shared to all", "Other one to half");
                assertEquals(expected, hear(listeners.get(i), expected.size(), pid));
                assertEquals("1", ask(listeners.get(i), "SELECT 1"));
            }
            for (Connection listener : listeners) {
                execute(listener, "UNLISTEN *");
            }
            assertEquals("0", ask(sender, "SELECT count(*) FROM pg_listening_channels()"));
            awaitPrivateConnections(0);
        } finally {
            for (Connection listener : listeners) {
                listener.close();
            }
        }
    }

    @Test
    void ownNotificationsAreThereWhenTheCommitIsAnswered() throws Exception {
        try (Connection connection = multimed.connect()) {
            execute(connection, "LISTEN me");
            for (int i = 0; i < 20; i++) {
                execute(connection, "SELECT pg_notify('me', '" + i + "')");
                assertEquals(List.of("me " + i), heard(connection));
            }
            connection.setAutoCommit(false);
            execute(connection, "NOTIFY me, 'in a block'");
            assertEquals(List.of(), heard(connection));
            connection.commit();
            assertEquals(List.of("me in a block"), heard(connection));
            execute(connection, "NOTIFY me, 'never'");
            connection.rollback();
            connection.setAutoCommit(true);
            execute(connection, "NOTIFY me, 'after'");
            assertEquals(List.of("me after"), heard(connection));
        }
    }

    @Test
    void nothingIsToldWithinATransaction() throws Exception {
        try (Connection listener = multimed.connect();
                Connection other = multimed.connect();
                Connection sender = multimed.connect()) {
            execute(listener, "LISTEN c");
            execute(other, "LISTEN c");
            listener.setAutoCommit(false);
            ask(listener, "SELECT 1");
            execute(sender, "NOTIFY c");
            assertEquals(1, hear(other, 1, 0).size());
            ask(listener, "SELECT 1");
            assertEquals(List.of(), heard(listener));
            listener.commit();
            assertEquals(1, hear(listener, 1, 0).size());
        }
    }

    @Test
    void whoListensNoMoreHearsNothing() throws Exception {
        try (Connection listener = multimed.connect();
                Connection other = multimed.connect();
                Connection sender = multimed.connect()) {
            execute(other, "LISTEN c");
            execute(other, "LISTEN d");
            execute(listener, "LISTEN c");
            execute(listener, "LISTEN d");
            execute(listener, "UNLISTEN c");
            execute(sender, "NOTIFY c");
            execute(sender, "NOTIFY d");
            assertEquals(2, hear(other, 2, 0).size());
            assertEquals(List.of("d "), hear(listener, 1, 0));
            execute(listener, "DISCARD ALL");
            execute(sender, "NOTIFY d");
            assertEquals(1, hear(other, 1, 0).size());
            assertEquals("1", ask(listener, "SELECT 1"));
            assertEquals(List.of(), heard(listener));
        }
    }

    @Test
    void engineIsAskedForTheChannelsOfThisSession() throws Exception {
        try (Connection listener = multimed.connect();
                Connection other = multimed.connect()) {
            execute(listener, "LISTEN c");
            execute(listener, "LISTEN d");
            execute(other, "LISTEN e");
            assertEquals("c,d", ask(listener, "SELECT string_agg(x, ',' ORDER BY x) FROM pg_listening_channels() x"));
            assertEquals("e", ask(other, "SELECT string_agg(x, ',' ORDER BY x) FROM pg_listening_channels() x"));
            awaitPrivateConnections(1);
            execute(other, "NOTIFY c");
            assertEquals(List.of("c "), hear(listener, 1, 0));
            assertEquals(List.of(), heard(listener));
        }
    }

    /** Only the engine knows whether such a transaction commits, so the session keeps its backend for it. */
    @Test
    void listenWithinABlockTakesEffectWithItsCommit() throws Exception {
        try (Connection listener = multimed.connect();
                Connection sender = multimed.connect()) {
            execute(listener, "BEGIN; LISTEN c; ROLLBACK");
            execute(sender, "NOTIFY c, 'not heard'");
            listener.setAutoCommit(false);
            execute(listener, "LISTEN c");
            execute(sender, "NOTIFY c, 'not heard'");
            listener.commit();
            listener.setAutoCommit(true);
            execute(sender, "NOTIFY c, 'heard'");
            assertEquals(List.of("c heard"), hear(listener, 1, 0));
            execute(listener, "UNLISTEN c");
            execute(sender, "NOTIFY c, 'not heard'");
            assertEquals(List.of(), heard(listener));
            awaitPrivateConnections(0);
        }
    }

    @Test
    void bothWaysOfListeningTogetherTellOnce() throws Exception {
        try (Connection listener = multimed.connect();
                Connection sender = multimed.connect()) {
            execute(listener, "LISTEN c");
            listener.setAutoCommit(false);
            execute(listener, "LISTEN c");
            execute(listener, "LISTEN d");
            SQLException refused = assertThrows(SQLException.class, () -> execute(listener, "UNLISTEN c"));
            assertEquals("0A000", refused.getSQLState());
            listener.rollback();
            execute(listener, "LISTEN c");
            execute(listener, "LISTEN d");
            listener.commit();
            listener.setAutoCommit(true);
            execute(sender, "NOTIFY c");
            execute(sender, "NOTIFY d");
            List<String> all = hear(listener, 2, 0);
            all.sort(null);
            assertEquals(List.of("c ", "d "), all);
            execute(listener, "UNLISTEN *");
            execute(sender, "NOTIFY c");
            execute(sender, "NOTIFY d");
            execute(listener, "SELECT 1");
            assertEquals(List.of(), heard(listener));
        }
    }

    /** Notifications may have been lost with it, so a listener must not continue as if nothing had happened. */
    @Test
    void listenersAreToldWhenTheSharedConnectionIsLost() throws Exception {
        try (Connection listener = multimed.connect();
                Connection other = multimed.connect();
                WireSession engine = multimed.openEngine()) {
            execute(listener, "LISTEN c");
            engine.rows(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN \"c\"' AND state = 'idle'");
            SQLException told = assertThrows(SQLException.class, () -> {
                while (!Thread.interrupted()) {
                    ask(listener, "SELECT 1");
                }
            });
            assertNotNull(told.getMessage());
            assertTrue(listener.isClosed());
            assertFalse(other.isClosed());
            execute(other, "LISTEN c");
            execute(other, "NOTIFY c");
            assertEquals(List.of("c "), heard(other));
        }
    }

    @Test
    void isNotToldInTheEncodingOfWhoHadTheConnectionBefore() throws Exception {
        Duration patience = Duration.ofMillis(PATIENCE_MILLIS);
        Map<String, String> utf8 = Map.of("user", "postgres", "database", "template1", "client_encoding", "UTF8");
        try (WireSession latin = WireSession.open(multimed.address(), utf8, null, patience)) {
            latin.rows("SET client_encoding = 'LATIN1'");
        }
        try (WireSession listener = WireSession.open(multimed.address(), "postgres", "template1", patience)) {
            listener.rows("LISTEN a");
            Message told = listener.query("NOTIFY a, 'é'").stream()
                    .filter(message -> message.type() == 'A')
                    .findFirst()
                    .orElseThrow();
            assertTrue(new String(told.body(), StandardCharsets.UTF_8).endsWith("a\0é\0"));
        }
    }

    /** The shared connection is opened for a role that needs it now, not for the role that listened first. */
    @Test
    void roleThatListenedFirstMayBeGone() throws Exception {
        try (Connection connection = multimed.connectTo("template1")) {
            execute(connection, "CREATE ROLE passing LOGIN");
            try (Connection first = multimed.connectTo("template1", "user=passing")) {
                execute(first, "LISTEN a");
            }
            awaitPrivateConnections(0);
            execute(connection, "DROP ROLE passing");
            execute(connection, "LISTEN b");
            execute(connection, "NOTIFY b");
            assertEquals(List.of("b "), heard(connection));
        }
    }

    @Test
    void whoBeginsToListenWhileTheLastOneLeavesHears() throws Exception {
        Duration patience = Duration.ofSeconds(20);
        try (WireSession first = WireSession.open(multimed.address(), "postgres", "postgres", patience);
                WireSession second = WireSession.open(multimed.address(), "postgres", "postgres", patience)) {
            first.rows("LISTEN passed_on");
            String shared;
            try (WireSession engine = multimed.openEngine()) {
                shared = engine.value(
                        "SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN \"passed_on\"' AND state = 'idle'");
            }
            signal("STOP", shared);
            second.send(FrontendBytes.query("LISTEN passed_on"));
            assertNull(second.client().poll(Duration.ofMillis(200)));
            first.rows("UNLISTEN passed_on");
            signal("CONT", shared);
            second.ready();
            first.rows("NOTIFY passed_on");
            assertEquals('A', second.client().read().type());
        }
    }

    private static void signal(String signal, String process) throws Exception {
        assertEquals(
                0, new ProcessBuilder("kill", "-" + signal, process).start().waitFor());
    }

    private static void awaitPrivateConnections(int count) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        int found = privateConnections();
        while (found != count && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
            found = privateConnections();
        }
        assertEquals(count, found);
    }

    private static int privateConnections() {
        return multimed.endpoint.backends(multimed.master).stream()
                .mapToInt(NodeBackends::privateCount)
                .sum();
    }

    /** Returns the notifications that have arrived, without waiting. */
    private static List<String> heard(Connection connection) throws SQLException {
        return strings(connection.unwrap(PGConnection.class).getNotifications(), 0);
    }

    private static List<String> hear(Connection connection, int count, int pid) throws SQLException {
        List<String> all = new ArrayList<>();
        while (all.size() < count) {
            List<String> more = strings(connection.unwrap(PGConnection.class).getNotifications(PATIENCE_MILLIS), pid);
            assertFalse(more.isEmpty(), "heard only " + all);
            all.addAll(more);
        }
        return all;
    }

    private static List<String> strings(PGNotification[] notifications, int pid) {
        List<String> strings = new ArrayList<>();
        if (notifications != null) {
            for (PGNotification notification : notifications) {
                strings.add(notification.getName() + " " + notification.getParameter());
                if (pid != 0) {
                    assertEquals(pid, notification.getPID());
                }
            }
        }
        return strings;
    }
}
