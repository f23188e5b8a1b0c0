package io.multimed.core.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogBufferTest {
    /** A position in a log in which byte p depends only on p; far from zero and not aligned to the ring. */
    private static final long BASE = 0x1_6000_0123L;

    @Test
    void holdsWhatWasAppendedUnderItsPositions() {
        LogBuffer buffer = new LogBuffer(64);
        buffer.startAt(BASE);
        append(buffer, 10);
        append(buffer, 20);

        assertEquals(BASE, buffer.start());
        assertEquals(BASE + 30, buffer.end());
        assertRead(buffer, BASE, 30);
        assertRead(buffer, BASE + 7, 23);
    }

    @Test
    void readsNothingAtTheEnd() {
        LogBuffer buffer = new LogBuffer(16);
        buffer.startAt(BASE);
        append(buffer, 5);

        assertTrue(buffer.holds(BASE + 5));
        assertEquals(0, buffer.read(BASE + 5, 100).remaining());
    }

    @Test
    void overwritesTheOldestAndSaysSo() {
        LogBuffer buffer = new LogBuffer(16);
        buffer.startAt(BASE);
        append(buffer, 16);
        assertFalse(buffer.overwritten(BASE));
        append(buffer, 1);

        assertTrue(buffer.overwritten(BASE));
        assertFalse(buffer.holds(BASE));
        assertTrue(buffer.holds(BASE + 1));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.read(BASE, 1));
        assertRead(buffer, BASE + 1, 16);
    }

    @Test
    void doesNotHoldWhatHasNotComeYet() {
        LogBuffer buffer = new LogBuffer(16);
        buffer.startAt(BASE);

        assertFalse(buffer.holds(BASE + 1));
        assertFalse(buffer.overwritten(BASE + 1));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.read(BASE + 1, 1));
    }

    @Test
    void keepsTheTailOfWhatIsLongerThanItself() {
        LogBuffer buffer = new LogBuffer(16);
        buffer.startAt(BASE);
        append(buffer, 3);
        append(buffer, 100);

        assertEquals(BASE + 103 - 16, buffer.start());
        assertRead(buffer, BASE + 103 - 16, 16);
    }

    @Test
    void consumesTheSourceAndLeavesItsContentAlone() {
        LogBuffer buffer = new LogBuffer(16);
        buffer.startAt(BASE);
        ByteBuffer source = ByteBuffer.wrap(bytes(BASE - 2, 12)).position(2).limit(9);
        buffer.append(source);

        assertEquals(9, source.position());
        assertEquals(BASE + 7, buffer.end());
        assertRead(buffer, BASE, 7);
    }

    @Test
    void startsAnewAnywhere() {
        LogBuffer buffer = new LogBuffer(16);
        buffer.startAt(BASE);
        append(buffer, 30);
        buffer.startAt(BASE + 5);

        assertEquals(BASE + 5, buffer.start());
        assertEquals(BASE + 5, buffer.end());
        append(buffer, 8);
        assertRead(buffer, BASE + 5, 8);
    }

    @Test
    void givesViewsThatCannotBeWritten() {
        LogBuffer buffer = new LogBuffer(16);
        append(buffer, 4);

        assertThrows(ReadOnlyBufferException.class, () -> buffer.read(0, 4).put(0, (byte) 1));
    }

    @Test
    void cursorMovesByWhatWasUsedOnly() {
        LogBuffer buffer = new LogBuffer(16);
        buffer.startAt(BASE);
        append(buffer, 10);
        LogBuffer.Cursor cursor = buffer.cursor(BASE);

        assertEquals(10, cursor.remaining());
        cursor.read(10);
        cursor.advance(4);
        assertEquals(BASE + 4, cursor.position());
        assertEquals(6, cursor.remaining());
        assertThrows(IllegalArgumentException.class, () -> cursor.advance(7));
        append(buffer, 10);
        assertFalse(cursor.overwritten());
        append(buffer, 1);
        assertTrue(cursor.overwritten());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 3, 100, Integer.MIN_VALUE})
    void refusesACapacityThatIsNoPowerOfTwo(int capacity) {
        assertThrows(IllegalArgumentException.class, () -> new LogBuffer(capacity));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void agreesWithTheLogForAnySequenceOfAppendsAndReads(long seed) {
        Random random = new Random(seed);
        int capacity = 1 << (1 + random.nextInt(8));
        LogBuffer buffer = new LogBuffer(capacity);
        buffer.startAt(BASE);
        LogBuffer.Cursor cursor = buffer.cursor(BASE);
        for (int step = 0; step < 20_000; step++) {
            if (random.nextBoolean()) {
                append(buffer, random.nextInt(capacity + 4));
            }
            assertEquals(Math.max(BASE, buffer.end() - capacity), buffer.start());
            if (cursor.overwritten()) {
                cursor = buffer.cursor(buffer.start());
            }
            ByteBuffer view = cursor.read(1 + random.nextInt(capacity));
            assertEquals(ByteBuffer.wrap(bytes(cursor.position(), view.remaining())), view, "seed " + seed);
            cursor.advance(random.nextInt(view.remaining() + 1));
        }
    }

    private static void append(LogBuffer buffer, int length) {
        buffer.append(ByteBuffer.wrap(bytes(buffer.end(), length)));
    }

    /** Reads everything from the position on, in as many views as necessary, and compares it with the log. */
    private static void assertRead(LogBuffer buffer, long position, int expectedLength) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long at = position;
        for (ByteBuffer view = buffer.read(at, Integer.MAX_VALUE);
                view.hasRemaining();
                view = buffer.read(at, Integer.MAX_VALUE)) {
            byte[] part = new byte[view.remaining()];
            view.get(part);
            out.writeBytes(part);
            at += part.length;
        }
        assertEquals(Arrays.toString(bytes(position, expectedLength)), Arrays.toString(out.toByteArray()));
    }

    private static byte[] bytes(long position, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            long p = position + i;
            bytes[i] = (byte) (p ^ (p >>> 8) ^ ((p * 31) >>> 3));
        }
        return bytes;
    }
}
