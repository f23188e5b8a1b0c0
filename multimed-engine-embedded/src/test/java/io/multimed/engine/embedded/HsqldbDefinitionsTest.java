package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** HSQLDB changes its catalog while nobody else's transaction is open, and waits for that without limit; so it does not here. */
class HsqldbDefinitionsTest {
    private static final long DEADLINE_SECONDS = 30;

    private static void read(EmbeddedSession session) throws SQLException {
        session.beforeUpdate();
        try {
            assertEquals(List.of(), Replicas.rows(session.master(), "SELECT * FROM t"));
        } finally {
            session.afterUpdate();
        }
    }

    private static FutureTask<Void> definitionThatWaitsFor(EmbeddedSession reader, Replicas replicas)
            throws SQLException {
        replicas.ddl("CREATE TABLE t(id INT PRIMARY KEY)");
        reader.autoCommit(false);
        read(reader);
        FutureTask<Void> definition = new FutureTask<>(() -> {
            replicas.ddl("CREATE TABLE n(id INT PRIMARY KEY)");
            return null;
        });
        Thread thread = new Thread(definition);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertFalse(definition.isDone(), "it does not wait");
            Thread.onSpinWait();
        }
        return definition;
    }

    @Test
    void aDefinitionGivesUpOnATransactionThatHasOnlyRead() throws Exception {
        try (Replicas replicas = new Replicas("jdbc:hsqldb:mem:" + UUID.randomUUID() + ";hsqldb.tx=mvcc", 2);
                EmbeddedSession reader = replicas.session()) {
            FutureTask<Void> definition = definitionThatWaitsFor(reader, replicas);
            ExecutionException failed =
                    assertThrows(ExecutionException.class, () -> definition.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
            assertEquals(
                    "HYT00",
                    assertInstanceOf(SQLException.class, failed.getCause()).getSQLState());
            Replicas.update(reader, "INSERT INTO t VALUES(1)");
            reader.commit();
            replicas.ddl("CREATE TABLE n(id INT PRIMARY KEY)");
            replicas.assertIdentical("t", "n");
            replicas.assertNoneMadeAnew();
        }
    }

    @Test
    void aDefinitionGoesOnOnceWhoHasOnlyReadHasEnded() throws Exception {
        try (Replicas replicas = new Replicas("jdbc:hsqldb:mem:" + UUID.randomUUID() + ";hsqldb.tx=mvcc", 2);
                EmbeddedSession reader = replicas.session()) {
            FutureTask<Void> definition = definitionThatWaitsFor(reader, replicas);
            reader.commit();
            definition.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            replicas.assertIdentical("t", "n");
        }
    }
}
