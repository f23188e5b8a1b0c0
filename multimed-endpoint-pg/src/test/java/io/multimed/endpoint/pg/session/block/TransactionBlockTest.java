package io.multimed.endpoint.pg.session.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.session.SessionSql;
import io.multimed.endpoint.pg.session.reads.BlockHabits;
import io.multimed.endpoint.pg.session.settings.SessionDefaults;
import io.multimed.sql.Isolation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** State of a block, derived from the statements that were sent. */
class TransactionBlockTest {
    private static final SessionSql SQL = new SessionSql();
    private static final SessionDefaults USUAL = new SessionDefaults(false, Isolation.READ_COMMITTED, 0, 0, 0);

    @AfterAll
    static void close() {
        SQL.close();
    }

    @Test
    void readOnlyBlockCanMoveUntilItLeavesATrace() {
        TransactionBlock block = new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null));
        block.sent(SQL.statements("BEGIN READ ONLY"), USUAL, false);
        assertTrue(block.isOpen());
        block.sent(SQL.statements("SELECT 1"), USUAL, false);
        assertTrue(block.isMovable());
        block.sent(SQL.statements("SAVEPOINT a"), USUAL, false);
        assertFalse(block.isMovable());
        block.sent(SQL.statements("COMMIT AND CHAIN"), USUAL, false);
        assertTrue(block.isMovable());
        assertTrue(block.isReadOnly());
        block.sent(SQL.statements("COMMIT"), USUAL, false);
        assertFalse(block.isOpen());
    }

    @Test
    void whatIsChainedToAFailedBlockBeginsWithTheDefaults() {
        TransactionBlock block = new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null));
        block.sent(SQL.statements("BEGIN READ ONLY"), USUAL, false);
        block.sent(SQL.statements("ROLLBACK AND CHAIN"), USUAL, true);
        assertTrue(block.isOpen());
        assertFalse(block.isReadOnly());
    }

    @Test
    void whatABlockGotByBeingChainedOutlastsItsFailure() {
        TransactionBlock block = new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null));
        block.sent(SQL.statements("BEGIN READ ONLY"), USUAL, false);
        block.sent(SQL.statements("COMMIT AND CHAIN"), USUAL, false);
        block.sent(SQL.statements("SET TRANSACTION READ WRITE"), USUAL, false);
        assertFalse(block.isReadOnly());
        block.sent(SQL.statements("ROLLBACK AND CHAIN"), USUAL, true);
        assertTrue(block.isReadOnly());
    }

    /** Otherwise the setting would outlast a failure there. */
    @Test
    void whatAChainedBlockHasSetIsSetAgainWhereItBeginsAnew() {
        TransactionBlock block = new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null));
        block.sent(SQL.statements("BEGIN READ ONLY"), USUAL, false);
        block.sent(SQL.statements("COMMIT AND CHAIN"), USUAL, false);
        assertEquals(
                "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; COMMIT AND CHAIN",
                block.course().sql());
        block.sent(SQL.statements("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"), USUAL, false);
        assertEquals(
                "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; COMMIT AND CHAIN;"
                        + " SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
                block.course().sql());
    }

    @Test
    void beginWithinABlockSetsWhatItNames() {
        TransactionBlock block = new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null));
        block.sent(SQL.statements("BEGIN READ ONLY"), USUAL, false);
        block.sent(SQL.statements("BEGIN ISOLATION LEVEL REPEATABLE READ"), USUAL, false);
        assertEquals(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                block.course().sql());
    }

    @Test
    void repeatableReadIsBoundByItsSnapshot() {
        TransactionBlock block = new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null));
        block.sent(SQL.statements("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), USUAL, false);
        assertTrue(block.isMovable());
        assertTrue(block.takesNewSnapshot());
        block.sent(SQL.statements("SELECT 1"), USUAL, false);
        assertFalse(block.takesNewSnapshot());
        assertFalse(block.isMovable());
        assertEquals(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT",
                block.course().sql());
    }

    @Test
    void blockThatNobodySawBeginningMayDoAnything() {
        TransactionBlock block = new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null));
        block.inBlock();
        assertTrue(block.isOpen());
        assertFalse(block.isReadOnly());
        assertFalse(block.isMovable());
    }
}
