package io.multimed.endpoint.pg.session.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.core.dispatch.Reason;
import io.multimed.endpoint.pg.session.SessionSql;
import io.multimed.endpoint.pg.session.block.HoldersOfBlock;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.UndeclaredBlock;
import io.multimed.endpoint.pg.session.reads.BlockHabits;
import io.multimed.endpoint.pg.session.settings.SessionDefaults;
import io.multimed.sql.Isolation;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Placement of a unit, derived from its statements and the block that contains them. */
class AccessRulesTest {
    private static final SessionSql SQL = new SessionSql();
    private static final SessionDefaults USUAL = new SessionDefaults(false, Isolation.READ_COMMITTED, 0, 0, 0);
    private static final SessionDefaults READ_ONLY = new SessionDefaults(true, Isolation.READ_COMMITTED, 0, 0, 0);
    private static final SessionDefaults SERIALIZABLE = new SessionDefaults(false, Isolation.SERIALIZABLE, 0, 0, 0);

    @AfterAll
    static void close() {
        SQL.close();
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
            BEGIN READ ONLY; SHOW search_path                 | satellite
            BEGIN READ ONLY; SHOW work_mem                    | MASTER_ONLY
            BEGIN READ ONLY; SET LOCAL work_mem = 5; SHOW work_mem              | satellite
            BEGIN READ ONLY; SET LOCAL search_path TO DEFAULT; SHOW search_path | MASTER_ONLY
            BEGIN READ ONLY; SHOW transaction_read_only       | MASTER_ONLY
            BEGIN READ ONLY; DECLARE c CURSOR FOR SELECT 1    | satellite
            LISTEN a                                          | SESSION_CONTROL
            INSERT INTO t VALUES (1)                          | UPDATE
            """)
    void outsideABlock(String sql, String where) {
        assertEquals(
                where,
                place(
                        sql,
                        new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null)),
                        USUAL));
    }

    @Test
    void defaultsOfTheSessionCount() {
        assertEquals(
                "satellite",
                place(
                        "BEGIN",
                        new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null)),
                        READ_ONLY));
        assertEquals(
                "UPDATE",
                place(
                        "BEGIN READ WRITE",
                        new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null)),
                        READ_ONLY));
        assertEquals(
                "SERIALIZABLE",
                place(
                        "SELECT 1",
                        new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null)),
                        SERIALIZABLE));
        assertEquals(
                "satellite",
                place(
                        "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY",
                        new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null)),
                        SERIALIZABLE));
    }

    @Test
    void beginWithinABlockSetsWhatItNames() {
        TransactionBlock block = new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null));
        block.sent(SQL.statements("BEGIN READ ONLY"), USUAL, false);
        assertEquals("satellite", place("BEGIN", block, USUAL));
        assertEquals("UPDATE", place("BEGIN READ WRITE", block, USUAL));
        assertEquals("SERIALIZABLE", place("START TRANSACTION ISOLATION LEVEL SERIALIZABLE", block, USUAL));
    }

    @Test
    void theEndOfABlockIsForItsEngineWhateverTheDefaultsAreBehindIt() {
        TransactionBlock block = new TransactionBlock(new UndeclaredBlock(new BlockHabits()), new HoldersOfBlock(null));
        block.sent(SQL.statements("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), SERIALIZABLE, false);
        for (String end : List.of("COMMIT", "ROLLBACK", "COMMIT AND CHAIN", "SELECT 1; COMMIT")) {
            assertEquals("satellite", place(end, block, SERIALIZABLE), end);
        }
        assertEquals("SERIALIZABLE", place("COMMIT; SELECT 1", block, SERIALIZABLE));
    }

    private static String place(String sql, TransactionBlock block, SessionDefaults defaults) {
        Reason reason = AccessRules.of(SQL.statements(sql), block, defaults, false, "search_path"::equals)
                .masterReason();
        return reason == null ? "satellite" : reason.name();
    }
}
