package io.multimed.engine.mariadb.relay;

import io.multimed.protocol.mysql.BinlogEventHeader;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Finds transactions in the events of a binary log. Each begins with a GTID. It ends with XID, a COMMIT or ROLLBACK, the preparation
 * of an XA transaction, or, if it is one statement without BEGIN, with that statement.
 *
 * <p>Not thread-safe.
 */
final class EventGroups {
    private static final int INTVAR = 5;
    private static final int RAND = 13;
    private static final int USER_VAR = 14;
    private static final int ANNOTATE_ROWS = 160;
    private static final int CHECKSUM = 4;
    /** Bytes of a QUERY event before its variables: thread, time, two lengths, error, length of the variables. */
    private static final int QUERY_FIXED = 4 + 4 + 1 + 2 + 2;

    private static final int LONGEST_END = "ROLLBACK".length();

    private BinlogEventHeader.Gtid current = new BinlogEventHeader.Gtid(0, 0, 0);
    private boolean open;
    /** Bytes of the checksum behind each event. */
    private int checksum = CHECKSUM;

    /** Begins with a new connection: a transaction that was cut off is sent again. */
    void restart(boolean checksums) {
        open = false;
        checksum = checksums ? CHECKSUM : 0;
    }

    /** Returns the transaction that has begun last. */
    BinlogEventHeader.Gtid current() {
        return current;
    }

    /** Whether a transaction has begun and not ended. */
    boolean isOpen() {
        return open;
    }

    /**
     * Takes an event.
     *
     * @param body what is behind the header, or its beginning
     * @param length of the whole event
     * @return whether a transaction has ended with it
     */
    boolean ends(BinlogEventHeader header, ByteBuf body, long length) throws MysqlProtocolException {
        if (header.type() == BinlogEventHeader.GTID) {
            if (open) {
                throw new MysqlProtocolException(
                        "a transaction begins within another one, after " + current.sequence());
            }
            current = BinlogEventHeader.Gtid.decode(body);
            open = true;
            return false;
        }
        if (!open || !isEnd(header, body, length)) {
            return false;
        }
        open = false;
        return true;
    }

    private boolean isEnd(BinlogEventHeader header, ByteBuf body, long length) {
        int type = header.type();
        if ((current.flags() & BinlogEventHeader.Gtid.STANDALONE) != 0) {
            return type != INTVAR && type != RAND && type != USER_VAR && type != ANNOTATE_ROWS;
        }
        if (type == BinlogEventHeader.XID || type == BinlogEventHeader.XA_PREPARE) {
            return true;
        }
        if (type != BinlogEventHeader.QUERY) {
            return false;
        }
        String statement = statement(body, length);
        return statement.equals("COMMIT") || statement.equals("ROLLBACK");
    }

    /** Returns the statement of a QUERY event if it is short; else empty. */
    private String statement(ByteBuf body, long length) {
        int begin = body.readerIndex();
        long end = begin + length - BinlogEventHeader.BYTES - checksum;
        if (end > body.writerIndex() || body.readableBytes() < QUERY_FIXED) {
            return "";
        }
        int database = body.getUnsignedByte(begin + 8);
        int variables = body.getUnsignedShortLE(begin + 11);
        int text = begin + QUERY_FIXED + variables + database + 1;
        long bytes = end - text;
        return bytes < 0 || bytes > LONGEST_END ? "" : body.toString(text, (int) bytes, StandardCharsets.US_ASCII);
    }
}
