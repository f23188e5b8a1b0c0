package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CommitRecordsTest {
    private static final int SEEDS = 100;

    @Test
    void findsEveryCommitHoweverTheLogIsCutIntoPieces() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            WalWriter log = WalWriter.random(random);
            assertEquals(log.commits(), scan(log, log.bytes().length, null), "whole, seed " + seed);
            assertEquals(log.commits(), scan(log, 1, null), "byte by byte, seed " + seed);
            assertEquals(log.commits(), scan(log, 0, random), "random pieces, seed " + seed);
        }
    }

    @Test
    void findsRowsOfSystemCatalogsHoweverTheLogIsCutIntoPieces() {
        int found = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            WalWriter log = WalWriter.random(random);
            for (int piece : new int[] {log.bytes().length, 1, 7, 300}) {
                CatalogInserts inserts = new CatalogInserts();
                RecordScanner scanner = new RecordScanner(
                        WalWriter.SEGMENT,
                        WalWriter.PAGE,
                        log.start(),
                        new CommitRecords((end, xid, changed, in) -> {}, inserts));
                ByteBuffer bytes = ByteBuffer.wrap(log.bytes());
                while (bytes.hasRemaining()) {
                    int length = Math.min(bytes.remaining(), piece);
                    scanner.scan(bytes.slice(bytes.position(), length));
                    bytes.position(bytes.position() + length);
                }
                assertEquals(log.inserts(), inserts.taken().rows(), "pieces of " + piece + ", seed " + seed);
            }
            found += log.inserts().size();
        }
        assertTrue(found > SEEDS, () -> "too few inserts");
    }

    @Test
    void knowsWhenTheCounterOfOidsBeginsAnew() {
        CatalogInserts inserts = new CatalogInserts();
        WalWriter log = new WalWriter(WalWriter.SEGMENT, 0xD118);
        for (int next : new int[] {24_576, 32_768, -8_192}) {
            counter(log, next);
        }
        RecordScanner scanner = new RecordScanner(
                WalWriter.SEGMENT,
                WalWriter.PAGE,
                WalWriter.SEGMENT,
                new CommitRecords((end, xid, changed, in) -> {}, inserts));
        byte[] before = log.bytes();
        scanner.scan(ByteBuffer.wrap(before));
        assertFalse(inserts.taken().oidsBeginAnew());
        counter(log, 24_576);
        byte[] after = log.bytes();
        scanner.scan(ByteBuffer.wrap(after, before.length, after.length - before.length)
                .slice());
        assertTrue(inserts.taken().oidsBeginAnew());
        assertFalse(inserts.taken().oidsBeginAnew());
    }

    private static void counter(WalWriter log, int next) {
        byte[] body = ByteBuffer.allocate(6)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 255)
                .put((byte) 4)
                .putInt(next)
                .array();
        log.record(0, 0x30, 0, body);
    }

    @Test
    void fallsInStepAtAnyPage() {
        for (long seed = 0; seed < SEEDS; seed++) {
            WalWriter log = WalWriter.random(new Random(seed));
            byte[] bytes = log.bytes();
            for (int at = 0; at < bytes.length; at += WalWriter.PAGE) {
                long start = log.start() + at;
                if (log.unusedPage(start)) {
                    continue;
                }
                List<WalWriter.Commit> found = new ArrayList<>();
                scanner(start, found)
                        .scan(ByteBuffer.wrap(bytes, at, bytes.length - at).slice());
                List<WalWriter.Commit> begunLater = log.commits().stream()
                        .filter(commit -> log.startOf(commit) >= start)
                        .toList();
                assertEquals(begunLater, found, "seed " + seed + " from " + at);
            }
        }
    }

    @Test
    void handsOnOnlyUpToTheEndOfARecordOrAPage() {
        for (long seed = 0; seed < SEEDS; seed++) {
            WalWriter log = WalWriter.random(new Random(seed));
            RecordScanner scanner = scanner(log.start(), new ArrayList<>());
            long before = log.start();
            for (byte b : log.bytes()) {
                scanner.scan(ByteBuffer.wrap(new byte[] {b}));
                long safe = scanner.safeEnd();
                assertTrue(safe >= before && safe <= scanner.position(), "seed " + seed);
                assertTrue(safe % WalWriter.PAGE == 0 || log.recordEnds().contains(safe), "seed " + seed);
                before = safe;
            }
        }
    }

    @Test
    void noCommitThatHasComeInPartIsCountedAsWhole() {
        for (long seed = 0; seed < SEEDS; seed++) {
            WalWriter log = WalWriter.random(new Random(seed));
            List<WalWriter.Commit> found = new ArrayList<>();
            RecordScanner scanner = scanner(log.start(), found);
            long before = log.start();
            for (byte b : log.bytes()) {
                scanner.scan(ByteBuffer.wrap(new byte[] {b}));
                long whole = scanner.wholeEnd();
                assertTrue(whole >= before && whole <= scanner.position(), "seed " + seed);
                if (found.size() < log.commits().size()) {
                    assertTrue(whole <= log.startOf(log.commits().get(found.size())), "seed " + seed);
                }
                before = whole;
            }
            long last = log.recordEnds().isEmpty() ? 0 : log.recordEnds().getLast();
            assertTrue(before >= last, "seed " + seed);
        }
    }

    @Test
    void refusesWhatIsNotTheContinuation() {
        WalWriter log = new WalWriter(WalWriter.SEGMENT, 0xD118);
        log.record(10, 0, 3, new byte[100]);
        log.record(10, 0, 3, new byte[400]);
        byte[] bytes = log.bytes();
        for (int at : new int[] {
            8, // the page's address
            40 + 24 + 100 + 4 + 8, // which record the second follows
            WalWriter.PAGE + 16 // how much of it is missing
        }) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x40;
            RecordScanner scanner = scanner(WalWriter.SEGMENT, new ArrayList<>());
            assertThrows(MalformedLogException.class, () -> scanner.scan(ByteBuffer.wrap(damaged)), "byte " + at);
        }
    }

    @Test
    void damageIsNoticedOrHarmlessButNeverAnythingElse() {
        for (long seed = 0; seed < 20 * SEEDS; seed++) {
            Random random = new Random(seed);
            WalWriter log = WalWriter.random(random);
            byte[] bytes = log.bytes();
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            RecordScanner scanner = scanner(log.start(), new ArrayList<>());
            try {
                scanner.scan(ByteBuffer.wrap(bytes));
                assertEquals(log.start() + bytes.length, scanner.position(), "seed " + seed);
            } catch (MalformedLogException e) {
                assertTrue(scanner.position() <= log.start() + bytes.length, "seed " + seed);
            }
        }
    }

    private static List<WalWriter.Commit> scan(WalWriter log, int piece, Random random) {
        List<WalWriter.Commit> found = new ArrayList<>();
        RecordScanner scanner = scanner(log.start(), found);
        ByteBuffer bytes = ByteBuffer.wrap(log.bytes());
        while (bytes.hasRemaining()) {
            int length = Math.min(bytes.remaining(), random == null ? piece : random.nextInt(1, 700));
            scanner.scan(bytes.slice(bytes.position(), length));
            bytes.position(bytes.position() + length);
        }
        return found;
    }

    private static RecordScanner scanner(long start, List<WalWriter.Commit> found) {
        return new RecordScanner(
                WalWriter.SEGMENT,
                WalWriter.PAGE,
                start,
                new CommitRecords(
                        (end, xid, changed, databaseOid) -> found.add(new WalWriter.Commit(
                                end, xid, changed != null, changed != null && changed.sessions(), databaseOid)),
                        new CatalogInserts()));
    }
}
