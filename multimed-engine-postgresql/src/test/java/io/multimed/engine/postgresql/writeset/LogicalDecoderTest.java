package io.multimed.engine.postgresql.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.random.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages of pgoutput and the transactions they make; the bytes are those of the manual. */
@Timeout(60)
class LogicalDecoderTest {
    private static final long MEMORY = 1 << 20;

    private final LogicalDecoder decoder = new LogicalDecoder();
    private final TransactionAssembler assembler = new TransactionAssembler(MEMORY);
    private final List<Transaction> committed = new ArrayList<>();

    @Test
    void aTransactionHasItsChangesInOrderAndTheEndOfItsCommit() throws Exception {
        play(begin(7));
        play(LogicalBytes.relation(LogicalBytes.of('R'), 5));
        play(LogicalBytes.of('O').int64(1).string("origin").done());
        play(LogicalBytes.of('Y').int32(99).string("public").string("mood").done());
        play(LogicalBytes.of('M')
                .int8(1)
                .int64(4)
                .string("prefix")
                .int32(3)
                .int8(1)
                .int8(2)
                .int8(3)
                .done());
        play(LogicalBytes.of('I').int32(5).row('N', "1", null).done());
        play(LogicalBytes.of('U').int32(5).row('N', "1", "unchanged").done());
        play(LogicalBytes.of('U').int32(5).row('K', "1", null).row('N', "2", "").done());
        play(LogicalBytes.of('D').int32(5).row('K', "2", null).done());
        play(LogicalBytes.of('T').int32(1).int8(2).int32(5).done());
        assertEquals(List.of(), committed);
        play(commit(4711));

        assertEquals(1, committed.size());
        Transaction transaction = committed.get(0);
        assertEquals(4711, transaction.scn());
        assertEquals(7, transaction.xid());
        Relation relation = ((Change.Insert) transaction.changes().get(0)).relation();
        assertEquals(new QualifiedName("public", "t"), relation.name());
        assertTrue(relation.columns().get(0).key());
        assertFalse(relation.columns().get(1).key());
        Row unchanged = ((Change.Update) transaction.changes().get(1)).row();
        assertTrue(unchanged.isUnchanged(1));
        assertEquals(
                List.of(
                        new Change.Insert(relation, Row.of("1", null)),
                        new Change.Update(relation, null, unchanged),
                        new Change.Update(relation, Row.of("1", null), Row.of("2", "")),
                        new Change.Delete(relation, Row.of("2", null)),
                        new Change.Truncate(List.of(relation), true)),
                transaction.changes());
    }

    @Test
    void anUnchangedValueOfTheKeyIsThatOfTheOldRow() throws Exception {
        play(begin(7));
        play(LogicalBytes.relation(LogicalBytes.of('R'), 5));
        play(LogicalBytes.of('U')
                .int32(5)
                .row('K', "1", null)
                .row('N', "unchanged", "x")
                .done());
        play(commit(1));
        assertEquals(
                Row.of("1", "x"), ((Change.Update) committed.get(0).changes().get(0)).row());
    }

    @Test
    void aRolledBackSubtransactionOfAStreamIsLeftOut() throws Exception {
        stream(7, true);
        play(LogicalBytes.relation(LogicalBytes.of('R').int32(7), 5));
        play(insert(7, "top"));
        play(insert(8, "released"));
        play(insert(9, "gone"));
        play(LogicalBytes.of('E').done());
        // Another transaction, which is not streamed, comes between; it has another idea of the table.
        play(begin(20));
        play(LogicalBytes.relation(LogicalBytes.of('R'), 5));
        play(LogicalBytes.of('I').int32(5).row('N', "small", null).done());
        play(commit(50));
        play(LogicalBytes.of('A').int32(7).int32(9).done());
        stream(7, false);
        play(insert(10, "interleaved"));
        play(insert(11, "late"));
        play(insert(10, "interleaved"));
        play(insert(7, "last"));
        play(LogicalBytes.of('E').done());
        play(LogicalBytes.of('A').int32(7).int32(10).done());
        stream(30, true);
        play(LogicalBytes.relation(LogicalBytes.of('R').int32(30), 5));
        play(insert(30, "rolled back"));
        play(LogicalBytes.of('E').done());
        play(LogicalBytes.of('A').int32(30).int32(30).done());
        play(LogicalBytes.of('c').int32(7).int8(0).int64(90).int64(100).int64(0).done());

        assertEquals(
                List.of(50L, 100L), committed.stream().map(Transaction::scn).toList());
        assertEquals(
                List.of("top", "released", "late", "last"),
                committed.get(1).changes().stream()
                        .map(change -> ((Change.Insert) change).row().text(0))
                        .toList());
        assertEquals(1, assembler.streamed());
        assertThrows(
                MalformedWriteSetException.class,
                () -> play(LogicalBytes.of('c')
                        .int32(30)
                        .int8(0)
                        .int64(90)
                        .int64(100)
                        .int64(0)
                        .done()));
    }

