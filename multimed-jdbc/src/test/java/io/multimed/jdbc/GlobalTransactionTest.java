package io.multimed.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that branches of global transactions in H2 reach the replicas with their commit. */
class GlobalTransactionTest {
    @TempDir
    private Path directory;

    private static MultimedXaDataSource source(String database, int replicas) {
        MultimedXaDataSource source = new MultimedXaDataSource();
        source.setUrl("jdbc:multimed:h2:" + database + ";replicas=" + replicas + ";policy=round-robin");
        source.setUser("SA");
        source.setPassword("");
        return source;
    }

    private static String memory() {
        return "mem:" + UUID.randomUUID().toString().replace("-", "");
    }

    private record Branch(String name) implements Xid {
        @Override
        public int getFormatId() {
            return 7;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1, -1, 0};
        }
    }

    /** Asserts the rows on all nodes, each of which takes its turn. */
    private static void assertRows(Connection reader, Integer... rows) throws SQLException {
        List<String> expected = Arrays.stream(rows).map(row -> row + "|").toList();
        for (int i = 0; i < 4; i++) {
            assertEquals(expected, Sql.rows(reader, "SELECT a FROM t"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aBranchIsSeenOnAllReplicasOnceItIsCommitted(int replicas) throws Exception {
        MultimedXaDataSource source = source(memory(), replicas);
        XAConnection global = source.getXAConnection();
        XAConnection other = source.getXAConnection();
        Connection reader = other.getConnection();
        Connection connection = global.getConnection();
        Sql.execute(connection, "CREATE TABLE t(a INT)");
        XAResource resource = global.getXAResource();

        Branch committed = new Branch("committed");
        resource.start(committed, XAResource.TMNOFLAGS);
        Sql.execute(connection, "INSERT INTO t VALUES (1)");
        resource.end(committed, XAResource.TMSUSPEND);
        resource.start(committed, XAResource.TMRESUME);
        Sql.execute(connection, "INSERT INTO t VALUES (2)");
        resource.end(committed, XAResource.TMSUCCESS);
        assertRows(reader);
        assertEquals(XAResource.XA_OK, resource.prepare(committed));
        assertRows(reader);
        resource.commit(committed, false);
        assertRows(reader, 1, 2);

        Branch undone = new Branch("undone");
        resource.start(undone, XAResource.TMNOFLAGS);
        Sql.execute(connection, "DELETE FROM t");
        resource.end(undone, XAResource.TMSUCCESS);
        resource.prepare(undone);
        resource.rollback(undone);
        assertRows(reader, 1, 2);

        Branch onePhase = new Branch("one phase");
        resource.start(onePhase, XAResource.TMNOFLAGS);
        Sql.execute(connection, "UPDATE t SET a = a + 10");
        resource.end(onePhase, XAResource.TMSUCCESS);
        resource.commit(onePhase, true);
        assertRows(reader, 11, 12);

        Branch failed = new Branch("failed");
        resource.start(failed, XAResource.TMNOFLAGS);
        Sql.execute(connection, "DELETE FROM t");
        resource.end(failed, XAResource.TMFAIL);
        assertEquals(
                XAException.XA_RBROLLBACK, assertThrows(XAException.class, () -> resource.prepare(failed)).errorCode);
        assertRows(reader, 11, 12);

        // Between branches the session's transactions belong to the application.
        Sql.execute(connection, "INSERT INTO t VALUES (13)");
        assertRows(reader, 11, 12, 13);
        global.close();
        other.close();
    }

    @Test
    void aConnectionThatIsClosedLeavesItsBranchToTheTransactionManager() throws Exception {
        MultimedXaDataSource source = source(memory(), 2);
        XAConnection global = source.getXAConnection();
        Connection connection = global.getConnection();
        Sql.execute(connection, "CREATE TABLE t(a INT)");
        XAResource resource = global.getXAResource();
        Branch branch = new Branch("branch");
        resource.start(branch, XAResource.TMNOFLAGS);
        Sql.execute(connection, "INSERT INTO t VALUES (1)");
        connection.close();
        resource.end(branch, XAResource.TMSUCCESS);
        resource.prepare(branch);
        resource.commit(branch, false);
        assertRows(global.getConnection(), 1);
        global.close();
    }

    @Test
    void theApplicationMustNotEndABranch() throws Exception {
        XAConnection global = source(memory(), 2).getXAConnection();
        Connection connection = global.getConnection();
        Sql.execute(connection, "CREATE TABLE t(a INT)");
        XAResource resource = global.getXAResource();
        Branch branch = new Branch("branch");
        resource.start(branch, XAResource.TMNOFLAGS);
        Sql.execute(connection, "INSERT INTO t VALUES (1)");
        assertEquals(
                "2D000", assertThrows(SQLException.class, connection::commit).getSQLState());
        assertEquals(
                "2D000", assertThrows(SQLException.class, connection::rollback).getSQLState());
        assertEquals(
                "2D000",
                assertThrows(SQLException.class, () -> connection.setAutoCommit(true))
                        .getSQLState());
        for (String ends : List.of("COMMIT", "ROLLBACK", "CREATE TABLE u(a INT)", "SET AUTOCOMMIT ON", "SHUTDOWN")) {
            assertEquals(
                    "2D000",
                    assertThrows(SQLException.class, () -> Sql.execute(connection, ends))
                            .getSQLState(),
                    ends);
        }
        resource.end(branch, XAResource.TMSUCCESS);
        resource.commit(branch, true);
        assertRows(connection, 1);
        global.close();
    }

    @Test
    void callsInAnotherOrderAreRefused() throws Exception {
        XAConnection global = source(memory(), 2).getXAConnection();
        XAResource resource = global.getXAResource();
        Branch branch = new Branch("branch");
        Branch other = new Branch("other");
        assertEquals(XAException.XAER_NOTA, code(() -> resource.end(branch, XAResource.TMSUCCESS)));
        assertEquals(XAException.XAER_NOTA, code(() -> resource.prepare(branch)));
        assertEquals(XAException.XAER_NOTA, code(() -> resource.commit(branch, false)));
        assertEquals(XAException.XAER_NOTA, code(() -> resource.rollback(branch)));
        resource.start(branch, XAResource.TMNOFLAGS);
        assertEquals(XAException.XAER_PROTO, code(() -> resource.start(other, XAResource.TMNOFLAGS)));
        assertEquals(XAException.XAER_PROTO, code(() -> resource.prepare(branch)));
        assertEquals(XAException.XAER_PROTO, code(() -> resource.commit(branch, true)));
        resource.end(branch, XAResource.TMSUCCESS);
        assertEquals(XAException.XAER_PROTO, code(() -> resource.commit(branch, false)));
        resource.prepare(branch);
        assertEquals(XAException.XAER_PROTO, code(() -> resource.commit(branch, true)));
        resource.rollback(branch);
        global.close();
    }

    private interface Call {
        void run() throws XAException;
    }

    private static int code(Call call) {
        return assertThrows(XAException.class, call::run).errorCode;
    }

    /** The branch was prepared by H2's own data source in a session that ended with its engine. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aBranchInDoubtIsFoundAndCompleted(int replicas) throws Exception {
        String database = "file:" + directory.resolve("shop" + replicas);
        JdbcDataSource alone = new JdbcDataSource();
        alone.setUrl("jdbc:h2:" + database);
        alone.setUser("SA");
        alone.setPassword("");
        XAConnection crashed = alone.getXAConnection();
        Connection connection = crashed.getConnection();
        Sql.execute(connection, "CREATE TABLE t(a INT)");
        for (int i = 1; i <= 2; i++) {
            // Each branch in a session of its own.
            XAConnection session = alone.getXAConnection();
            Branch branch = new Branch("b" + i);
            session.getXAResource().start(branch, XAResource.TMNOFLAGS);
            Sql.execute(session.getConnection(), "INSERT INTO t VALUES (" + i + ")");
            session.getXAResource().end(branch, XAResource.TMSUCCESS);
            session.getXAResource().prepare(branch);
        }
        Sql.execute(connection, "SHUTDOWN IMMEDIATELY");

        XAConnection global = source(database, replicas).getXAConnection();
        XAResource resource = global.getXAResource();
        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        assertEquals(2, found.length);
        assertEquals(7, found[0].getFormatId());
        assertEquals(0, resource.recover(XAResource.TMENDRSCAN).length);
        resource.rollback(new Branch("b1"));
        if (replicas > 1) {
            XAException refused = assertThrows(XAException.class, () -> resource.commit(new Branch("b2"), false));
            assertEquals(XAException.XAER_RMERR, refused.errorCode);
            assertTrue(String.valueOf(refused.getMessage()).contains("replicas=1"), refused.getMessage());
            assertRows(global.getConnection());
        } else {
            resource.commit(new Branch("b2"), false);
            assertRows(global.getConnection(), 2);
        }
        Sql.execute(global.getConnection(), "SHUTDOWN");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:multimed:hsqldb:mem:shop | Global transactions of hsqldb do not reach replicas",
                "jdbc:multimed:derby:memory:shop;create=true;propagation=statements | of derby",
                "jdbc:multimed:sqlite:shop.db;propagation=statements | of sqlite",
                "jdbc:multimed://localhost/shop | org.postgresql.xa.PGXADataSource"
            })
    void otherEnginesAreRefusedByName(String url, String said) {
        MultimedXaDataSource source = new MultimedXaDataSource();
        source.setUrl(url);
        SQLException refused = assertThrows(SQLException.class, source::getXAConnection);
        assertEquals("0A000", refused.getSQLState());
        assertTrue(String.valueOf(refused.getMessage()).contains(said), refused.getMessage());
    }
}
