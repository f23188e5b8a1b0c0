package io.multimed.endpoint.pg.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.dispatch.Reason;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.Isolation;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What runs where, from the statements of a unit and the block in which they stand. */
class AccessRulesTest {
    private static final StatementClassifier CLASSIFIER = new StatementClassifier(ClassifierOptions.DEFAULT);
    private static final SessionDefaults USUAL = new SessionDefaults(false, Isolation.READ_COMMITTED, 0, 0);
    private static final SessionDefaults READ_ONLY = new SessionDefaults(true, Isolation.READ_COMMITTED, 0, 0);
    private static final SessionDefaults SERIALIZABLE = new SessionDefaults(false, Isolation.SERIALIZABLE, 0, 0);

    @AfterAll
    static void close() {
        CLASSIFIER.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT 1                                          | satellite
            ''                                                | satellite
            SELECT 1; SELECT 2                                | satellite
            BEGIN READ ONLY                                   | satellite
            BEGIN READ ONLY; SELECT 1; COMMIT                 | satellite
            BEGIN READ ONLY; COMMIT; INSERT INTO t VALUES (1) | UPDATE
            BEGIN READ ONLY; INSERT INTO t VALUES (1)         | satellite
            BEGIN                                             | UPDATE
            BEGIN; SELECT 1                                   | UPDATE
            BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY      | SERIALIZABLE
            BEGIN READ ONLY; SET TRANSACTION READ WRITE       | UPDATE
            BEGIN READ ONLY; SELECT nextval('s')              | UPDATE
            COMMIT                                            | SESSION_CONTROL
            SET work_mem = '1MB'                              | SESSION_CONTROL
            BEGIN READ ONLY; SET LOCAL work_mem = '1MB'       | satellite
            BEGIN READ ONLY; SET ROLE other                   | SESSION_CONTROL
            SHOW work_mem                                     | MASTER_ONLY
            BEGIN READ ONLY; SHOW work_mem                    | satellite
            BEGIN READ ONLY; SHOW transaction_read_only       | MASTER_ONLY
            BEGIN READ ONLY; DECLARE c CURSOR FOR SELECT 1    | satellite
            LISTEN a                                          | SESSION_CONTROL
            INSERT INTO t VALUES (1)                          | UPDATE
            """)
    void outsideABlock(String sql, String where) {
        assertEquals(where, place(sql, new TransactionBlock(), USUAL));
    }

    @Test
    void defaultsOfTheSessionCount() {
        assertEquals("satellite", place("BEGIN", new TransactionBlock(), READ_ONLY));
        assertEquals("UPDATE", place("BEGIN READ WRITE", new TransactionBlock(), READ_ONLY));
        assertEquals("SERIALIZABLE", place("SELECT 1", new TransactionBlock(), SERIALIZABLE));
        assertEquals(
                "satellite",
                place("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY", new TransactionBlock(), SERIALIZABLE));
    }

    @Test
    void readOnlyBlockCanMoveUntilItLeavesATrace() {
        TransactionBlock block = new TransactionBlock();
        block.sent(classify("BEGIN READ ONLY"), USUAL, false);
        assertTrue(block.isOpen());
        block.sent(classify("SELECT 1"), USUAL, false);
        assertTrue(block.isMovable());
        block.sent(classify("SAVEPOINT a"), USUAL, false);
        assertFalse(block.isMovable());
        block.sent(classify("COMMIT AND CHAIN"), USUAL, false);
        assertTrue(block.isMovable());
        assertTrue(block.isReadOnly());
        block.sent(classify("COMMIT"), USUAL, false);
        assertFalse(block.isOpen());
    }

    @Test
    void whatIsChainedToAFailedBlockBeginsWithTheDefaults() {
        TransactionBlock block = new TransactionBlock();
        block.sent(classify("BEGIN READ ONLY"), USUAL, false);
        block.sent(classify("ROLLBACK AND CHAIN"), USUAL, true);
        assertTrue(block.isOpen());
        assertFalse(block.isReadOnly());
    }

    @Test
    void whatABlockGotByBeingChainedOutlastsItsFailure() {
        TransactionBlock block = new TransactionBlock();
        block.sent(classify("BEGIN READ ONLY"), USUAL, false);
        block.sent(classify("COMMIT AND CHAIN"), USUAL, false);
        block.sent(classify("SET TRANSACTION READ WRITE"), USUAL, false);
        assertFalse(block.isReadOnly());
        block.sent(classify("ROLLBACK AND CHAIN"), USUAL, true);
        assertTrue(block.isReadOnly());
    }

    /** Or else that would outlast a failure there. */
    @Test
    void whatAChainedBlockHasSetIsSetAgainWhereItBeginsAnew() {
        TransactionBlock block = new TransactionBlock();
        block.sent(classify("BEGIN READ ONLY"), USUAL, false);
        block.sent(classify("COMMIT AND CHAIN"), USUAL, false);
        assertEquals(
                "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; COMMIT AND CHAIN",
                block.course().sql());
        block.sent(classify("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"), USUAL, false);
        assertEquals(
                "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; COMMIT AND CHAIN;"
                        + " SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
                block.course().sql());
    }

    @Test
    void beginWithinABlockSetsWhatItNames() {
        TransactionBlock block = new TransactionBlock();
        block.sent(classify("BEGIN READ ONLY"), USUAL, false);
        assertEquals("satellite", place("BEGIN", block, USUAL));
        assertEquals("UPDATE", place("BEGIN READ WRITE", block, USUAL));
        assertEquals("SERIALIZABLE", place("START TRANSACTION ISOLATION LEVEL SERIALIZABLE", block, USUAL));
        block.sent(classify("BEGIN ISOLATION LEVEL REPEATABLE READ"), USUAL, false);
        assertEquals(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                block.course().sql());
    }

    @Test
    void repeatableReadIsBoundByItsSnapshot() {
        TransactionBlock block = new TransactionBlock();
        block.sent(classify("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), USUAL, false);
        assertTrue(block.isMovable());
        assertTrue(block.takesNewSnapshot());
        block.sent(classify("SELECT 1"), USUAL, false);
        assertFalse(block.takesNewSnapshot());
        assertFalse(block.isMovable());
        assertEquals(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT",
                block.course().sql());
    }

    @Test
    void blockThatNobodySawBeginningMayDoAnything() {
        TransactionBlock block = new TransactionBlock();
        block.inBlock();
        assertTrue(block.isOpen());
        assertFalse(block.isReadOnly());
        assertFalse(block.isMovable());
    }

    private static String place(String sql, TransactionBlock block, SessionDefaults defaults) {
        Reason reason = AccessRules.of(classify(sql), block, defaults, false).masterReason();
        return reason == null ? "satellite" : reason.name();
    }

    private static List<Statement> classify(String sql) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        ClassifiedSql known = CLASSIFIER.classify(bytes, 0, bytes.length, DatabaseCatalog.EMPTY);
        if (known == null) {
            CompletableFuture<ClassifiedSql> later = new CompletableFuture<>();
            CLASSIFIER.whenClassified(bytes, 0, bytes.length, DatabaseCatalog.EMPTY, Runnable::run, later::complete);
            known = later.join();
        }
        return known.statements();
    }
}
