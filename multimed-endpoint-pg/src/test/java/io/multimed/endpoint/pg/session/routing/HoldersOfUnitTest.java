package io.multimed.endpoint.pg.session.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.core.node.NodeContents;
import io.multimed.endpoint.pg.session.SessionSql;
import io.multimed.endpoint.pg.session.block.HoldersOfBlock;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.UndeclaredBlock;
import io.multimed.endpoint.pg.session.reads.BlockHabits;
import io.multimed.endpoint.pg.session.reads.HabitualHolders;
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

    private final HabitualHolders habits = new HabitualHolders();

    @AfterAll
    static void close() {
        SQL.close();
    }

    private TransactionBlock none() {
        return new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(habits));
    }

    private TransactionBlock opened(String begin) {
        return opened(SQL.statements(begin));
    }

    private TransactionBlock opened(List<Statement> statements) {
        TransactionBlock block = none();
        block.sent(statements, DEFAULTS, false);
        return block;
    }

    private static List<Statement> behind(String sql, Statement... reads) {
        List<Statement> statements = new ArrayList<>(SQL.statements(sql));
        statements.addAll(List.of(reads));
        return statements;
    }

    /** Lets blocks that begin with these statements end. */
    private void ended(String sql, Statement... reads) {
        List<Statement> statements = behind(sql, reads);
        statements.addAll(SQL.statements("COMMIT"));
        opened(statements);
    }

    private static long held(Statement... statements) {
        return HoldersOfUnit.of(List.of(statements), false);
    }

    /** Returns the partial Satellites on which a unit may run whose session has no node. */
    private static long begin(List<Statement> statements, TransactionBlock block, Isolation defaults, long sent) {
        return HoldersOfUnit.of(statements, false) & HoldersOfUnit.expected(statements, block, defaults, false, sent);
    }

    private long begin(String sql, Statement... reads) {
        return begin(behind(sql, reads), none(), Isolation.READ_COMMITTED, 0);
    }

    @Test
    void areThoseThatHoldEachOfItsReads() {
        assertEquals(0b110, held(READ));
        assertEquals(0b010, held(READ, OTHER));
        assertEquals(0b110, held(MOMENTARY));
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
        assertEquals(0b110, begin(sql, READ));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN READ ONLY; COMMIT AND CHAIN",
                "BEGIN READ ONLY; SET default_transaction_read_only = off",
                "BEGIN READ ONLY; DECLARE c CURSOR WITH HOLD FOR SELECT 1",
                "INSERT INTO t VALUES (1)"
            })
    void areNoneOfWhatNoPartialSatelliteExecutes(String sql) {
        assertEquals(0, begin(sql, READ));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                "BEGIN READ ONLY; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                "BEGIN READ ONLY; SAVEPOINT s"
            })
    void ofABlockThatMustStayAreThoseThatHeldAllThatItNeededBefore(String sql) {
        assertEquals(0, begin(sql, READ) & NodeContents.PARTIAL_BITS, "nothing is known");
        ended(sql, READ);
        assertEquals(0b110, begin(sql, READ));
        ended(sql, READ, OTHER);
        assertEquals(0b010, begin(sql, READ));
        ended("BEGIN READ ONLY", READ);
        assertEquals(0b010, begin(sql, READ), "more is not forgotten");
        assertEquals(0, begin(sql, OTHER, READ), "it begins in another way");
        assertEquals(0b110, begin("BEGIN READ ONLY", READ), "this one may move");
    }

    @Test
    void ofABlockThatIsOverWithTheUnitAreThoseThatHoldIt() {
        List<Statement> whole = behind("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", READ);
        whole.addAll(SQL.statements("COMMIT"));
        assertEquals(0b110, begin(whole, none(), Isolation.READ_COMMITTED, 0));
    }

    @Test
    void ofABlockThatBeginsWithoutAReadAreNone() {
        assertEquals(0, begin(SQL.statements("SAVEPOINT s"), opened("BEGIN READ ONLY"), Isolation.READ_COMMITTED, 0));
        String begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        assertEquals(0, begin(SQL.statements("SHOW search_path"), opened(begin), Isolation.READ_COMMITTED, 0));
    }

    @Test
    void areTheSameWhereTheIsolationComesFromTheSession() {
        List<Statement> begin = behind("BEGIN READ ONLY", READ);
        assertEquals(0, begin(begin, none(), Isolation.REPEATABLE_READ, 0) & NodeContents.PARTIAL_BITS);
        assertEquals(
                0,
                HoldersOfUnit.expected(begin, none(), Isolation.READ_COMMITTED, true, 0) & NodeContents.PARTIAL_BITS);
        assertEquals(0b110, begin(List.of(READ), none(), Isolation.REPEATABLE_READ, 0));
    }

    @Test
    void ofAReadThatDependsOnTheMomentAreThoseThatHeldItsBlocksBefore() {
        assertEquals(0b110, begin(List.of(MOMENTARY), none(), Isolation.READ_COMMITTED, 0), "outside a block");
        assertEquals(0, begin("BEGIN READ ONLY", MOMENTARY) & NodeContents.PARTIAL_BITS);
        ended("BEGIN READ ONLY", MOMENTARY);
        assertEquals(0b110, begin("BEGIN READ ONLY", MOMENTARY));
    }

    @Test
    void includeTheDestinationOfARuleAsLongAsNothingIsKnown() {
        List<Statement> begin = behind("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", READ);
        assertEquals(0b100, begin(begin, none(), Isolation.READ_COMMITTED, 0b100));
        ended("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", READ, OTHER);
        assertEquals(0b010, begin(begin, none(), Isolation.READ_COMMITTED, 0b100));
    }

    @Test
    void areNoneOfABlockWhoseLikeWasRefused() {
        opened(behind("BEGIN READ ONLY; SAVEPOINT s", READ)).holders().refused();
        assertEquals(0, begin("BEGIN READ ONLY; SAVEPOINT s", READ) & NodeContents.PARTIAL_BITS);
        assertEquals(0, begin("BEGIN READ ONLY", READ) & NodeContents.PARTIAL_BITS, "it was bound by a portal");
    }

    @Test
    void aBlockThatStaysMayBeChained() {
        assertEquals(-1, HoldersOfUnit.of(SQL.statements("COMMIT AND CHAIN"), true));
        assertEquals(0, HoldersOfUnit.of(SQL.statements("COMMIT AND CHAIN"), false));
    }

    @Test
    void theBitForIndexesIsTheSameForClassificationAndPlacement() {
        assertEquals(NodeContents.INDEXED_ANYWHERE_BIT, PartialTables.INDEXED_ANYWHERE);
    }
}
