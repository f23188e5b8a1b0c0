package io.multimed.engine.embedded.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.embedded.EmbeddedNodeStatus;
import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a change of the catalog that gets its place in the log after a transaction was captured and before it commits. */
class NamesAtCommitTest {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private EmbeddedSession writer;
    private EmbeddedSession definer;

    @BeforeEach
    void open() throws SQLException {
        EmbeddedOptions options = EmbeddedOptions.of("jdbc:h2:mem:" + UUID.randomUUID(), 2);
        Properties credentials = new Properties();
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        writer = EmbeddedDatabases.connect(options, credentials, ReplicaListener.NONE);
        definer = EmbeddedDatabases.connect(options, credentials, ReplicaListener.NONE);
        define("CREATE TABLE t(id INT PRIMARY KEY)", () -> {});
        writer.autoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        for (EmbeddedNodeStatus node : writer.database().nodes()) {
            assertEquals(1, node.engines(), node.toString());
        }
        definer.close();
        writer.close();
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SQLException, InterruptedException;
    }

    /**
     * Makes a definition.
     *
     * @param meanwhile runs when the definition is visible on the Master and has no place in the log yet
     */
    private void define(String sql, Step meanwhile) throws SQLException {
        definer.changeCatalog(sql, () -> {
            try (Statement statement = definer.master().createStatement()) {
                statement.execute(sql);
                meanwhile.run();
                return null;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void update(String sql) throws SQLException {
        writer.beforeUpdate();
        try (Statement statement = writer.master().createStatement()) {
            statement.execute(sql);
        } finally {
            writer.afterUpdate();
        }
    }

    private String readOnSatellite(String sql) throws SQLException {
        Replica replica = definer.beginRead(true);
        try (Statement statement = replica.connection().createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertTrue(!replica.onMaster());
            result.next();
            return result.getString(1);
        } finally {
            replica.endRead();
        }
    }

    /** Starts the step in a thread. Returns once that thread waits for the one that keeps others from committing. */
    private static Thread waiting(Step step) throws InterruptedException {
        Thread thread = new Thread(() -> {
            try {
                step.run();
            } catch (SQLException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        long began = System.nanoTime();
        while (thread.getState() != Thread.State.WAITING) {
            assertTrue(thread.isAlive() && System.nanoTime() - began < DEADLINE_NANOS, "does not wait");
            Thread.sleep(1);
        }
        return thread;
    }

    private void whileNothingCommits(Step step) throws SQLException, InterruptedException {
        ((ReplicatedDatabase) writer.database()).log().<SQLException>exclusively(() -> {
            try {
                step.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aTableThatIsRenamedMeanwhileIsCapturedUnderItsNewName() throws Exception {
        update("INSERT INTO t VALUES(1)");
        Thread[] commit = new Thread[1];
        whileNothingCommits(() -> {
            commit[0] = waiting(writer::commit);
            define("ALTER TABLE t RENAME TO renamed", () -> {});
        });
        commit[0].join();
        assertEquals("1", readOnSatellite("SELECT COUNT(*) FROM renamed"));
    }

    @Test
    void rowsOfATableThatIsPlacedMeanwhileAreNotLost() throws Exception {
        Thread[] commit = new Thread[1];
        whileNothingCommits(() -> define("CREATE TABLE n(id INT PRIMARY KEY)", () -> {
            update("INSERT INTO n VALUES(1), (2)");
            commit[0] = waiting(writer::commit);
        }));
        commit[0].join();
        assertEquals("2", readOnSatellite("SELECT COUNT(*) FROM n"));
    }

    @Test
    void rowsCommittedBeforeTheirTableIsPlacedGoWithIt() throws Exception {
        define("CREATE TABLE n(id INT PRIMARY KEY)", () -> {
            update("INSERT INTO n VALUES(1), (2)");
            writer.commit();
        });
        assertEquals("2", readOnSatellite("SELECT COUNT(*) FROM n"));
    }
}
