package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import org.junit.jupiter.api.Test;

class SegmentPortalsTest {
    private final KnownStatements known = new KnownStatements();

    private SegmentPortals of(byte[]... messages) throws Exception {
        return of(known.scan(messages));
    }

    private static SegmentPortals of(Segment segment) {
        return SegmentPortals.of(segment, SegmentStatements.of(segment));
    }

    @Test
    void anUnnamedPortalThatIsExecutedToItsEndConcernsNoOtherUnit() throws Exception {
        assertEquals(
                new SegmentPortals(false, false, false, false),
                of(FrontendBytes.bind("", "known"), FrontendBytes.execute("", 0), FrontendBytes.sync()));
    }

    @Test
    void aPortalIsKeptIfItHasANameOrRowsAreLeft() throws Exception {
        assertTrue(of(FrontendBytes.bind("p", "known"), FrontendBytes.execute("p", 0), FrontendBytes.sync())
                .keeps());
        assertTrue(of(FrontendBytes.bind("", "known"), FrontendBytes.execute("", 1), FrontendBytes.sync())
                .keeps());
    }

    @Test
    void aBeginHasNoRowsLeft() throws Exception {
        assertFalse(of(FrontendBytes.bind("", "begin"), FrontendBytes.execute("", 1), FrontendBytes.sync())
                .keeps());
    }

    @Test
    void aPortalThatIsNotExecutedIsLeftToLaterMessages() throws Exception {
        assertEquals(
                new SegmentPortals(true, false, true, true),
                of(FrontendBytes.bind("", "known"), FrontendBytes.flush()));
        assertFalse(of(FrontendBytes.bind("p", "known"), FrontendBytes.flush()).leavesUnnamed());
    }

    @Test
    void aPauseLeavesThePortalLikeAFlush() throws Exception {
        Segment arrived = known.scan(FrontendBytes.bind("", "known"));
        assertFalse(of(arrived).keeps());
        assertTrue(of(arrived.upToPause()).keeps());
    }

    @Test
    void aPortalThatNoMessageHasBoundIsAnEarlierOne() throws Exception {
        assertTrue(of(FrontendBytes.execute("", 0), FrontendBytes.sync()).usesEarlier());
        assertTrue(of(FrontendBytes.describe('P', ""), FrontendBytes.sync()).usesEarlier());
    }
}
