package io.multimed.engine.postgresql.partial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DoubtsTest {
    private static final Set<CatalogPart> TABLES = Set.of(CatalogPart.TABLES);

    private final Doubts doubts = new Doubts();

    private void settleAll() {
        doubts.settle(doubts.shownBy(transaction -> true, doubts.last()));
    }

    @Test
    void bringPositionsInFrontOfTheFirstOnly() {
        assertTrue(doubts.mayPass(100));
        doubts.add(100, 7, TABLES);
        assertTrue(doubts.mayPass(99));
        assertFalse(doubts.mayPass(100));
        settleAll();
        assertTrue(doubts.mayPass(100));
        assertEquals(100, doubts.whole(100));
    }

    @Test
    void areNotSettledBySnapshotsThatDoNotShowTheFirst() {
        doubts.add(100, 7, TABLES);
        doubts.add(200, 8, TABLES);
        assertTrue(doubts.shownBy(transaction -> transaction == 8, 2).isEmpty());
        assertEquals(1, doubts.shownBy(transaction -> transaction == 7, 2).size());
    }

    @Test
    void leaveNoPositionBetweenThoseThatAreSettledTogether() {
        doubts.add(100, 7, TABLES);
        doubts.add(200, 8, TABLES);
        doubts.add(300, 9, TABLES);
        doubts.settle(doubts.shownBy(transaction -> transaction != 8, 3));
        assertTrue(doubts.mayPass(150));
        assertEquals(300, doubts.whole(150));
        assertFalse(doubts.mayPass(300));
        settleAll();
        assertEquals(99, doubts.whole(99));
        assertEquals(300, doubts.whole(100));
        assertEquals(300, doubts.whole(300));
        doubts.passed(300);
        assertEquals(300, doubts.whole(300));
    }

    @Test
    void ofASeedAreThoseBehindIt() {
        doubts.add(100, 7, TABLES);
        doubts.add(200, 8, TABLES);
        doubts.contained(150);
        assertTrue(doubts.mayPass(199));
        assertFalse(doubts.mayPass(200));
    }

    @Test
    void withoutAReportBeginBehindWhatHasBeenPassedAndNeedASnapshotTakenLater() {
        doubts.passed(100);
        long before = doubts.last();
        doubts.addUnreported();
        assertTrue(doubts.mayPass(100));
        assertFalse(doubts.mayPass(101));
        assertTrue(doubts.shownBy(transaction -> true, before).isEmpty());
        doubts.contained(1000);
        assertFalse(doubts.mayPass(1001));
        settleAll();
        assertTrue(doubts.mayPass(1001));
    }

    /** Catalogs change and change back; the applier asks for any positions. It shows none at which they are not as they were. */
    @Test
    void neverShowAPositionAtWhichTheCatalogsDiffer() {
        int jumps = 0;
        int differences = 0;
        int shown = 0;
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            Doubts some = new Doubts();
            // Commit i has transaction i + 10 and SCN 10 * (i + 1), and changes the state to or fro, or leaves it.
            int commits = 12;
            List<Integer> state = new ArrayList<>(List.of(0));
            boolean alters = random.nextBoolean();
            for (int i = 0; i < commits; i++) {
                int last = state.getLast();
                state.add(alters && random.nextInt(3) == 0 ? 1 - last : last);
            }
            int reported = 0;
            Set<Long> visible = new HashSet<>();
            long at = 0;
            boolean differs = false;
            for (int step = 0; step < 80 && !differs; step++) {
                switch (random.nextInt(4)) {
                    case 0 -> {
                        if (reported < commits) {
                            some.add(10L * (reported + 1), reported + 10L, TABLES);
                            reported++;
                        }
                    }
                    case 1 -> {
                        if (reported > 0) {
                            visible.add(10L + random.nextInt(reported));
                        }
                    }
                    case 2 -> {
                        List<Doubts.Doubt> settled = some.shownBy(visible::contains, some.last());
                        if (!settled.isEmpty()) {
                            // The changes that the snapshot shows, in their order; locks let each see those before it.
                            int found = 0;
                            for (int i = 0; i < commits; i++) {
                                if (visible.contains(i + 10L)) {
                                    found ^= state.get(i) ^ state.get(i + 1);
                                }
                            }
                            if (found != 0) {
                                differs = true;
                                differences++;
                            } else {
                                some.settle(settled);
                            }
                        }
                    }
                    default -> {
                        long wanted = Math.min(at + 1 + random.nextInt(25), 10L * reported);
                        while (wanted > at && some.mayPass(wanted)) {
                            long whole = some.whole(wanted);
                            if (whole == wanted) {
                                some.passed(wanted);
                                at = wanted;
                                shown++;
                                assertEquals(0, state.get((int) (at / 10)), "seed " + seed + " at " + at);
                            } else {
                                jumps++;
                                wanted = whole;
                            }
                        }
                    }
                }
            }
        }
        assertTrue(jumps > 500 && differences > 500 && shown > 5000, jumps + " " + differences + " " + shown);
    }
}
