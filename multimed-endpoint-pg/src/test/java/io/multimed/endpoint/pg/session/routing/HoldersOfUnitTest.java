package io.multimed.endpoint.pg.session.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.core.node.NodeContents;
import io.multimed.endpoint.pg.session.SessionSql;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.UndeclaredBlock;
import io.multimed.endpoint.pg.session.reads.BlockHabits;
import io.multimed.endpoint.pg.session.settings.SessionDefaults;
import io.multimed.sql.Isolation;
import io.multimed.sql.PartialTables;
import io.multimed.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HoldersOfUnitTest {
    private static final SessionSql SQL = new SessionSql();
    private static final SessionDefaults DEFAULTS = new SessionDefaults(false, Isolation.READ_COMMITTED, 0, 0, 0);
    private static final Statement READ = new Statement.Read(false, 0b110);
    private static final Statement MOMENTARY = new Statement.Read(true, 0b110);
    private static final Statement OTHER = new Statement.Read(false, 0b011);

    private final TransactionBlock none = new TransactionBlock(new UndeclaredBlock(new BlockHabits()));

    @AfterAll
    static void close() {
        SQL.close();
    }

    private static long holders(TransactionBlock block, Statement... statements) {
        return HoldersOfUnit.of(List.of(statements), block, Isolation.READ_COMMITTED);
    }

    /** Returns the holders of a read behind other statements. */
    private static long behind(String sql, TransactionBlock block, Isolation defaults, Statement read) {
        List<Statement> statements = new ArrayList<>(SQL.statements(sql));
        statements.add(read);
        return HoldersOfUnit.of(statements, block, defaults);
    }

    private static TransactionBlock opened(String begin) {
        TransactionBlock block = new TransactionBlock(new UndeclaredBlock(new BlockHabits()));
        block.sent(SQL.statements(begin), DEFAULTS, false);
        return block;
    }

    @Test
    void areThoseThatHoldEachOfItsReads() {
        assertEquals(0b110, holders(none, READ));
        assertEquals(0b010, holders(none, READ, OTHER));
        assertEquals(0b110, holders(none, MOMENTARY));
        assertEquals(0b110, holders(opened("BEGIN READ ONLY"), READ));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN READ ONLY",
                "BEGIN READ ONLY; SET LOCAL work_mem = 5",
                "BEGIN ISOLATION LEVEL READ UNCOMMITTED READ ONLY",
                "BEGIN READ ONLY; SHOW search_path",
                "BEGIN READ ONLY; COMMIT; BEGIN READ ONLY"
            })
    void doNotDependOnStatementsThatCanBeRepeatedElsewhere(String sql) {
        assertEquals(0b110, behind(sql, none, Isolation.READ_COMMITTED, READ));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                "BEGIN READ ONLY; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                "BEGIN READ ONLY; SAVEPOINT s",
                "BEGIN READ ONLY; DECLARE c CURSOR FOR SELECT 1",
                "BEGIN READ ONLY; COMMIT AND CHAIN",
                "BEGIN READ ONLY; SET default_transaction_read_only = off",
                "INSERT INTO t VALUES (1)"
            })
    void areNoneOfWhatMustStayWhereItBegins(String sql) {
        assertEquals(0, behind(sql, none, Isolation.READ_COMMITTED, READ));
    }

    @Test
    void areNoneOfABlockWithOneSnapshot() {
        assertEquals(0, holders(opened("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), READ));
        assertEquals(0, behind("BEGIN READ ONLY", none, Isolation.REPEATABLE_READ, READ));
        assertEquals(0b110, HoldersOfUnit.of(List.of(READ), none, Isolation.REPEATABLE_READ));
    }

    @Test
    void areNoneOfAReadThatDependsOnTheMomentInABlock() {
        assertEquals(0, holders(opened("BEGIN READ ONLY"), MOMENTARY));
        assertEquals(0, behind("BEGIN READ ONLY", none, Isolation.READ_COMMITTED, MOMENTARY));
    }

    @Test
    void theBitForIndexesIsTheSameForClassificationAndPlacement() {
        assertEquals(NodeContents.INDEXED_ANYWHERE_BIT, PartialTables.INDEXED_ANYWHERE);
    }
}
