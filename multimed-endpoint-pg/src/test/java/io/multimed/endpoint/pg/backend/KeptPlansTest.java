package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.propagation.Floor;
import org.junit.jupiter.api.Test;

class KeptPlansTest {
    private final KeptPlans plans = new KeptPlans();

    @Test
    void areNoneBeforeSomethingIsExecuted() {
        assertFalse(plans.any());
        plans.areMade(1, 100, 50);
        assertTrue(plans.any());
    }

    @Test
    void areOfTheVersionThatTheMasterShows() {
        plans.areMadeOnMaster(1, true);
        assertTrue(plans.areOf(1));
        assertFalse(plans.areOf(2));
    }

    @Test
    void stayOldWhileTheMasterMayNotShowTheVersion() {
        plans.areMadeOnMaster(2, false);
        assertFalse(plans.areOf(2));
        plans.areMadeOnMaster(2, true);
        assertTrue(plans.areOf(2));
    }

    @Test
    void stayOldOnASatelliteWhileThereIsNoFloor() {
        plans.areMade(2, Floor.UNKNOWN, 100);
        assertFalse(plans.areOf(2));
    }

    @Test
    void stayOldUntilTheSatelliteHasAppliedTheChange() {
        plans.areMade(2, 100, 99);
        assertFalse(plans.areOf(2));
        plans.areMade(2, 200, 99);
        assertFalse(plans.areOf(2));
        plans.areMade(2, 200, 100);
        assertTrue(plans.areOf(2));
    }

    @Test
    void awaitEachVersionAnew() {
        plans.areMade(2, 100, 99);
        plans.areMade(3, 300, 150);
        assertFalse(plans.areOf(3));
        plans.areMade(3, 400, 300);
        assertTrue(plans.areOf(3));
        assertFalse(plans.areOf(2));
    }
}
