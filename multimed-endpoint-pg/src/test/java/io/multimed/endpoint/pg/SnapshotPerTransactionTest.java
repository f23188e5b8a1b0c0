package io.multimed.endpoint.pg;

import static io.multimed.endpoint.pg.EndpointOnOneEngine.ask;
import static io.multimed.endpoint.pg.EndpointOnOneEngine.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Effect of {@code SET multimed.snapshot = transaction} on read-only transactions. */
@Timeout(60)
class SnapshotPerTransactionTest {
    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @BeforeAll
    static void start() throws Exception {
        try (Connection connection = multimed.connect()) {
            execute(connection, "CREATE TABLE t (i int)");
        }
    }

    @Test
    void withoutItEveryStatementHasItsOwnSnapshot() throws SQLException {
        try (Connection reader = multimed.connect()) {
            execute(reader, "BEGIN READ ONLY");
            int before = count(reader);
            insert();
            assertEquals(before + 1, count(reader));
            execute(reader, "COMMIT");
        }
    }

    @Test
    void oneSnapshotWhenBeginComesAlone() throws SQLException {
        for (String begin : new String[] {
            "BEGIN READ ONLY",
            "START TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY",
            "BEGIN; SET TRANSACTION READ ONLY"
        }) {
            try (Connection reader = multimed.connect()) {
                execute(reader, "SET multimed.snapshot = 'transaction'");
                execute(reader, begin);
                int before = count(reader);
                insert();
                assertEquals(before, count(reader), begin);
                assertEquals("repeatable read", ask(reader, "SHOW transaction_isolation"));
                execute(reader, "COMMIT");
                assertEquals(before + 1, count(reader), begin);
            }
        }
    }

    /** JDBC sends BEGIN and the first query in one segment. */
    @Test
    void oneSnapshotWhenBeginComesWithTheFirstQuery() throws SQLException {
        try (Connection reader = multimed.connect("options=-c multimed.snapshot=transaction")) {
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            int before = count(reader);
            insert();
            assertEquals(before, count(reader));
            assertEquals("repeatable read", ask(reader, "SHOW transaction_isolation"));
            reader.commit();
            assertEquals(before + 1, count(reader));
            reader.commit();
            reader.setReadOnly(false);
            assertEquals("read committed", ask(reader, "SHOW transaction_isolation"));
            assertEquals("read committed", ask(reader, "SHOW default_transaction_isolation"));
            reader.commit();
        }
    }

    @Test
    void whatUpdatesStaysReadCommitted() throws SQLException {
        try (Connection writer = multimed.connect()) {
            execute(writer, "SET multimed.snapshot = 'transaction'");
            execute(writer, "BEGIN");
            int before = count(writer);
            insert();
            assertEquals(before + 1, count(writer));
            assertEquals("read committed", ask(writer, "SHOW transaction_isolation"));
            execute(writer, "COMMIT");
        }
    }

    @Test
    void chosenForOneTransactionItIsOverWithIt() throws SQLException {
        try (Connection reader = multimed.connect()) {
            execute(reader, "BEGIN READ ONLY");
            execute(reader, "SET LOCAL multimed.snapshot = 'transaction'");
            execute(reader, "COMMIT");
            execute(reader, "BEGIN READ ONLY");
            int before = count(reader);
            insert();
            assertEquals(before + 1, count(reader));
            execute(reader, "COMMIT");
            execute(reader, "SET multimed.snapshot = 'transaction'");
            execute(reader, "RESET multimed.snapshot");
            execute(reader, "BEGIN READ ONLY");
            before = count(reader);
            insert();
            assertEquals(before + 1, count(reader));
            execute(reader, "COMMIT");
        }
    }

    /** A session that keeps its backend must not keep an isolation level meant for one transaction. */
    @Test
    void pinnedSessionGetsItsDefaultBack() throws SQLException {
        try (Connection reader = multimed.connect()) {
            execute(reader, "CREATE TEMP TABLE mine (i int)");
            execute(reader, "SET multimed.snapshot = 'transaction'");
            execute(reader, "BEGIN READ ONLY; SELECT count(*) FROM t; COMMIT");
            assertEquals("read committed", ask(reader, "SHOW default_transaction_isolation"));
            execute(reader, "BEGIN READ ONLY; SELECT count(*) FROM t; SET LOCAL work_mem = '1MB'; COMMIT");
            assertEquals("read committed", ask(reader, "SHOW transaction_isolation"));
        }
    }

    @Test
    void whatTheSnapshotForbidsIsRefusedAsUnderRepeatableRead() throws SQLException {
        try (Connection reader = multimed.connect()) {
            execute(reader, "SET multimed.snapshot = 'transaction'");
            execute(reader, "BEGIN READ ONLY");
            count(reader);
            SQLException refused = assertThrows(SQLException.class, () -> ask(reader, "SELECT pg_notify('a', 'b')"));
            assertEquals("0A000", refused.getSQLState());
            execute(reader, "ROLLBACK");
            assertTrue(count(reader) >= 0);
        }
    }

    private static void insert() throws SQLException {
        try (Connection writer = multimed.connect()) {
            execute(writer, "INSERT INTO t VALUES (1)");
        }
    }

    private static int count(Connection connection) throws SQLException {
        return Integer.parseInt(ask(connection, "SELECT count(*) FROM t"));
    }
}
