package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.testkit.wire.FrontendBytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentNamesTest {
    private final KnownStatements known = new KnownStatements();

    private SegmentNames of(byte[]... messages) throws Exception {
        return SegmentNames.of(known.scan(messages));
    }

    @Test
    void unnamedStatementsLeaveNothing() throws Exception {
        SegmentNames names = of(FrontendBytes.parse("", "SELECT 1"), FrontendBytes.bind("", ""), FrontendBytes.sync());
        assertEquals(Unit.Leaves.NOTHING, names.leaves());
        assertTrue(names.isSelfContained());
    }

    @Test
    void freeNamesLeaveStatements() throws Exception {
        assertEquals(
                Unit.Leaves.STATEMENTS,
                of(FrontendBytes.parse("s", "SELECT 1"), FrontendBytes.bind("", "s"), FrontendBytes.sync())
                        .leaves());
    }

    @Test
    void takenNamesMayLeaveAnything() throws Exception {
        assertEquals(
                Unit.Leaves.ANYTHING,
                of(FrontendBytes.parse("known", "SELECT 1"), FrontendBytes.sync())
                        .leaves());
        assertEquals(
                Unit.Leaves.ANYTHING,
                of(FrontendBytes.parse("s", "SELECT 1"), FrontendBytes.parse("s", "SELECT 2"), FrontendBytes.sync())
                        .leaves());
    }

    @Test
    void aCloseMayLeaveAnything() throws Exception {
        SegmentNames names = of(FrontendBytes.close('P', ""), FrontendBytes.sync());
        assertEquals(Unit.Leaves.ANYTHING, names.leaves());
        assertFalse(names.isSelfContained());
    }

    @Test
    void statementsPreparedEarlierAreUsedByTheirFirstMessage() throws Exception {
        SegmentNames names = of(
                FrontendBytes.bind("", "begin"),
                FrontendBytes.execute("", 0),
                FrontendBytes.bind("", "known"),
                FrontendBytes.execute("", 0),
                FrontendBytes.bind("", "known"),
                FrontendBytes.sync());
        PreparedStatement statement = known.named("known");
        assertEquals(List.of(statement, statement), names.uses());
        assertEquals(2, names.messageThatUses(statement));
        assertFalse(names.isSelfContained());
    }
}
