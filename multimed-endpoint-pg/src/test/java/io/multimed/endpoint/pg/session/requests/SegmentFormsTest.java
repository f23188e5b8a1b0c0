package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import org.junit.jupiter.api.Test;

class SegmentFormsTest {
    private static final byte[] BIND = FrontendBytes.bind("", "");
    private static final byte[] EXECUTE = FrontendBytes.execute("", 0);
    private static final byte[] SYNC = FrontendBytes.sync();
    private static final byte[] ROUTE = FrontendBytes.parse("", "SHOW multimed.route");

    private final KnownStatements known = new KnownStatements();

    private Segment of(byte[]... messages) throws Exception {
        return known.scan(messages);
    }

    @Test
    void plainOnesPrepareBindAndExecuteOneStatementAfterTheOther() throws Exception {
        byte[] parse = FrontendBytes.parse("", "LISTEN c");
        assertTrue(SegmentForms.isPlain(
                of(parse, BIND, EXECUTE, parse, BIND, FrontendBytes.describe('P', ""), EXECUTE, SYNC)));
        assertFalse(SegmentForms.isPlain(of(parse, BIND, EXECUTE, EXECUTE, SYNC)));
        assertFalse(SegmentForms.isPlain(of(parse, BIND, EXECUTE, BIND, EXECUTE, SYNC)));
        assertFalse(SegmentForms.isPlain(of(parse, BIND, EXECUTE, FrontendBytes.flush())));
        assertFalse(SegmentForms.isPlain(
                of(FrontendBytes.parse("s", "LISTEN c"), FrontendBytes.bind("", "s"), EXECUTE, SYNC)));
        assertFalse(SegmentForms.isPlain(of(parse, FrontendBytes.bind("", "", "value"), EXECUTE, SYNC)));
    }

    @Test
    void oneExecutionMayPrepareItsStatement() throws Exception {
        assertTrue(SegmentForms.isOneExecution(
                of(FrontendBytes.parse("b", "BEGIN"), FrontendBytes.bind("", "b"), EXECUTE, SYNC)));
        assertTrue(SegmentForms.isOneExecution(of(FrontendBytes.bind("", "begin"), EXECUTE, SYNC)));
    }

    @Test
    void oneExecutionFailsOnlyIfItsStatementDoes() throws Exception {
        assertFalse(SegmentForms.isOneExecution(
                of(FrontendBytes.parse("begin", "BEGIN"), FrontendBytes.bind("", "begin"), EXECUTE, SYNC)));
        assertFalse(SegmentForms.isOneExecution(of(EXECUTE, FrontendBytes.bind("", "begin"), SYNC)));
        assertFalse(SegmentForms.isOneExecution(of(FrontendBytes.bind("", "begin"), EXECUTE, EXECUTE, SYNC)));
        assertFalse(SegmentForms.isOneExecution(of(FrontendBytes.bind("p", "begin"), EXECUTE, SYNC)));
    }

    @Test
    void onlyRouteNamesNothingElse() throws Exception {
        assertTrue(SegmentForms.isOnlyOwn(of(ROUTE, BIND, FrontendBytes.describe('P', ""), EXECUTE, SYNC)));
        assertTrue(SegmentForms.isOnlyOwn(of(ROUTE, FrontendBytes.describe('S', ""), FrontendBytes.flush())));
        assertFalse(SegmentForms.isOnlyOwn(of(ROUTE, BIND, EXECUTE, FrontendBytes.bind("", "known"), SYNC)));
        assertFalse(SegmentForms.isOnlyOwn(of(ROUTE, EXECUTE, SYNC)));
        assertFalse(SegmentForms.isOnlyOwn(of(SYNC)));
    }

    @Test
    void aRouteThatWasClosedIsGone() throws Exception {
        byte[] parse = FrontendBytes.parse("s", "SHOW multimed.route");
        byte[] close = FrontendBytes.close('S', "s");
        assertTrue(SegmentForms.isOnlyOwn(of(parse, FrontendBytes.bind("", "s"), EXECUTE, close, SYNC)));
        assertFalse(SegmentForms.isOnlyOwn(of(parse, close, FrontendBytes.bind("", "s"), EXECUTE, SYNC)));
        assertTrue(SegmentForms.isOnlyOwn(of(parse, close, parse, SYNC)));
        assertFalse(SegmentForms.isOnlyOwn(of(parse, parse, SYNC)));
    }
}
