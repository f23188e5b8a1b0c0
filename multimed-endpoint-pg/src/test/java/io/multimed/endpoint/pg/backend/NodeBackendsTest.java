package io.multimed.endpoint.pg.backend;

import static io.multimed.endpoint.pg.backend.PoolOnEmbeddedChannels.KIND;
import static io.multimed.endpoint.pg.backend.PoolOnEmbeddedChannels.OTHER_KIND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.multimed.endpoint.pg.backend.PoolOnEmbeddedChannels.Waiter;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeBackendsTest {
    private static final ReadSharing ALONE = new ReadSharing(4, 1);
    private static final ErrorFields NONE_LEFT =
            ErrorFields.fatal(SqlState.TOO_MANY_CONNECTIONS, "too many connections for role \"postgres\"");

    private final Waiter first = new Waiter(1);
    private final Waiter second = new Waiter(2);
    private final Waiter third = new Waiter(3);

    private static PoolOnEmbeddedChannels master(int limit) {
        return new PoolOnEmbeddedChannels(Role.MASTER, limit, ALONE);
    }

    @Test
    void anIdleConnectionIsGivenAtOnceAndTheClientsOwnFirst() {
        PoolOnEmbeddedChannels engine = master(2);
        assertNull(engine.pool.acquire(KIND, first, 0));
        assertNull(engine.pool.acquire(KIND, second, 0));
        engine.run();
        engine.accept(0);
        engine.accept(1);
        first.connection().session().serve(1);
        second.connection().session().serve(2);
        first.connection().release();
        second.connection().release();
        assertEquals(2, engine.pool.idleCount());

        assertSame(first.acquired, engine.pool.acquire(KIND, first, 0));
        assertSame(second.acquired, engine.pool.acquire(KIND, third, 0));
        assertEquals(0, engine.pool.idleCount());
    }

    @Test
    void waitersOfOneKindAreServedInTheOrderOfTheirRequests() {
        PoolOnEmbeddedChannels engine = master(1);
        BackendConnection only = engine.opened(KIND);
        assertSame(only, engine.pool.acquire(KIND, first, 0));
        assertNull(engine.pool.acquire(KIND, second, 0));
        assertNull(engine.pool.acquire(KIND, third, 0));
        assertEquals(2, engine.pool.waitingCount());

        only.release();
        assertSame(only, second.acquired);
        assertNull(third.acquired);
        only.release();
        assertSame(only, third.acquired);
        only.release();
        assertEquals(0, engine.pool.waitingCount());
        assertEquals(1, engine.pool.idleCount());
    }

    @Test
    void aWaiterThatGivesUpIsPassedOver() {
        PoolOnEmbeddedChannels engine = master(1);
        BackendConnection only = engine.opened(KIND);
        engine.pool.acquire(KIND, first, 0);
        engine.pool.acquire(KIND, second, 0);
        engine.pool.forget(second);
        only.release();
        assertEquals(List.of(), second.told);
        assertEquals(1, engine.pool.idleCount());
    }

    @Test
    void aWaiterOfAnotherKindIsOvertakenUntilItHasWaitedForLong() {
        PoolOnEmbeddedChannels engine = master(1);
        BackendConnection only = engine.opened(KIND);
        engine.pool.acquire(KIND, first, 0);
        engine.pool.acquire(OTHER_KIND, second, 0);
        engine.pool.acquire(KIND, third, 0);
        engine.now += Duration.ofMillis(50).toNanos();
        only.release();
        assertSame(only, third.acquired);

        engine.pool.acquire(KIND, first, 0);
        engine.now++;
        only.release();
        assertFalse(engine.channels.get(0).isOpen());
        assertEquals(List.of(), first.told);
    }

    @Test
    void aTransactionThatRestsLetsAnotherBegin() {
        PoolOnEmbeddedChannels engine = master(1);
        BackendConnection rests = engine.opened(KIND);
        engine.pool.acquire(KIND, first, 0);
        first.idleInTransaction = true;
        engine.pool.acquire(KIND, second, 0);
        assertEquals(1, engine.pool.size());
        engine.pass(101);
        engine.pass(20);
        assertEquals(1, engine.pool.restingCount());
        engine.accept(1);
        assertNotSame(rests, second.connection());

        // When both execute, neither serves a third.
        rests.write(PoolOnEmbeddedChannels.unit());
        assertEquals(0, engine.pool.restingCount());
        engine.pool.acquire(KIND, third, 0);
        second.connection().release();
        assertNull(third.acquired);
        rests.release();
        assertEquals(List.of("acquired"), third.told);
    }

    @Test
    void aConnectionThatASessionKeepsLeavesItsPlaceToAnother() {
        PoolOnEmbeddedChannels engine = master(1);
        BackendConnection kept = engine.opened(KIND);
        engine.pool.acquire(KIND, first, 0);
        kept.keepPrivate();
        assertNull(engine.pool.acquire(KIND, second, 0));
        engine.run();
        engine.accept(1);
        assertEquals(List.of("acquired"), second.told);
        assertEquals(1, engine.pool.privateCount());
    }

    @Test
    void allWhoWaitForANodeThatIsDroppedAreTold() {
        PoolOnEmbeddedChannels engine = master(1);
        engine.pool.acquire(KIND, first, 0);
        engine.pool.acquire(OTHER_KIND, second, 0);
        engine.run();
        engine.pool.abortAll();
        engine.run();
        assertEquals(List.of("refused "), first.told);
        assertEquals(List.of("refused "), second.told);
        assertEquals(0, engine.pool.waitingCount());
    }

    @Test
    void aKindForWhichTheEngineHasNoneLeftWaitsForOneInUse() {
        PoolOnEmbeddedChannels engine = master(2);
        BackendConnection used = engine.opened(KIND);
        engine.pool.acquire(KIND, first, 0);
        engine.pool.acquire(KIND, second, 0);
        engine.run();
        engine.refuse(1, NONE_LEFT);
        assertEquals(List.of(), second.told);
        assertEquals(1, engine.pool.waitingCount());

        used.release();
        assertSame(used, second.acquired);
    }

    @Test
    void aKindForWhichTheEngineHadNoneLeftIsAskedForAgain() {
        PoolOnEmbeddedChannels engine = master(2);
        engine.opened(KIND);
        engine.pool.acquire(KIND, first, 0);
        engine.pool.acquire(KIND, second, 0);
        engine.run();
        engine.refuse(1, NONE_LEFT);
        assertEquals(2, engine.channels.size());
        engine.pass(200);
        assertEquals(3, engine.channels.size());
        engine.accept(2);
        assertEquals(List.of("acquired"), second.told);
    }

    @Test
    void aRefusalThatWillNotPassIsToldToAllOfTheKind() {
        PoolOnEmbeddedChannels engine = master(2);
        engine.pool.acquire(KIND, first, 0);
        engine.pool.acquire(OTHER_KIND, second, 0);
        engine.run();
        engine.refuse(0, NONE_LEFT);
        assertEquals(List.of("refused " + SqlState.TOO_MANY_CONNECTIONS), first.told);
        assertEquals(List.of(), second.told);
    }

    @Test
    void requestsThatHaveWaitedForTooLongAreRefused() {
        PoolOnEmbeddedChannels engine = master(1);
        engine.opened(KIND);
        engine.pool.acquire(KIND, first, 0);
        engine.pool.acquire(KIND, second, 0);
        engine.now = 10;
        engine.pool.acquire(KIND, third, 0);
        engine.pool.waiting.refuseSince(5);
        assertEquals(List.of("refused " + SqlState.TOO_MANY_CONNECTIONS), second.told);
        assertEquals(List.of(), third.told);
        assertEquals(1, engine.pool.waitingCount());
    }

    @Test
    void aShortReadFollowsAnotherOnItsConnection() {
        PoolOnEmbeddedChannels engine = new PoolOnEmbeddedChannels(Role.SATELLITE, 4, new ReadSharing(1, 2));
        BackendConnection shared = engine.opened(KIND);
        second.follows = true;
        third.follows = true;
        assertSame(shared, engine.pool.acquire(KIND, first, 0));
        shared.write(PoolOnEmbeddedChannels.unit());
        shared.offer();
        assertSame(shared, engine.pool.acquire(KIND, second, 0));
        shared.write(PoolOnEmbeddedChannels.unit());
        shared.offer();
        // There is room for two units, and one connection suffices.
        assertNull(engine.pool.acquire(KIND, third, 0));
        assertEquals(1, engine.pool.waitingCount());
        assertEquals(1, engine.pool.size());

        engine.answer(0);
        assertEquals(List.of("C", "Z", "ready"), first.told);
        shared.release();
        assertSame(shared, third.acquired);
        assertEquals(2, engine.pool.behindCount());
        engine.answer(0);
        assertEquals(List.of("C", "Z", "ready"), second.told);
    }

    @Test
    void aReadThatMayNotFollowGetsAConnectionOfItsOwn() {
        PoolOnEmbeddedChannels engine = new PoolOnEmbeddedChannels(Role.SATELLITE, 4, new ReadSharing(1, 2));
        BackendConnection shared = engine.opened(KIND);
        engine.pool.acquire(KIND, first, 0);
        shared.write(PoolOnEmbeddedChannels.unit());
        shared.offer();
        assertNull(engine.pool.acquire(KIND, second, 0));
        engine.run();
        assertEquals(2, engine.pool.size());
    }

    @Test
    void aLongReadBeginsWhenAnotherHasLeftItsConnection() {
        PoolOnEmbeddedChannels engine = new PoolOnEmbeddedChannels(Role.SATELLITE, 4, new ReadSharing(1, 1));
        long expected = Duration.ofMillis(5).toNanos();
        assertNull(engine.pool.acquire(KIND, first, expected));
        assertNull(engine.pool.acquire(KIND, second, expected));
        engine.run();
        assertEquals(1, engine.channels.size());
        engine.accept(0);
        assertEquals(List.of("acquired"), first.told);
        assertEquals(List.of(), second.told);

        first.connection().release();
        assertSame(first.acquired, second.acquired);
        assertEquals(KIND.yieldingOnes(), second.connection().key());
    }
}
