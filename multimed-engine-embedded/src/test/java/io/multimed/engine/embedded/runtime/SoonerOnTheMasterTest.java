package io.multimed.engine.embedded.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.ReadPolicy;
import io.multimed.engine.embedded.Replica;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.model.Freshness;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that the Master answers a query that would have to wait for changes on its Satellite, if the query delays no session
 * there.
 */
class SoonerOnTheMasterTest {
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private EmbeddedSession writer;
    private EmbeddedSession reader;

    @BeforeEach
    void open() throws SQLException {
        writer = session(ReadPolicy.STICKY);
        reader = session(ReadPolicy.LEAST_ACTIVE);
        String table = "CREATE TABLE t(id INT)";
        writer.changeCatalog(table, () -> executeOnMaster(writer, table));
        insert();
        assertEquals("1 on a satellite", count(reader, true));
    }

    @AfterEach
    void close() throws SQLException {
        reader.close();
        writer.close();
    }

    private EmbeddedSession session(ReadPolicy policy) throws SQLException {
        Properties credentials = new Properties();
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        return EmbeddedDatabases.connect(
                new EmbeddedOptions(url, 2, policy, Freshness.STRONG, PATIENCE), credentials, ReplicaListener.NONE);
    }

    private static int executeOnMaster(EmbeddedSession session, String sql) throws SQLException {
        try (Statement statement = session.master().createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private void insert() throws SQLException {
        writer.beforeUpdate();
        try {
            executeOnMaster(writer, "INSERT INTO t VALUES(1)");
        } finally {
            writer.afterUpdate();
        }
    }

    private static String count(EmbeddedSession session, boolean auto) throws SQLException {
        Replica replica = session.beginRead(auto);
        try (Statement statement = replica.connection().createStatement();
                ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            result.next();
            return result.getString(1) + (replica.onMaster() ? " on the master" : " on a satellite");
        } finally {
            replica.endRead();
        }
    }

    private void assertReadsOnMaster(long sooner, long notFresh) {
        Map<String, Long> reads = reader.database().reads().onMaster();
        assertEquals(sooner, reads.get("satellites were being changed, and the master answered sooner"));
        assertEquals(notFresh, reads.get("no satellite was fresh in time"));
    }

    private interface Step {
        void run() throws SQLException;
    }

    /** Holds the one Satellite in another thread, as an applier would. */
    private void whileItIsChanged(Step step) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Satellite.Running running = Objects.requireNonNull(
                ((ReplicatedDatabase) reader.database()).satellites().get(0).running());
        Thread applier = new Thread(() -> running.feed().quiesced(at -> {
            held.countDown();
            return awaited(done);
        }));
        applier.start();
        held.await();
        try {
            step.run();
        } finally {
            done.countDown();
            applier.join();
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void aQueryByItselfDoesNotWaitForThoseWhoChangeItsSatellite() throws Exception {
        whileItIsChanged(() -> {
            assertEquals("1 on a satellite", count(reader, true), "which has what it must see");
            insert();
            assertEquals("2 on the master", count(reader, true));
        });
        assertReadsOnMaster(1, 0);
        assertEquals("2 on a satellite", count(reader, true));
    }

    @Test
    void whoAsksForOneReplicaWaitsForIt() throws Exception {
        try (EmbeddedSession sticky = session(ReadPolicy.STICKY)) {
            whileItIsChanged(() -> {
                insert();
                assertEquals("2 on the master", count(sticky, true));
            });
        }
        assertReadsOnMaster(0, 1);
    }

    /** On the Master the transaction would have the isolation level of the session there. */
    @Test
    void aTransactionOfSeveralQueriesWaitsForItsSnapshot() throws Exception {
        whileItIsChanged(() -> {
            insert();
            assertEquals("2 on the master", count(reader, false));
        });
        assertReadsOnMaster(0, 1);
    }

    @Test
    void noneReadsSoonerWhatIsNotCommitted() throws Exception {
        executeOnMaster(reader, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
        whileItIsChanged(() -> {
            insert();
            assertEquals("2 on the master", count(reader, true));
        });
        assertReadsOnMaster(0, 1);
    }
}
