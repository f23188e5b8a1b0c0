package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.model.Role;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a database that has ended leaves nothing in the process. */
@Tag("slow")
class EndedDatabasesTest {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static EmbeddedSession open(String url) throws SQLException {
        Properties credentials = new Properties();
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        return EmbeddedDatabases.connect(EmbeddedOptions.of(url, 3), credentials, ReplicaListener.NONE);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - began < DEADLINE_NANOS, "still there");
            Thread.sleep(10);
        }
    }

    private static WeakReference<EmbeddedDatabase> used(String url) throws SQLException {
        try (EmbeddedSession session = open(url)) {
            Replicas.ddl(session, "CREATE TABLE t(id INT PRIMARY KEY)");
            Replicas.update(session, "INSERT INTO t VALUES(1)");
            assertEquals(List.of("1|"), Replicas.read(session, "SELECT id FROM t"));
            return new WeakReference<>(session.database());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:mem:%s", "jdbc:hsqldb:mem:%s;shutdown=true"})
    void oneThatEndsWithItsLastConnectionIsForgotten(String url) throws Exception {
        WeakReference<EmbeddedDatabase> database = used(url.formatted(UUID.randomUUID()));
        await(() -> {
            System.gc();
            return database.get() == null;
        });
    }

    /** Each database holds more memory than all together may leave behind. */
    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void databasesThatComeAndGoLeaveTheHeapAsItWas(String engine) throws SQLException {
        long before = 0;
        for (int i = 0; i < 20; i++) {
            EmbeddedSession session = open("jdbc:" + engine + ":mem:" + UUID.randomUUID());
            Replicas.ddl(session, "CREATE TABLE t(id INT PRIMARY KEY, v VARCHAR(2000))");
            for (int row = 0; row < 1000; row++) {
                Replicas.update(session, "INSERT INTO t VALUES(?, ?)", row, "x".repeat(2000));
            }
            assertEquals(List.of("1000|"), Replicas.read(session, "SELECT COUNT(*) FROM t"));
            session.shutDown(() -> {
                try (Statement statement = session.master().createStatement()) {
                    return statement.execute("SHUTDOWN");
                }
            });
            session.close();
            if (i == 4) {
                before = used();
            }
        }
        long more = used() - before;
        assertTrue(more < 2_000_000, more + " bytes more in use");
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void satellitesEndWithAMasterThatEndsAWhileAfterItsLastConnection() throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=2";
        EmbeddedSession last = open(url);
        EmbeddedDatabase database = last.database();
        last.close();
        try (EmbeddedSession again = open(url)) {
            assertSame(database, again.database(), "in time");
        }
        await(() -> database.nodes().stream()
                .noneMatch(node -> node.role() == Role.SATELLITE && node.state().equals("serving")));
    }
}
