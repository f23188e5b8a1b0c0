package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LongReadQueueTest {
    private static final PoolKey KEY = new PoolKey("postgres", "postgres", Map.of());
    private static final long A_QUARTER = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONG = 10 * MILLI - 10;
    private static final long VERY_LONG = 10 * MILLI;

    private long now;
    private boolean othersRun;
    private final LongReadQueue queue = new LongReadQueue(2, () -> othersRun, () -> now);
    private final ConnectionRequest first = request(1, LONG);
    private final ConnectionRequest second = request(2, LONG);
    private final ConnectionRequest third = request(3, LONG);
    private final ConnectionRequest fourth = request(4, LONG);

    @Test
    void noMoreRunSideBySideThanThereMayBe() {
        assertTrue(queue.enter(first));
        assertTrue(queue.enter(second));
        assertFalse(queue.enter(third));
        assertNull(queue.next());
    }

    @Test
    void thoseThatTakeVeryLongLeavePlacesWhileOthersRun() {
        othersRun = true;
        assertTrue(queue.enter(request(1, VERY_LONG)));
        ConnectionRequest next = request(2, VERY_LONG);
        assertFalse(queue.enter(next));
        assertTrue(queue.enter(first));
        assertTrue(queue.enter(second));
        assertNull(queue.next());
        othersRun = false;
        assertSame(next, queue.next());
    }

    @Test
    void whoWaitsIsServedInOrderWhenOneHasLeft() {
        fill();
        queue.left(first.waiter());
        assertSame(third, queue.next());
        assertNull(queue.next());
        queue.left(third.waiter());
        assertSame(fourth, queue.next());
        assertTrue(queue.isEmpty());
    }

    @Test
    void whoComesLaterOvertakesNobodyWhoTakesAsLong() {
        fill();
        queue.left(first.waiter());
        ConnectionRequest fifth = request(5, LONG);
        assertFalse(queue.enter(fifth));
        assertSame(third, queue.next());
    }

    @Test
    void whoTakesATenthHasTheSameClaimAfterATenthOfTheWait() {
        fill();
        ConnectionRequest brief = request(90 * MILLI + 4, LONG / 10);
        assertFalse(queue.enter(brief));
        now = 99 * MILLI;
        queue.left(first.waiter());
        assertSame(third, queue.next());
        now = 101 * MILLI;
        queue.left(second.waiter());
        assertSame(brief, queue.next());
    }

    @Test
    @SuppressWarnings("ReferenceEquality") // This very request.
    void whoTakesLongIsServedHoweverManyBriefOnesCome() {
        fill();
        int served = 0;
        queue.left(first.waiter());
        for (ConnectionRequest next = null; next != third; served++) {
            now += MILLI;
            queue.enter(request(now, LONG / 10));
            queue.enter(request(now, LONG / 10));
            next = queue.next();
            assertNotNull(next);
            queue.left(next.waiter());
        }
        assertTrue(served < 50, served + " were served before");
    }

    @Test
    void whoTakesVeryLongAndWhoDoesNotDoNotCountForEachOther() {
        fill();
        ConnectionRequest fifth = request(5, VERY_LONG);
        assertTrue(queue.enter(fifth));
        assertTrue(queue.enter(request(6, VERY_LONG)));
        ConnectionRequest seventh = request(7, VERY_LONG);
        assertFalse(queue.enter(seventh));
        assertNull(queue.next());
        queue.left(fifth.waiter());
        assertSame(seventh, queue.next());
        assertNull(queue.next());
        queue.left(first.waiter());
        assertSame(third, queue.next());
    }

    @Test
    void whoHasRunForLongKeepsNobodyWaiting() {
        fill();
        now = A_QUARTER;
        assertNull(queue.next());
        now = A_QUARTER + 1;
        assertSame(third, queue.next());
        assertSame(fourth, queue.next());
    }

    @Test
    void whoWantsItNoLongerMakesRoom() {
        fill();
        queue.forget(third.waiter());
        queue.forget(second.waiter());
        assertSame(fourth, queue.next());
    }

    @Test
    void whoGotNoConnectionMakesRoom() {
        fill();
        queue.left(first.waiter());
        assertSame(third, queue.next());
    }

    @Test
    void thoseWhoHaveWaitedForLongAreHandedOut() {
        fill();
        assertEquals(List.of(third), queue.takeIf(each -> each.sinceNanos() < fourth.sinceNanos()));
        assertEquals(1, queue.size());
    }

    @Test
    void allWhoWaitAreHandedOut() {
        fill();
        assertEquals(List.of(third, fourth), queue.takeIf(each -> true));
        assertTrue(queue.isEmpty());
    }

    /** Fills the queue: two requests run and two wait, all of equal length. */
    private void fill() {
        queue.enter(first);
        queue.enter(second);
        queue.enter(third);
        queue.enter(fourth);
    }

    private static ConnectionRequest request(long since, long expected) {
        return new ConnectionRequest(KEY, new QueueingWaiter(), since, expected);
    }
}
