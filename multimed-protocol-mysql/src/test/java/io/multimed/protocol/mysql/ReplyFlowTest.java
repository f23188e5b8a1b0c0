package io.multimed.protocol.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.protocol.mysql.ReplyFlow.Step;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplyFlowTest {
    private static final String OK = "00000002000000";
    private static final String OK_WITH_MORE = "0000000a000000";
    private static final String EOF = "fe00000200";
    private static final String EOF_OF_CURSOR = "fe00004200";
    private static final String OK_AFTER_ROWS = "fe000002000000";
    private static final String DEFINITION = "03646566";
    private static final String ERROR = "ff280423343230303061";

    private static List<Step> steps(long capabilities, int command, String... payloads) throws Exception {
        ReplyFlow flow = new ReplyFlow(capabilities);
        flow.begin(command);
        List<Step> steps = new ArrayList<>();
        for (String payload : payloads) {
            ByteBuf bytes = Unpooled.wrappedBuffer(HexFormat.of().parseHex(payload));
            steps.add(flow.next(bytes, 0, bytes.readableBytes()));
        }
        return steps;
    }

    private static void assertEndsWithTheLast(long capabilities, int command, String... payloads) throws Exception {
        List<Step> steps = steps(capabilities, command, payloads);
        assertEquals(List.of(Step.ENDED), steps.subList(steps.size() - 1, steps.size()));
        assertFalse(steps.subList(0, steps.size() - 1).contains(Step.ENDED));
    }

    @Test
    void rowsEndWithEofOrOk() throws Exception {
        assertEndsWithTheLast(0, MysqlCommand.QUERY, "02", DEFINITION, DEFINITION, EOF, "0131fb", "fbfb", EOF);
        assertEndsWithTheLast(
                Capability.DEPRECATE_EOF,
                MysqlCommand.QUERY,
                "02",
                DEFINITION,
                DEFINITION,
                "0131fb",
                "fbfb",
                OK_AFTER_ROWS);
    }

    @Test
    void anErrorEndsAReplyAnywhere() throws Exception {
        assertEndsWithTheLast(0, MysqlCommand.QUERY, ERROR);
        assertEndsWithTheLast(0, MysqlCommand.QUERY, "01", DEFINITION, EOF, "0131", ERROR);
        assertEndsWithTheLast(0, MysqlCommand.STMT_PREPARE, ERROR);
    }

    @Test
    void aReportOfProgressEndsNothing() throws Exception {
        String progress = "ffffff0102030405060700";
        assertEndsWithTheLast(Capability.MARIADB_PROGRESS, MysqlCommand.QUERY, progress, progress, OK);
    }

    @Test
    void severalResultsAreOneReply() throws Exception {
        assertEndsWithTheLast(
                0, MysqlCommand.QUERY, OK_WITH_MORE, "01", DEFINITION, EOF, "fe00000a00", OK_WITH_MORE, OK);
    }

    @Test
    void aCursorEndsTheReplyWithTheColumns() throws Exception {
        assertEndsWithTheLast(0, MysqlCommand.STMT_EXECUTE, "01", DEFINITION, EOF_OF_CURSOR);
        assertEndsWithTheLast(0, MysqlCommand.STMT_FETCH, "000005", "000006", EOF_OF_CURSOR);
    }

    @Test
    void preparedStatementsAreDescribed() throws Exception {
        assertEndsWithTheLast(0, MysqlCommand.STMT_PREPARE, "000100000000000000000000");
        assertEndsWithTheLast(
                0, MysqlCommand.STMT_PREPARE, "000100000001000200000000", DEFINITION, DEFINITION, EOF, DEFINITION, EOF);
        assertEndsWithTheLast(
                Capability.DEPRECATE_EOF,
                MysqlCommand.STMT_PREPARE,
                "000100000001000200000000",
                DEFINITION,
                DEFINITION,
                DEFINITION);
    }

    @Test
    void aLocalFileIsAwaited() throws Exception {
        assertEquals(List.of(Step.AWAITS_FILE, Step.ENDED), steps(0, MysqlCommand.QUERY, "fb2f746d702f78", OK));
    }

    @Test
    void aRowThatFillsItsPacketsIsNotTakenForTheEnd() throws Exception {
        ReplyFlow flow = new ReplyFlow(Capability.DEPRECATE_EOF);
        flow.begin(MysqlCommand.STMT_FETCH);
        ByteBuf row = Unpooled.buffer(Packets.MAX_LENGTH).writeByte(0xfe).writeZero(Packets.MAX_LENGTH - 1);
        assertEquals(Step.GOES_ON, flow.next(row, 0, Packets.MAX_LENGTH));
        assertEquals(Step.GOES_ON, flow.next(row, 0, 9));
        assertEquals(1, flow.rows());
    }

    @Test
    void aReplyToNoCommandIsRefused() {
        ReplyFlow flow = new ReplyFlow(0);
        assertFalse(flow.begin(MysqlCommand.STMT_CLOSE));
        assertThrows(MysqlProtocolException.class, () -> flow.next(Unpooled.wrappedBuffer(new byte[7]), 0, 7));
    }
}
