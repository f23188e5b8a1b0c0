package io.multimed.engine.postgresql.comparison;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.comparison.RowVersions.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A Satellite is found wrong where it is, and nowhere else, whatever is committed between the two snapshots of the Master. */
class RowVersionsTest {
    private static final long SEED = 20261129;
    private static final int HISTORIES = 2_000;
    private static final int COMMITS = 40;
    /** Transactions that draw their numbers before the first of them commits. */
    private static final int SIDE_BY_SIDE = 5;

    private static final long BITS = 0xffffffffL;
    /** The numbers begin shortly before they exceed 32 bits. */
    private static final long FIRST = (1L << 32) - COMMITS / 2;

    private final Random random = new Random(SEED);

    /** The versions that each commit left, and the number below which all transactions had ended. */
    private record History(List<Map<Version, Long>> contents, List<Long> finished) {
        RowVersions at(int commits) {
            return new RowVersions("file", finished.get(commits), new HashMap<>(contents.get(commits)));
        }
    }

    /** Each transaction deletes some rows and writes others; a place may be used again. */
    private History history() {
        List<Map<Version, Long>> contents = new ArrayList<>();
        List<Long> finished = new ArrayList<>();
        Map<Version, Long> now = new HashMap<>();
        List<Long> running = new ArrayList<>();
        long next = FIRST;
        contents.add(Map.of());
        finished.add(next & BITS);
        for (int commit = 0; commit < COMMITS; commit++) {
            while (running.size() < SIDE_BY_SIDE) {
                running.add(next++);
                // PostgreSQL skips the numbers 0 to 2.
                next += (next & BITS) == 0 ? 3 : 0;
            }
            long writer = running.remove(random.nextInt(running.size())) & BITS;
            now.keySet().removeIf(version -> random.nextInt(4) == 0);
            for (int row = random.nextInt(4); row > 0; row--) {
                String place = "(0," + random.nextInt(12) + ")";
                if (now.keySet().stream().noneMatch(version -> version.place().equals(place))) {
                    now.put(new Version(place, writer), random.nextLong(5));
                }
            }
            contents.add(new HashMap<>(now));
            finished.add(running.stream().mapToLong(Long::longValue).min().orElse(next) & BITS);
        }
        return new History(contents, finished);
    }

    @Test
    void aSatelliteThatShowsAPrefixIsRight() {
        int different = 0;
        for (int i = 0; i < HISTORIES; i++) {
            History history = history();
            int before = random.nextInt(COMMITS);
            int satellite = before + random.nextInt(Math.min(5, COMMITS - before) + 1);
            int after = satellite + random.nextInt(Math.min(5, COMMITS - satellite) + 1);
            RowVersions shown = history.at(satellite);
            assertEquals(List.of(), RowVersions.wrong(history.at(before), shown, history.at(after)));
            if (!shown.digests().equals(history.at(before).digests())) {
                different++;
            }
        }
        assertTrue(different > HISTORIES / 4, different + " Satellites showed more than the Master had");
    }

    @Test
    void aRowThatTheMasterShowsAllTheTimeMayNeitherLackNorDiffer() {
        int tried = 0;
        for (int i = 0; i < HISTORIES; i++) {
            History history = history();
            int before = random.nextInt(COMMITS - 4);
            RowVersions shown = history.at(before + 2);
            RowVersions first = history.at(before);
            RowVersions last = history.at(before + 4);
            List<Version> lasting = first.digests().keySet().stream()
                    .filter(last.digests()::containsKey)
                    .toList();
            if (lasting.isEmpty()) {
                continue;
            }
            tried++;
            Version wrong = lasting.get(random.nextInt(lasting.size()));
            if (random.nextBoolean()) {
                shown.digests().remove(wrong);
            } else {
                shown.digests().merge(wrong, 1L, Long::sum);
            }
            assertTrue(RowVersions.wrong(first, shown, last).contains(wrong));
        }
        assertTrue(tried > HISTORIES / 4, tried + " histories with a row that lasts");
    }

    @Test
    void aRowThatWasGoneBeforeMayNotBeThere() {
        int tried = 0;
        for (int i = 0; i < HISTORIES; i++) {
            History history = history();
            int before = COMMITS / 2 + random.nextInt(COMMITS / 2 - 1);
            RowVersions first = history.at(before);
            List<Version> gone = history.contents().get(random.nextInt(before)).keySet().stream()
                    .filter(version -> !first.digests().containsKey(version))
                    .filter(version -> version.isWrittenBefore(first.finished()))
                    .toList();
            if (gone.isEmpty()) {
                continue;
            }
            tried++;
            RowVersions shown = history.at(before + 1);
            Version risen = gone.get(random.nextInt(gone.size()));
            shown.digests().put(risen, 0L);
            assertEquals(List.of(risen), RowVersions.wrong(first, shown, history.at(before + 1)));
        }
        assertTrue(tried > HISTORIES / 4, tried + " histories with a row that has gone");
    }

    @Test
    void nothingIsSaidOfATableThatHasBeenRewritten() {
        RowVersions old = new RowVersions("file", 100, Map.of(new Version("(0,1)", 50), 1L));
        RowVersions rewritten = new RowVersions("other file", 100, Map.of(new Version("(0,2)", 50), 1L));
        assertEquals(List.of(), RowVersions.wrong(old, rewritten, rewritten));
        assertEquals(List.of(), RowVersions.wrong(old, old, rewritten));
    }
}
