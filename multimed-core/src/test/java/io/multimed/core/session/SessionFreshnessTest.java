package io.multimed.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionFreshnessTest {
    private static final Freshness SECOND_OLD = new Freshness.Eventual(Duration.ofSeconds(1));
    private static final long NOW = 10_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    private final MasterLog log = new MasterLog(new MasterVisibility());
    private final FloorHistory history = new FloorHistory();
    private final ComputationalNode satellite = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
    private final SessionFreshness session = new SessionFreshness(Freshness.STRONG);

    @Test
    void strongReadMustSeeTheFloor() {
        connect(100);
        commit(150);

        assertEquals(150, required());
    }

    @Test
    void strongReadCanBePromisedNothingWithoutAFloor() {
        assertEquals(MasterLog.UNKNOWN, required());
    }

    @Test
    void sessionMustSeeItsOwnCommits() {
        session.choose(Freshness.SESSION);
        connect(100);
        assertEquals(0, required());

        commit(150);
        session.observedOnMaster(log);
        commit(200);
        assertEquals(150, required());
    }

    @Test
    void sessionMustSeeWhatASatelliteShowed() {
        session.choose(Freshness.SESSION);
        connect(100);
        commit(150);
        satellite.forwarded(140);
        session.observedOnSatellite(satellite, log);
        assertEquals(140, required());
    }

    @Test
    void logWithoutCommitsThatWasSentToASatelliteIsNotRequired() {
        session.choose(Freshness.SESSION);
        connect(100);
        commit(150);
        satellite.forwarded(9_000);
        session.observedOnSatellite(satellite, log);
        assertEquals(150, required());
    }

    @Test
    void satelliteMayHaveShownAllThatItWasSentWhenThereIsNoFloor() {
        session.choose(Freshness.SESSION);
        connect(100);
        log.disconnected();
        satellite.forwarded(9_000);
        session.observedOnSatellite(satellite, log);
        assertEquals(9_000, required());
    }

    @Test
    void sessionNeedsNoFloorForWhatItHasSeen() {
        session.choose(Freshness.SESSION);
        session.observed(150);

        assertEquals(150, required());
    }

    @Test
    void whatTheMasterShowedWithoutAFloorOnlyTheMasterCanShowAgain() {
        session.choose(Freshness.SESSION);
        session.observedOnMaster(log);
        assertEquals(MasterLog.UNKNOWN, required());

        session.choose(SECOND_OLD);
        history.sample(NOW, 100);
        assertEquals(MasterLog.UNKNOWN, required());
    }

    @Test
    void untilThereIsAFloorWhichCoversIt() {
        session.choose(Freshness.SESSION);
        session.observedOnMaster(log);
        connect(300);
        assertEquals(300, required());

        commit(400);
        assertEquals(300, required());
    }

    @Test
    void answerOfASatelliteDoesNotHideWhatTheMasterShowedBefore() {
        session.observedOnMaster(log);
        connect(300);
        satellite.forwarded(200);
        session.observedOnSatellite(satellite, log);
        session.choose(Freshness.SESSION);

        assertEquals(300, required());
    }

    @Test
    void eventualReadMayMissWhatIsYoungerThanItsLag() {
        session.choose(SECOND_OLD);
        connect(100);
        history.sample(NOW - 2 * SECOND, 110);
        history.sample(NOW - SECOND, 120);
        history.sample(NOW, 130);

        assertEquals(120, required());
    }

    @Test
    void eventualReadNeverGoesBackInItsSession() {
        session.choose(SECOND_OLD);
        history.sample(NOW - SECOND, 120);
        session.observed(125);

        assertEquals(125, required());
    }

    @Test
    void eventualReadFallsBackOnTheFloorWhenNoSampleIsYoungEnough() {
        session.choose(SECOND_OLD);
        connect(100);
        commit(150);
        history.sample(NOW - 2 * SECOND, 110);
        assertEquals(150, required());

        log.disconnected();
        assertEquals(MasterLog.UNKNOWN, required());
    }

    private long required() {
        return session.required(log, history, NOW);
    }

    private void connect(long position) {
        log.connected(position);
        log.received(position);
    }

    private void commit(long scn) {
        log.commit(scn, scn);
        log.received(scn);
    }
}
