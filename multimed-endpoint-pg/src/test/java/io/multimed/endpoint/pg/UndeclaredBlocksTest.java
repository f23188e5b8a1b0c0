package io.multimed.endpoint.pg;

import static io.multimed.endpoint.pg.EndpointOnOneEngine.ask;
import static io.multimed.endpoint.pg.EndpointOnOneEngine.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reads of transaction blocks whose BEGIN does not say whether they only read. */
@Timeout(60)
class UndeclaredBlocksTest {
    private static final String ON_SATELLITE = "satellite-1: read on a fresh satellite";
    private static final String ON_MASTER = "master: may write (transaction not declared read-only)";
    /** More than the habit of a shape can outweigh. */
    private static final int MANY = 20;

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @BeforeEach
    void makeTable() throws Exception {
        try (Connection connection = multimed.connect()) {
            execute(connection, "DROP TABLE IF EXISTS t");
            execute(connection, "CREATE TABLE t (i int)");
        }
    }

    private static String route(Connection connection) throws SQLException {
        return ask(connection, "SHOW multimed.route");
    }

    @Test
    void readsRunOnSatellitesUntilTheBlockWritesAndOnTheMasterFromThenOn() throws SQLException {
        try (Connection client = multimed.connect()) {
            execute(client, "BEGIN");
            assertEquals("0", ask(client, "SELECT count(*) AS before FROM t"));
            assertEquals(ON_SATELLITE, route(client));
            assertEquals("0", ask(client, "SELECT count(*) AS before FROM t"));
            assertEquals(ON_SATELLITE, route(client));
            execute(client, "INSERT INTO t VALUES (1)");
            assertEquals("1", ask(client, "SELECT count(*) AS before FROM t"));
            assertTrue(route(client).startsWith("master"), route(client));
            execute(client, "ROLLBACK");
            assertEquals("0", ask(client, "SELECT count(*) FROM t"));
        }
    }

    @Test
    void aWriteBehindReadsIsCommittedWithItsBlock() throws SQLException {
        try (Connection client = multimed.connect()) {
            execute(client, "BEGIN");
            ask(client, "SELECT count(*) AS written FROM t");
            execute(client, "INSERT INTO t VALUES (1)");
            try (Connection other = multimed.connect()) {
                assertEquals("0", ask(other, "SELECT count(*) FROM t"));
            }
            execute(client, "COMMIT");
            assertEquals("1", ask(client, "SELECT count(*) FROM t"));
        }
    }

    /** Drivers send BEGIN and the first query together. */
    @Test
    void aDriversTransactionReadsOnSatellites() throws SQLException {
        try (Connection client = multimed.connect()) {
            client.setAutoCommit(false);
            ask(client, "SELECT count(*) AS of_driver FROM t");
            client.commit();
            ask(client, "SELECT count(*) AS of_driver FROM t");
            client.setAutoCommit(true);
            assertEquals(ON_SATELLITE, route(client));
        }
    }

    @Test
    void everyStatementSeesASnapshotOfItsOwn() throws SQLException {
        try (Connection client = multimed.connect();
                Connection other = multimed.connect()) {
            execute(client, "BEGIN");
            assertEquals("0", ask(client, "SELECT count(*) AS own FROM t"));
            execute(other, "INSERT INTO t VALUES (1)");
            assertEquals("1", ask(client, "SELECT count(*) AS own FROM t"));
            execute(client, "COMMIT");
        }
    }

    @Test
    void aFailedReadFailsTheBlock() throws SQLException {
        try (Connection client = multimed.connect()) {
            execute(client, "BEGIN");
            assertEquals("1", ask(client, "SELECT 1 AS fails"));
            assertEquals(
                    "22012",
                    assertThrows(SQLException.class, () -> ask(client, "SELECT 1 / 0 FROM (VALUES (1)) v"))
                            .getSQLState());
            assertEquals(
                    "25P02",
                    assertThrows(SQLException.class, () -> execute(client, "INSERT INTO t VALUES (1)"))
                            .getSQLState());
            execute(client, "ROLLBACK");
            assertEquals("0", ask(client, "SELECT count(*) FROM t"));
        }
    }

