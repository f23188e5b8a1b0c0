package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.protocol.pg.ErrorFields;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LongReadQueueTest {
    private static final PoolKey KEY = new PoolKey("postgres", "postgres", Map.of());
    private static final long A_QUARTER = TimeUnit.MILLISECONDS.toNanos(250);

    private final LongReadQueue queue = new LongReadQueue(2);
    private final ConnectionRequest first = request(1);
    private final ConnectionRequest second = request(2);
    private final ConnectionRequest third = request(3);
    private final ConnectionRequest fourth = request(4);

    @Test
    void noMoreRunSideBySideThanThereMayBe() {
        assertTrue(queue.enter(first, 0));
        assertTrue(queue.enter(second, 0));
        assertFalse(queue.enter(third, 0));
        assertNull(queue.next(1));
    }

    @Test
    void whoWaitsIsServedInOrderWhenOneHasLeft() {
        fill();
        queue.left(first.waiter());
        assertSame(third, queue.next(1));
        assertNull(queue.next(1));
        queue.left(third.waiter());
        assertSame(fourth, queue.next(1));
        assertTrue(queue.isEmpty());
    }

    @Test
    void whoComesLaterOvertakesNobody() {
        fill();
        queue.left(first.waiter());
        ConnectionRequest fifth = request(5);
        assertFalse(queue.enter(fifth, 1));
        assertSame(third, queue.next(1));
    }

    @Test
    void whoHasRunForLongKeepsNobodyWaiting() {
        fill();
        assertNull(queue.next(A_QUARTER));
        assertSame(third, queue.next(A_QUARTER + 1));
        assertSame(fourth, queue.next(A_QUARTER + 1));
    }

    @Test
    void whoWantsItNoLongerMakesRoom() {
        fill();
        queue.forget(third.waiter());
        queue.forget(second.waiter());
        assertSame(fourth, queue.next(1));
    }

    @Test
    void thoseWhoHaveWaitedForLongAreHandedOut() {
        fill();
        assertEquals(List.of(third), queue.takeWaitingSince(fourth.sinceNanos()));
        assertEquals(1, queue.size());
    }

    @Test
    void allWhoWaitAreHandedOut() {
        fill();
        assertEquals(List.of(third, fourth), queue.takeAll());
        assertTrue(queue.isEmpty());
    }

    /** Two run, two wait. */
    private void fill() {
        queue.enter(first, 0);
        queue.enter(second, 0);
        queue.enter(third, 0);
        queue.enter(fourth, 0);
    }

    private static ConnectionRequest request(long since) {
        return new ConnectionRequest(KEY, new Somebody(), since);
    }

    private static final class Somebody extends SilentUser implements BackendWaiter {
        @Override
        public int clientProcessId() {
            return 0;
        }

        @Override
        public void acquired(BackendConnection connection) {
            throw new AssertionError("the queue gives no connections");
        }

        @Override
        public void notAcquired(@Nullable ErrorFields error) {
            throw new AssertionError("the queue refuses nobody");
        }

        @Override
        public void onReady(byte status) {
            throw new AssertionError("nothing was sent");
        }
    }
}
