package io.multimed.engine.mariadb.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.protocol.mysql.BinlogEventHeader;
import io.multimed.protocol.mysql.BinlogEventHeader.Gtid;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EventGroupsTest {
    private static final int TABLE_MAP = 19;
    private static final int WRITE_ROWS = 23;
    private static final int USER_VAR = 14;

    private final EventGroups groups = new EventGroups();

    @Test
    void aTransactionEndsWithItsXid() throws Exception {
        assertFalse(gtid(7, Gtid.TRANSACTIONAL));
        assertFalse(event(TABLE_MAP, bytes(30)));
        assertFalse(event(WRITE_ROWS, bytes(300)));
        assertTrue(groups.isOpen());
        assertTrue(event(BinlogEventHeader.XID, bytes(8)));
        assertFalse(groups.isOpen());
        assertEquals(7, groups.current().sequence());
    }

    @Test
    void aTransactionWithoutXidEndsWithCommitOrRollback() throws Exception {
        assertFalse(gtid(1, 0));
        assertFalse(query("SAVEPOINT s"));
        assertFalse(query("ROLLBACK TO s"));
        assertFalse(query("INSERT INTO t VALUES ('COMMIT')"));
        assertTrue(query("COMMIT"));
        assertFalse(gtid(2, 0));
        assertTrue(query("ROLLBACK"));
    }

    @Test
    void aStandaloneStatementIsATransactionWhateverPrecedesIt() throws Exception {
        assertFalse(gtid(1, Gtid.STANDALONE | Gtid.DDL));
        assertFalse(event(USER_VAR, bytes(20)));
        assertTrue(query("CREATE TABLE t AS SELECT @v AS c"));
        assertFalse(gtid(2, Gtid.STANDALONE));
        assertTrue(event(BinlogEventHeader.QUERY_COMPRESSED, bytes(200)));
    }

    @Test
    void anXaTransactionIsPreparedAndCompletedByTransactionsOfTheirOwn() throws Exception {
        assertFalse(gtid(1, Gtid.PREPARED_XA));
        assertFalse(event(WRITE_ROWS, bytes(40)));
        assertTrue(event(BinlogEventHeader.XA_PREPARE, bytes(20)));
        assertFalse(gtid(2, Gtid.STANDALONE | Gtid.COMPLETED_XA));
        assertTrue(query("XA COMMIT X'61',X'',1"));
    }

    @Test
    void eventsBetweenTransactionsEndNone() throws Exception {
        assertFalse(event(BinlogEventHeader.FORMAT_DESCRIPTION, bytes(200)));
        assertFalse(event(BinlogEventHeader.GTID_LIST, bytes(20)));
        assertFalse(event(BinlogEventHeader.HEARTBEAT, bytes(13)));
        assertFalse(event(BinlogEventHeader.XID, bytes(8)));
    }

    @Test
    void refusesATransactionWithinAnother() throws Exception {
        assertFalse(gtid(1, 0));
        assertThrows(MysqlProtocolException.class, () -> gtid(2, 0));
        groups.restart(true);
        assertFalse(gtid(1, 0));
    }

    @Test
    void countsTheChecksumsThatThereAre() throws Exception {
        groups.restart(false);
        assertFalse(gtid(1, 0));
        ByteBuf body = queryBody("COMMIT");
        assertTrue(groups.ends(
                new BinlogEventHeader(0, BinlogEventHeader.QUERY, 1, 0, 0, 0),
                body,
                BinlogEventHeader.BYTES + body.readableBytes()));
    }

    private boolean gtid(long sequence, int flags) throws Exception {
        return event(
                BinlogEventHeader.GTID,
                Unpooled.buffer()
                        .writeLongLE(sequence)
                        .writeIntLE(0)
                        .writeByte(flags)
                        .writeZero(6));
    }

    private boolean query(String statement) throws Exception {
        return event(BinlogEventHeader.QUERY, queryBody(statement));
    }

    private static ByteBuf queryBody(String statement) {
        ByteBuf body = Unpooled.buffer();
        body.writeIntLE(5).writeIntLE(0).writeByte(4).writeShortLE(0).writeShortLE(11);
        body.writeZero(11);
        body.writeCharSequence("shop", StandardCharsets.US_ASCII);
        body.writeByte(0).writeCharSequence(statement, StandardCharsets.UTF_8);
        return body;
    }

    private static ByteBuf bytes(int count) {
        return Unpooled.buffer().writeZero(count);
    }

    private boolean event(int type, ByteBuf body) throws Exception {
        body.writeZero(4);
        int length = BinlogEventHeader.BYTES + body.readableBytes();
        return groups.ends(new BinlogEventHeader(0, type, 1, length, 0, 0), body, length);
    }
}
