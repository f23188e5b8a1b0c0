package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionQueueTest {
    private static final PoolKey ONE = new PoolKey("postgres", "one", Map.of());
    private static final PoolKey OTHER = new PoolKey("postgres", "other", Map.of());
    private static final PoolKey THIRD = new PoolKey("postgres", "third", Map.of());
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(50);

    private long now;
    private final ConnectionQueue queue = new ConnectionQueue(() -> now);
    private final ConnectionRequest first = request(ONE, 10);
    private final ConnectionRequest second = request(OTHER, 20);
    private final ConnectionRequest third = request(ONE, 30);

    ConnectionQueueTest() {
        queue.add(first);
        queue.add(second);
        queue.add(third);
    }

    @Test
    void oneOfItsKindIsTakenInTheOrderOfComing() {
        assertSame(first, queue.take(ONE));
        assertSame(third, queue.take(ONE));
        assertNull(queue.take(ONE));
        assertEquals(1, queue.size());
    }

    @Test
    void anotherKindIsOvertakenUntilItHasWaitedTooLong() {
        now = 10 + PATIENCE;
        assertSame(second, queue.firstInLineFor(OTHER));
        assertNull(queue.firstInLineFor(THIRD));
        now++;
        assertSame(first, queue.firstInLineFor(OTHER));
        assertSame(first, queue.firstInLineFor(THIRD));
    }

    @Test
    void aRefusedKindIsNotOpenedAndGetsOnlyWhatMakesRoomForIt() {
        RefusedKinds refused = new RefusedKinds();
        refused.add(ONE, THIRD::equals);
        assertSame(second, queue.firstUnrefused(refused, kind -> true));
        assertSame(first, queue.firstInPlaceOf(THIRD, refused, false, kind -> false));
        assertSame(second, queue.firstInPlaceOf(THIRD, refused, true, kind -> true));
        assertSame(second, queue.firstInPlaceOf(OTHER, refused, false, kind -> true));
    }

    @Test
    void onlyItsOwnKindTakesThePlaceOfOneThatIsToStay() {
        RefusedKinds none = new RefusedKinds();
        assertSame(second, queue.firstInPlaceOf(OTHER, none, false, kind -> false));
        assertNull(queue.firstInPlaceOf(THIRD, none, false, kind -> false));
        assertNull(queue.firstUnrefused(none, kind -> false));
    }

    @Test
    void itIsToldWhetherMoreWaitForAKindThanAreComing() {
        assertTrue(queue.hasMoreThan(1, ONE));
        assertFalse(queue.hasMoreThan(2, ONE));
        assertFalse(queue.hasMoreThan(0, THIRD));
    }

    @Test
    void aLongReadThatFoundNoneThatYieldsIsTakenForOne() {
        assertNull(queue.takeLong(ONE.yieldingOnes()));
        ConnectionRequest isLong = new ConnectionRequest(ONE, new QueueingWaiter(), 40, 1_000_000);
        queue.add(isLong);
        assertNull(queue.takeLong(OTHER.yieldingOnes()));
        assertSame(isLong, queue.takeLong(ONE.yieldingOnes()));
        assertEquals(3, queue.size());
    }

    @Test
    void thoseWhoHaveWaitedTooLongAreTaken() {
        assertEquals(List.of(first), queue.takeIf(each -> each.sinceNanos() < 20));
        assertEquals(List.of(third), queue.takeIf(each -> each.key().equals(ONE)));
        assertEquals(List.of(second), queue.takeIf(each -> true));
        assertEquals(0, queue.size());
    }

    private static ConnectionRequest request(PoolKey kind, long since) {
        return new ConnectionRequest(kind, new QueueingWaiter(), since, 0);
    }
}
