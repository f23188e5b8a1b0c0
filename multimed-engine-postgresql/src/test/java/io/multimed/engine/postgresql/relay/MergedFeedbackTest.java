package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.multimed.core.node.ComputationalNode;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergedFeedbackTest {
    private static final long NEWEST = 1_000;
    private static final long BOUND = 50;

    private final SatelliteLink one = link("satellite-1");
    private final SatelliteLink two = link("satellite-2");
    private final MergedFeedback merged = new MergedFeedback(List.of(one, two), BOUND);

    private static SatelliteLink link(String name) {
        return new SatelliteLink(new ComputationalNode(new NodeId(name), Role.SATELLITE));
    }

    @Test
    void theMasterKeepsTheOldestRowsThatASatelliteNeeds() {
        merged.readers(true);
        one.held().wishes(new Feedback(700, 900));
        two.held().wishes(new Feedback(800, 600));
        merged.changed();
        assertEquals(new Feedback(700, 600), merged.take(0, NEWEST));
        assertNull(merged.take(1, NEWEST), "nothing has changed");
    }

    @Test
    void theMasterKeepsNoRowsForSatellitesWithoutReaders() {
        one.held().wishes(new Feedback(700, 0));
        merged.readers(true);
        assertEquals(new Feedback(700, 0), merged.take(0, NEWEST));
        merged.readers(false);
        assertEquals(Feedback.NONE, merged.take(1, NEWEST), "the last reader has gone");
        merged.readers(true);
        assertEquals(new Feedback(700, 0), merged.take(2, NEWEST), "a reader has come");
    }

    @Test
    void aSatelliteThatNeedsTheSameRowsForTooLongHoldsBackNothingMore() {
        merged.readers(true);
        one.held().wishes(new Feedback(700, 0));
        two.held().wishes(new Feedback(800, 0));
        assertEquals(new Feedback(700, 0), merged.take(0, NEWEST));
        two.held().wishes(new Feedback(900, 0));
        merged.changed();
        merged.take(BOUND, NEWEST);
        merged.changed();
        assertEquals(new Feedback(900, 0), merged.take(BOUND + 1, NEWEST));
    }
}
