package io.multimed.endpoint.pg.session.block;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.session.SessionSql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionEndsTest {
    private static final SessionSql SQL = new SessionSql();

    @AfterAll
    static void close() {
        SQL.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK", "ROLLBACK TO a", "ROLLBACK; SELECT 1", "nonsense"})
    void aFailedBlockExecutesWhatMayEndTheFailure(String sql) {
        assertTrue(TransactionEnds.mayLeaveFailure(SQL.statements(sql)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SELECT 1", "SELECT 1; ROLLBACK", "SAVEPOINT a", "INSERT INTO t VALUES (1)"})
    void aFailedBlockRefusesEverythingElse(String sql) {
        assertFalse(TransactionEnds.mayLeaveFailure(SQL.statements(sql)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT; SELECT 1", "SELECT 1; ROLLBACK; BEGIN"})
    void statementsBehindAnEndSeeAnotherSnapshot(String sql) {
        assertTrue(TransactionEnds.endsAmid(SQL.statements(sql)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "SELECT 1; COMMIT", "BEGIN; SELECT 1"})
    void anEndThatComesLastIsNotAmidTheStatements(String sql) {
        assertFalse(TransactionEnds.endsAmid(SQL.statements(sql)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT AND CHAIN", "ROLLBACK AND CHAIN", "SELECT 1; COMMIT AND CHAIN"})
    void andChainBeginsAnotherBlock(String sql) {
        assertTrue(TransactionEnds.chains(SQL.statements(sql)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK", "BEGIN", "COMMIT AND NO CHAIN"})
    void otherStatementsBeginNoOtherBlockByTheirEnd(String sql) {
        assertFalse(TransactionEnds.chains(SQL.statements(sql)));
    }
}
