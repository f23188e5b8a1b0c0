package io.multimed.engine.postgresql.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SubscriptionTest {
    private static final long FULL = 100;

    private final Subscription subscription = new Subscription(table -> true, 10, FULL);

    private static Transaction transaction(long scn, long bytes) {
        return new Transaction(scn, 1, List.of(new Change.Truncate(List.of(), false)), bytes);
    }

    private CompletableFuture<Subscription.Group> takeUpTo(long position, Subscription.Group group) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return subscription.takeUpTo(position, group);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void givesAnApplierEverythingUpToAPositionThoughTheQueueIsFull() throws Exception {
        subscription.offer(transaction(20, FULL));
        Subscription.Group first = subscription.take(FULL);
        assertNotNull(first);
        subscription.offer(transaction(30, FULL));
        assertTrue(subscription.isFull());
        CompletableFuture<Subscription.Group> more = takeUpTo(45, first);
        // Otherwise both sides would wait for ever.
        subscription.awaitRoom(TimeUnit.SECONDS.toNanos(20));
        assertFalse(subscription.isFull());
        assertTrue(subscription.isHungry());
        subscription.offer(transaction(40, FULL));
        assertFalse(more.isDone());
        subscription.offer(transaction(50, FULL));
        Subscription.Group group = more.get();
        assertEquals(45, group.position());
        assertEquals(
                List.of(20L, 30L, 40L),
                group.transactions().stream().map(Transaction::scn).toList());
        assertTrue(subscription.isFull());
        subscription.done(group);
        assertFalse(subscription.isFull());
        Subscription.Group last = subscription.take(FULL);
        assertNotNull(last);
        assertEquals(50, last.position());
        subscription.done(last);
    }

    @Test
    void letsGoOfAnApplierThatWaitsForMoreWhenItEnds() throws Exception {
        subscription.position(20);
        Subscription.Group first = subscription.take(FULL);
        assertNotNull(first);
        CompletableFuture<Subscription.Group> more = takeUpTo(45, first);
        subscription.end(new IllegalStateException("the end"));
        assertNull(more.get());
    }
}
