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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests definitions in HSQLDB, which run while no other transaction is open. HSQLDB waits for that without limit; with replicas
 * the wait times out.
 */
@Tag("slow")
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

    private static FutureTask<Void> definitionThatWaitsFor(EmbeddedSession reader, Replicas replicas, String sql)
            throws SQLException {
        replicas.ddl("CREATE TABLE t(id INT PRIMARY KEY)", "CREATE TABLE o(id INT PRIMARY KEY)");
        reader.autoCommit(false);
        read(reader);
        FutureTask<Void> definition = new FutureTask<>(() -> {
            replicas.ddl(sql);
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

    @ParameterizedTest
    @CsvSource({
        "mvcc, CREATE TABLE n(id INT PRIMARY KEY)",
        "locks, SET DATABASE TRANSACTION CONTROL MVCC",
        "mvlocks, SET TABLE o TYPE CACHED"
    })
    void aDefinitionGivesUpOnATransactionThatHasOnlyRead(String control, String sql) throws Exception {
        try (Replicas replicas = new Replicas("jdbc:hsqldb:mem:" + UUID.randomUUID() + ";hsqldb.tx=" + control, 2);
                EmbeddedSession reader = replicas.session()) {
            FutureTask<Void> definition = definitionThatWaitsFor(reader, replicas, sql);
            ExecutionException failed =
                    assertThrows(ExecutionException.class, () -> definition.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
            assertEquals(
                    "HYT00",
                    assertInstanceOf(SQLException.class, failed.getCause()).getSQLState());
            Replicas.update(reader, "INSERT INTO t VALUES(1)");
            reader.commit();
            replicas.ddl(sql);
            replicas.assertIdentical("t", "o");
            replicas.assertNoneMadeAnew();
        }
    }

    @Test
    void aDefinitionGoesOnOnceWhoHasOnlyReadHasEnded() throws Exception {
        try (Replicas replicas = new Replicas("jdbc:hsqldb:mem:" + UUID.randomUUID() + ";hsqldb.tx=mvcc", 2);
                EmbeddedSession reader = replicas.session()) {
            FutureTask<Void> definition =
                    definitionThatWaitsFor(reader, replicas, "CREATE TABLE n(id INT PRIMARY KEY)");
            reader.commit();
            definition.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            replicas.assertIdentical("t", "n");
        }
    }
}
