package io.multimed.core.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MasterLogTest {
    private final MasterVisibility visibility = new MasterVisibility();
    private final MasterLog log = new MasterLog(visibility);

    @Test
    void hasNoFloorBeforeTheRelayConnects() {
        assertEquals(MasterLog.UNKNOWN, log.floor());
    }

    @Test
    void hasNoFloorUntilTheStreamReachesWhereTheMasterWas() {
        log.connected(100);
        log.received(50);
        assertEquals(MasterLog.UNKNOWN, log.floor());
        log.received(99);
        assertEquals(MasterLog.UNKNOWN, log.floor());
        log.received(100);
        assertEquals(100, log.floor());
    }

    @Test
    void floorIsTheLastCommitNotTheEndOfTheLog() {
        log.connected(100);
        log.received(100);
        log.commit(150, 7);
        log.received(180);
        log.received(5_000);

        assertEquals(150, log.floor());
        assertEquals(5_000, log.received());
    }

    @Test
    void floorMovesOnlyWhenAllCommitsOfTheChunkAreReported() {
        log.connected(100);
        log.received(100);
        log.commit(150, 7);

        assertEquals(100, log.floor());
    }

    @Test
    void floorIsWithdrawnWhenTheRelayLosesTheMaster() {
        log.connected(100);
        log.received(100);
        log.disconnected();
        assertEquals(MasterLog.UNKNOWN, log.floor());

        // The rest of the chunk that had been read before does not restore the floor.
        log.commit(120, 8);
        log.received(120);
        assertEquals(MasterLog.UNKNOWN, log.floor());
    }

    @Test
    void floorAfterReconnectingCoversWhatHappenedWhileAway() {
        log.connected(100);
        log.commit(120, 8);
        log.received(120);
        log.disconnected();
        log.connected(300);
        log.received(200);
        assertEquals(MasterLog.UNKNOWN, log.floor());
        log.commit(290, 9);
        log.received(320);

        assertEquals(300, log.floor());
    }

    @Test
    void floorNeverFallsWhenTheRelayReadsOldLogAgain() {
        log.connected(100);
        log.commit(150, 8);
        log.received(160);
        log.disconnected();
        log.connected(160);
        log.received(96);
        assertEquals(MasterLog.UNKNOWN, log.floor());
        log.commit(150, 8);
        log.received(160);

        assertEquals(160, log.floor());
    }

    @Test
    void aDoubtLastsUntilTheRelayHasReceivedWhatTheMasterHadThen() {
        log.connected(100);
        log.received(100);
        long doubt = log.doubt();
        assertEquals(MasterLog.UNKNOWN, log.floor());
        // It is not known yet which commits the doubt may be about.
        log.commit(150, 8);
        log.received(160);
        assertEquals(MasterLog.UNKNOWN, log.floor());

        log.endDoubts(log.doubts(), 200);
        assertFalse(log.isDoubted());
        assertEquals(MasterLog.UNKNOWN, log.floor());
        assertFalse(log.isOver(doubt));
        log.commit(190, 9);
        log.received(200);

        assertEquals(190, log.floor());
        assertTrue(log.isOver(doubt));
    }

    @Test
    void aDoubtThatCameAfterTheMasterWasAskedIsNotOver() {
        log.connected(100);
        log.received(100);
        long first = log.doubt();
        long asked = log.doubts();
        long second = log.doubt();
        log.endDoubts(asked, 100);

        assertTrue(log.isOver(first));
        assertFalse(log.isOver(second));
        assertTrue(log.isDoubted());
        assertEquals(MasterLog.UNKNOWN, log.floor());
        log.endDoubts(log.doubts(), 100);
        assertEquals(100, log.floor());
    }

    @Test
    void theEndOfADoubtDoesNotBringBackTheFloorOfALostMaster() {
        log.connected(100);
        log.received(100);
        log.doubt();
        log.disconnected();
        log.endDoubts(log.doubts(), 100);
        assertEquals(MasterLog.UNKNOWN, log.floor());
    }

    @Test
    void commitIsUnconfirmedBeforeItsFloorIsPublished() {
        log.connected(0);
        log.commit(150, 8);

        assertFalse(visibility.masterShows(150));
    }
}
