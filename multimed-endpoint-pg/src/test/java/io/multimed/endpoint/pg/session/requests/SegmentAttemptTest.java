package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.session.routing.Unit;
import org.junit.jupiter.api.Test;

class SegmentAttemptTest {
    @Test
    void aMessageIsRefusedInItsPlace() {
        SegmentAttempt attempt = new SegmentAttempt(true, true, 0);
        attempt.refuse(Unit.CANCELLED, 2);
        assertTrue(attempt.isUnfinished());
        assertNull(attempt.takeRefusal());
        assertNull(attempt.takeRefusal());
        assertEquals(Unit.CANCELLED, attempt.takeRefusal());
        assertNull(attempt.takeRefusal());
        assertFalse(attempt.isUnfinished());
    }

    @Test
    void messagesBehindAFlushAreNotExamined() {
        SegmentAttempt attempt = new SegmentAttempt(true, true, 0);
        assertFalse(attempt.takes(20, false));
        assertFalse(attempt.isUnseen() || attempt.isUnscanned());
        assertTrue(attempt.takes(5, true));
        assertTrue(attempt.isUnseen() && attempt.isUnscanned());
    }

    @Test
    void messagesBehindAPauseAreNotExamined() {
        SegmentAttempt attempt = new SegmentAttempt(true, true, 30);
        assertFalse(attempt.takes(20, false));
        assertFalse(attempt.isBehindPause());
        assertTrue(attempt.takes(10, false));
        assertTrue(attempt.isBehindPause());
        assertTrue(attempt.isUnscanned());
        assertFalse(attempt.isUnfinished());
    }
}
