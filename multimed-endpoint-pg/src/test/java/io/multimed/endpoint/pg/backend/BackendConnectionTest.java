package io.multimed.endpoint.pg.backend;

import static io.multimed.endpoint.pg.backend.PoolOnEmbeddedChannels.KIND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.backend.PoolOnEmbeddedChannels.Waiter;
import io.multimed.model.Role;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // An embedded channel acts at once.
class BackendConnectionTest {
    private final PoolOnEmbeddedChannels engine = new PoolOnEmbeddedChannels(Role.SATELLITE, 4, new ReadSharing(1, 4));
    private final BackendConnection connection = engine.opened(KIND);
    private final EmbeddedChannel channel = engine.channels.getFirst();
    private final Waiter first = new Waiter(1);
    private final Waiter second = new Waiter(2);
    private final Waiter third = new Waiter(3);

    @BeforeEach
    void oneFollowsAnother() {
        second.follows = true;
        third.follows = true;
        assertSame(connection, engine.pool.acquire(KIND, first, 0));
        send();
        assertSame(connection, engine.pool.acquire(KIND, second, 0));
        send();
        channel.releaseOutbound();
    }

    private void send() {
        connection.write(PoolOnEmbeddedChannels.unit());
        connection.offer();
        engine.run();
    }

    /** Returns the number of units that have reached the engine. */
    private int sent() {
        engine.run();
        int sent = channel.outboundMessages().size();
        channel.releaseOutbound();
        return sent;
    }

    @Test
    void repliesGoToTheUsersInTheOrderOfTheirUnits() {
        assertTrue(connection.isHeardBy(first));
        assertFalse(connection.isAlone());
        engine.answer(0);
        connection.release();
        assertTrue(connection.isHeardBy(second));
        assertTrue(connection.isAlone());
        engine.answer(0);
        assertEquals(List.of("C", "Z", "ready"), first.told);
        assertEquals(first.told, second.told);
        connection.release();
        assertEquals(1, engine.pool.idleCount());
    }

    @Test
    void theReplyToAUserThatHasLeftIsDiscarded() {
        connection.leave(first, 1);
        engine.answer(0);
        assertEquals(List.of(), first.told);
        assertTrue(connection.isHeardBy(second));
    }

    @Test
    void theReplyToAFollowerThatHasLeftIsDiscarded() {
        connection.leave(second, 1);
        engine.answer(0);
        connection.release();
        assertEquals(0, engine.pool.idleCount());
        engine.answer(0);
        assertEquals(List.of(), second.told);
        assertEquals(1, engine.pool.idleCount());
    }

    @Test
    void nobodyFollowsAUserThatHasSentSomethingElse() {
        connection.write(PoolOnEmbeddedChannels.unit());
        engine.pool.acquire(KIND, third, 0);
        assertNull(third.acquired);
        assertEquals(2, engine.pool.size());
    }

    @Test
    void followersAreDisplacedAtTheSecondLookAndTheSlowOneIsTold() {
        assertTrue(connection.users.displaceWhoHasWaited());
        assertEquals(List.of(), second.told);
        assertFalse(connection.users.displaceWhoHasWaited());
        assertEquals(List.of("displaced"), second.told);
        assertEquals(List.of("held others up"), first.told);
        assertEquals(1, engine.pool.displacedCount());
        // The engine still answers the displaced unit.
        engine.answer(0);
        connection.release();
        engine.answer(0);
        assertEquals(1, engine.pool.idleCount());
    }

    @Test
    void theLooksBeginAnewWithTheNextUser() {
        engine.pool.acquire(KIND, third, 0);
        send();
        assertTrue(connection.users.displaceWhoHasWaited());
        engine.answer(0);
        connection.release();
        assertTrue(connection.users.displaceWhoHasWaited());
        assertEquals(List.of(), third.told);
    }

    @Test
    void aLostConnectionIsToldToAllItsUsers() {
        channel.close();
        engine.run();
        assertEquals(List.of("closed"), first.told);
        assertEquals(List.of("closed"), second.told);
        assertTrue(connection.isClosed());
        assertEquals(0, engine.pool.size());
    }

    @Test
    void aCancelRequestDisplacesFollowersAndHoldsTheNextUnitBackUntilTheEngineHasActed() {
        connection.cancel();
        assertEquals(List.of("displaced"), second.told);
        engine.answer(0);
        connection.release();
        engine.answer(0);
        // The connection waits for the engine to act upon the request, which might hit the next transaction.
        assertEquals(0, engine.pool.idleCount());
        engine.channels.get(1).close();
        engine.run();
        assertEquals(1, engine.pool.idleCount());
        assertNull(connection.cancels);
    }

    @Test
    void whatTheSameUserSendsWhileACancelRequestIsUnderWayIsHeldBack() {
        engine.answer(0);
        connection.release();
        engine.answer(0);
        connection.write(PoolOnEmbeddedChannels.unit());
        assertEquals(1, sent());
        connection.cancel();
        engine.answer(0);
        connection.write(PoolOnEmbeddedChannels.unit());
        assertEquals(0, sent());
        engine.channels.get(1).close();
        assertEquals(1, sent());
    }

    @Test
    void aConnectionInAnUnknownStateIsClosedWhenItIsReleased() {
        engine.answer(0);
        connection.release();
        engine.answer(0);
        connection.session().closeWhenReleased();
        connection.release();
        engine.run();
        assertTrue(connection.isClosed());
        assertEquals(0, engine.pool.size());
    }

    @Test
    void anAnswerThatBelongsToNobodyClosesTheConnection() {
        engine.answer(0);
        connection.release();
        engine.answer(0);
        connection.release();
        engine.answer(0);
        assertTrue(connection.isClosed());
    }
}