    @Test
    void aSavepointBehindReadsHoldsOnTheMaster() throws SQLException {
        try (Connection client = multimed.connect()) {
            execute(client, "BEGIN");
            ask(client, "SELECT count(*) AS with_savepoint FROM t");
            execute(client, "SAVEPOINT s");
            execute(client, "INSERT INTO t VALUES (1)");
            execute(client, "ROLLBACK TO s");
            execute(client, "INSERT INTO t VALUES (2)");
            execute(client, "COMMIT");
            assertEquals("2", ask(client, "SELECT sum(i) FROM t"));
        }
    }

    @Test
    void aBlockBeginsOnTheMasterOnceMostThatBeganAlikeHaveWritten() throws SQLException {
        try (Connection client = multimed.connect()) {
            for (int i = 0; i < MANY; i++) {
                execute(client, "BEGIN");
                ask(client, "SELECT count(*) AS mostly_writes FROM t");
                execute(client, "INSERT INTO t VALUES (1)");
                execute(client, "COMMIT");
            }
            execute(client, "BEGIN");
            ask(client, "SELECT count(*) AS mostly_writes FROM t");
            assertEquals(ON_MASTER, route(client));
            execute(client, "COMMIT");
            for (int i = 0; i < MANY; i++) {
                execute(client, "BEGIN");
                ask(client, "SELECT count(*) AS mostly_writes FROM t");
                execute(client, "COMMIT");
            }
            execute(client, "BEGIN");
            ask(client, "SELECT count(*) AS mostly_writes FROM t");
            assertEquals(ON_SATELLITE, route(client));
            execute(client, "COMMIT");
        }
    }

    @Test
    void aBlockRunsOnTheMasterIfItIsDeclaredReadWriteOrNeedsOneSnapshot() throws SQLException {
        for (String begin : new String[] {
            "BEGIN READ WRITE",
            "BEGIN ISOLATION LEVEL REPEATABLE READ",
            "START TRANSACTION ISOLATION LEVEL SERIALIZABLE"
        }) {
            try (Connection client = multimed.connect()) {
                execute(client, begin);
                ask(client, "SELECT count(*) AS otherwise FROM t");
                assertTrue(route(client).startsWith("master"), begin + ": " + route(client));
                execute(client, "COMMIT");
            }
        }
    }

    /** A block may write what follows from its reads, so these have to be as fresh as the Master. */
    @Test
    void aBlockRunsOnTheMasterIfItsSessionHasChosenReadsThatMayBeStale() throws SQLException {
        for (String freshness : new String[] {"session", "eventual"}) {
            try (Connection client = multimed.connect("options=-c multimed.freshness=" + freshness)) {
                execute(client, "BEGIN");
                ask(client, "SELECT count(*) AS stale FROM t");
                assertTrue(route(client).startsWith("master"), freshness + ": " + route(client));
                execute(client, "COMMIT");
            }
        }
    }

    @Test
    void aSessionMayChooseThatOnlyDeclaredBlocksReadOnSatellites() throws SQLException {
        try (Connection client = multimed.connect("options=-c multimed.reads=declared")) {
            execute(client, "BEGIN");
            ask(client, "SELECT count(*) AS chosen FROM t");
            assertTrue(route(client).startsWith("master"), route(client));
            execute(client, "COMMIT");
            execute(client, "BEGIN READ ONLY");
            ask(client, "SELECT count(*) AS chosen FROM t");
            assertEquals(ON_SATELLITE, route(client));
            execute(client, "COMMIT");
            ask(client, "SELECT count(*) AS chosen FROM t");
            assertEquals(ON_SATELLITE, route(client));
        }
    }

    /** It shows the time at which the transaction began, so all that comes later has to belong to the same transaction. */
    @Test
    void aReadOfTheTransactionsTimeBeginsTheBlockOnTheMaster() throws SQLException {
        try (Connection client = multimed.connect()) {
            execute(client, "BEGIN");
            String begun = ask(client, "SELECT now()");
            assertEquals(ON_MASTER, route(client));
            assertEquals(begun, ask(client, "SELECT now()"));
            execute(client, "COMMIT");
        }
    }
}