    @Test
    void transactionsThatHaveNotEndedTakeAsMuchMemoryAsTheyMayAndNoMore() throws Exception {
        play(begin(1));
        play(LogicalBytes.relation(LogicalBytes.of('R'), 5));
        play(commit(1));
        String large = "x".repeat((int) MEMORY / 3);
        for (int round = 0; round < 10; round++) {
            stream(40, true);
            play(LogicalBytes.relation(LogicalBytes.of('R').int32(40), 5));
            play(insert(41, large));
            play(insert(40, large));
            play(LogicalBytes.of('E').done());
            play(LogicalBytes.of('A').int32(40).int32(round % 2 == 0 ? 40 : 41).done());
            if (round % 2 == 1) {
                play(LogicalBytes.of('c')
                        .int32(40)
                        .int8(0)
                        .int64(9)
                        .int64(10)
                        .int64(0)
                        .done());
            }
        }
        stream(42, true);
        play(LogicalBytes.relation(LogicalBytes.of('R').int32(42), 5));
        play(insert(42, large));
        play(insert(42, large));
        assertThrows(WriteSetTooLargeException.class, () -> play(insert(42, large)));
    }

    @Test
    void aChangeOfATableThatWasNotDescribedIsMalformed() throws Exception {
        play(begin(1));
        assertThrows(
                MalformedWriteSetException.class,
                () -> play(LogicalBytes.of('I').int32(6).row('N', "1", null).done()));
    }

    @Test
    void everyCutMessageIsMalformed() throws Exception {
        for (ByteBuffer message : samples()) {
            for (int length = 0; length < message.capacity(); length++) {
                ByteBuffer cut = message.slice(0, length);
                assertThrows(MalformedWriteSetException.class, () -> new LogicalDecoder().decode(cut));
            }
            new LogicalDecoder().decode(message);
            ByteBuffer longer = ByteBuffer.allocate(message.capacity() + 1)
                    .put(message.rewind())
                    .rewind();
            assertThrows(MalformedWriteSetException.class, () -> new LogicalDecoder().decode(longer));
        }
    }

    /** Any bytes: a message or the one exception, and never much memory. */
    @Test
    void damagedBytesAreAMessageOrMalformed() {
        long seed = Seed.of("multimed.writeset.seed");
        Random random = new Random(seed);
        List<ByteBuffer> samples = samples();
        int malformed = 0;
        int decoded = 0;
        LogicalDecoder used = new LogicalDecoder();
        TransactionAssembler transactions = new TransactionAssembler(MEMORY);
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = samples.get(random.nextInt(samples.size())).array().clone();
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(random.nextBoolean() ? 256 : 4);
            }
            try {
                transactions.take(used.decode(ByteBuffer.wrap(bytes)));
                decoded++;
            } catch (MalformedWriteSetException e) {
                malformed++;
            } catch (WriteSetTooLargeException e) {
                transactions = new TransactionAssembler(MEMORY);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", round " + round, e);
            }
        }
        assertTrue(decoded > 1000, "decoded " + decoded);
        assertTrue(malformed > 1000, "malformed " + malformed);
    }

    private static List<ByteBuffer> samples() {
        return List.of(
                begin(7),
                commit(9),
                LogicalBytes.relation(LogicalBytes.of('R'), 5),
                LogicalBytes.of('O').int64(1).string("origin").done(),
                LogicalBytes.of('Y').int32(99).string("public").string("mood").done(),
                LogicalBytes.of('M')
                        .int8(1)
                        .int64(4)
                        .string("p")
                        .int32(2)
                        .int8(1)
                        .int8(2)
                        .done(),
                LogicalBytes.of('I').int32(5).row('N', "1", null).done(),
                LogicalBytes.of('U').int32(5).row('N', "1", "unchanged").done(),
                LogicalBytes.of('U')
                        .int32(5)
                        .row('O', "1", "x")
                        .row('N', "2", "")
                        .done(),
                LogicalBytes.of('D').int32(5).row('K', "2", null).done(),
                LogicalBytes.of('T').int32(2).int8(3).int32(5).int32(6).done(),
                LogicalBytes.of('S').int32(7).int8(1).done(),
                LogicalBytes.of('c')
                        .int32(7)
                        .int8(0)
                        .int64(90)
                        .int64(100)
                        .int64(0)
                        .done(),
                LogicalBytes.of('A').int32(7).int32(9).done());
    }

    private static ByteBuffer begin(int xid) {
        return LogicalBytes.of('B').int64(1).int64(2).int32(xid).done();
    }

    private static ByteBuffer commit(long end) {
        return LogicalBytes.of('C').int8(0).int64(end - 1).int64(end).int64(0).done();
    }

    private static ByteBuffer insert(int xid, String key) {
        return LogicalBytes.of('I').int32(xid).int32(5).row('N', key, null).done();
    }

    private void stream(int xid, boolean first) throws Exception {
        play(LogicalBytes.of('S').int32(xid).int8(first ? 1 : 0).done());
    }

    private void play(ByteBuffer message) throws WriteSetTooLargeException {
        Transaction transaction = assembler.take(decoder.decode(message));
        if (transaction != null) {
            committed.add(transaction);
        }
    }
}
