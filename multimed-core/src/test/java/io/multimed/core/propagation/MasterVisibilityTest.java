package io.multimed.core.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterVisibilityTest {
    private final MasterVisibility visibility = new MasterVisibility();

    @Test
    void nothingShownNeedsNoProbe() {
        visibility.committed(10, 1);

        assertTrue(visibility.masterShowsAll());
    }

    @Test
    void whatASatelliteShowedMustBeConfirmed() {
        visibility.committed(10, 1);
        visibility.shown(10);
        assertFalse(visibility.masterShowsAll());

        visibility.observed(transaction -> transaction == 1);
        assertTrue(visibility.masterShowsAll());
    }

    @Test
    void whatWasShownBeforeACommitNeedsNoProbe() {
        visibility.committed(10, 1);
        visibility.shown(9);

        assertTrue(visibility.masterShowsAll());
    }

    @Test
    void commitsAreConfirmedInTheOrderOfTheLog() {
        visibility.committed(10, 1);
        visibility.committed(20, 2);
        visibility.observed(transaction -> transaction == 2);
        assertFalse(visibility.masterShows(10));
        assertFalse(visibility.masterShows(20));

        visibility.observed(transaction -> true);
        assertTrue(visibility.masterShows(20));
    }

    @Test
    void whoArrivedEarlierIsNotHeldUpByWhatIsShownLater() {
        visibility.committed(10, 1);
        visibility.shown(10);
        long onArrival = visibility.shown();
        visibility.observed(transaction -> transaction == 1);
        visibility.committed(20, 2);
        visibility.shown(20);

        assertFalse(visibility.masterShowsAll());
        assertTrue(visibility.masterShows(onArrival));
    }

    @Test
    void shownNeverFalls() {
        visibility.shown(20);
        visibility.shown(10);

        assertEquals(20, visibility.shown());
    }

    @Test
    void commitsRepeatedAfterReconnectingAreKnownAlready() {
        visibility.committed(10, 1);
        visibility.committed(20, 2);
        visibility.observed(transaction -> transaction == 1);
        visibility.committed(10, 1);
        visibility.committed(20, 2);

        assertEquals(1, visibility.unconfirmedCount());
        assertTrue(visibility.masterShows(19));
        assertFalse(visibility.masterShows(20));
    }

    @Test
    void reconnectingWithoutARestartConfirmsNothing() {
        MasterLog log = new MasterLog(visibility);
        log.connected(0);
        log.commit(10, 1);
        log.received(10);
        log.disconnected();
        log.connected(10);
        log.received(10);

        assertFalse(visibility.masterShows(10));
    }

    @Test
    void memoryIsBoundedAndNothingIsTakenForVisibleBecauseOfThat() {
        MasterVisibility small = new MasterVisibility(2);
        small.committed(10, 1);
        small.committed(20, 2);
        small.committed(30, 3);
        small.committed(40, 4);
        assertTrue(small.overflowed());
        assertEquals(2, small.unconfirmedCount());

        small.observed(transaction -> true);
        assertTrue(small.masterShows(29));
        assertFalse(small.masterShows(30));
        small.committed(50, 5);
        small.observed(transaction -> true);
        assertFalse(small.masterShows(30));

        small.visibleUpTo(40);
        assertTrue(small.overflowed());
        assertTrue(small.masterShows(40));
        assertFalse(small.masterShows(50));
        small.visibleUpTo(60);
        assertFalse(small.overflowed());
        assertTrue(small.masterShows(60));

        small.committed(70, 7);
        assertFalse(small.masterShows(70));
        small.observed(transaction -> transaction == 7);
        assertTrue(small.masterShows(70));
    }

    @Test
    void whatIsVisibleUpToAPositionNeedsNoSnapshot() {
        visibility.committed(10, 1);
        visibility.committed(20, 2);
        visibility.visibleUpTo(19);

        assertTrue(visibility.masterShows(19));
        assertFalse(visibility.masterShows(20));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void agreesWithAPlainListOfCommits(long seed) {
        Random random = new Random(seed);
        TreeMap<Long, Long> unconfirmed = new TreeMap<>();
        Set<Long> finished = new HashSet<>();
        long scn = 0;
        for (int step = 0; step < 50_000; step++) {
            if (random.nextInt(3) > 0) {
                scn += 1 + random.nextInt(5);
                visibility.committed(scn, step);
                unconfirmed.put(scn, (long) step);
            } else {
                unconfirmed.values().stream()
                        .limit(2000)
                        .filter(transaction -> random.nextInt(100) > 0)
                        .forEach(finished::add);
                visibility.observed(finished::contains);
                while (!unconfirmed.isEmpty()
                        && finished.contains(unconfirmed.firstEntry().getValue())) {
                    unconfirmed.pollFirstEntry();
                }
            }
            long first = unconfirmed.isEmpty() ? scn + 1 : unconfirmed.firstKey();
            assertTrue(visibility.masterShows(first - 1), "seed " + seed);
            assertEquals(unconfirmed.isEmpty(), visibility.masterShows(first), "seed " + seed);
            assertEquals(unconfirmed.size(), visibility.unconfirmedCount(), "seed " + seed);
        }
    }
}
