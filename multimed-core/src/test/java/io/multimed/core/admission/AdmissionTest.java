package io.multimed.core.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.admission.Admission.Turn;
import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.Floor;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.core.session.SessionFreshness;
import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final long PATIENCE = 100;

    private final MasterVisibility visibility = new MasterVisibility();
    private final MasterLog log = new MasterLog(visibility);
    private final ComputationalNode satellite = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
    private final Nodes nodes = new Nodes(new ComputationalNode(NodeId.MASTER, Role.MASTER), List.of(satellite));
    private final AdmissionSources sources =
            new AdmissionSources(nodes, log, new FloorHistory(), visibility, Dispatcher::place);
    private final Admission admission = new Admission(sources, new SessionFreshness(Freshness.STRONG));

    @BeforeEach
    void serve() {
        satellite.serving(true);
        log.connected(0);
        commit(10, 1);
        satellite.applied(10);
        admission.arrive(1_000);
    }

    private void commit(long scn, long transaction) {
        log.commit(scn, transaction);
        log.received(scn);
    }

    @Test
    void readBeginsOnASatelliteThatHasAppliedAllCommits() {
        assertEquals(new Placement.OnSatellite(satellite), admission.placeRead(1_000, PATIENCE));
        assertNull(admission.masterReason());
    }

    @Test
    void readWaitsForFreshnessWhileItHasPatienceThenGoesToTheMaster() {
        commit(20, 2);

        assertInstanceOf(Placement.AwaitFreshness.class, admission.placeRead(1_000, PATIENCE));
        assertFalse(admission.isFreshNow(null));
        assertInstanceOf(Placement.AwaitFreshness.class, admission.placeRead(1_099, PATIENCE));
        assertEquals(new Placement.OnMaster(Reason.WAIT_EXPIRED), admission.placeRead(1_100, PATIENCE));
        assertEquals(Reason.WAIT_EXPIRED, admission.masterReason());
        assertTrue(satellite.isOverdue(), "others need not wait for it");
    }

    @Test
    void commitsAfterItsArrivalAreNotWaitedFor() {
        commit(20, 2);
        assertEquals(20, admission.required());
        commit(30, 3);
        satellite.applied(20);

        assertTrue(admission.isFreshNow(null));
        assertEquals(new Placement.OnSatellite(satellite), admission.placeRead(1_050, PATIENCE));
    }

    @Test
    void boundsAreFixedAnewOnceTheSessionHasBeenShownMore() {
        assertEquals(10, admission.required());
        assertEquals(Turn.BEGINS, turnAfterSnapshotOf(1));
        commit(20, 2);
        visibility.shown(20);
        assertEquals(Turn.BEGINS, admission.turnOnMaster(1_000, PATIENCE), "the bound is that of its arrival");

        admission.seenMore();
        assertEquals(20, admission.required());
        assertEquals(Turn.AWAITS_SNAPSHOT, admission.turnOnMaster(1_000, PATIENCE));
    }

    @Test
    void withoutAFloorTheMasterAloneWillDo() {
        log.disconnected();

        assertEquals(Floor.UNKNOWN, admission.required());
        assertFalse(admission.isCoveredBy(satellite));
        assertEquals(new Placement.OnMaster(Reason.FLOOR_UNKNOWN), admission.placeRead(1_000, PATIENCE));
    }

    @Test
    void satelliteThatServesNoLongerCoversNothing() {
        assertTrue(admission.isCoveredBy(satellite));
        satellite.serving(false);
        assertFalse(admission.isCoveredBy(satellite));
    }

    @Test
    void blockOnASatelliteWaitsForThatSatelliteAlone() {
        commit(20, 2);
        assertFalse(admission.isFreshNow(satellite));
        satellite.applied(20);
        assertTrue(admission.isFreshNow(satellite));

        commit(30, 3);
        admission.seenMore();
        admission.awaitedInVain(satellite);
        assertEquals(Reason.WAIT_EXPIRED, admission.masterReason());
        assertTrue(satellite.isOverdue());
    }

    @Test
    void masterHasToShowWhatSatellitesHaveShown() {
        visibility.shown(10);
        assertEquals(Turn.AWAITS_SNAPSHOT, admission.turnOnMaster(1_000, PATIENCE));
        assertEquals(Turn.BEGINS, turnAfterSnapshotOf(1));
    }

    @Test
    void masterThatDoesNotShowItIsGivenUp() {
        visibility.shown(10);
        assertEquals(Turn.AWAITS_SNAPSHOT, admission.turnOnMaster(1_099, PATIENCE));
        assertEquals(Turn.GIVES_UP, admission.turnOnMaster(1_100, PATIENCE));
    }

    @Test
    void masterIsAskedAtFullSpeedAFewTimesOnly() {
        for (int i = 0; i < 4; i++) {
            assertFalse(admission.snapshotTaken());
        }
        assertTrue(admission.snapshotTaken());
        admission.reset();
        assertFalse(admission.snapshotTaken());
    }

    @Test
    void nextTransactionBeginsAfresh() {
        admission.onMaster(Reason.RETRIED);
        admission.required();
        commit(20, 2);

        admission.reset();
        assertEquals(2_000, admission.arrive(2_000));
        assertEquals(2_000, admission.arrive(3_000), "it arrives once");
        assertNull(admission.masterReason());
        assertEquals(20, admission.required());
    }

    private Turn turnAfterSnapshotOf(long lastFinished) {
        visibility.observed(transaction -> transaction <= lastFinished);
        return admission.turnOnMaster(1_000, PATIENCE);
    }
}
