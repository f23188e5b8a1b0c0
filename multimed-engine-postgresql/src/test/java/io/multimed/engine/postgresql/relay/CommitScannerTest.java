package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CommitScannerTest {
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
            CommitScanner scanner = scanner(log.start(), new ArrayList<>());
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
            CommitScanner scanner = scanner(WalWriter.SEGMENT, new ArrayList<>());
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
            CommitScanner scanner = scanner(log.start(), new ArrayList<>());
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
        CommitScanner scanner = scanner(log.start(), found);
        ByteBuffer bytes = ByteBuffer.wrap(log.bytes());
        while (bytes.hasRemaining()) {
            int length = Math.min(bytes.remaining(), random == null ? piece : random.nextInt(1, 700));
            scanner.scan(bytes.slice(bytes.position(), length));
            bytes.position(bytes.position() + length);
        }
        return found;
    }

    private static CommitScanner scanner(long start, List<WalWriter.Commit> found) {
        return new CommitScanner(
                WalWriter.SEGMENT,
                WalWriter.PAGE,
                start,
                (end, xid, changed, databaseOid) -> found.add(new WalWriter.Commit(
                        end, xid, changed != null, changed != null && changed.sessions(), databaseOid)));
    }
}
