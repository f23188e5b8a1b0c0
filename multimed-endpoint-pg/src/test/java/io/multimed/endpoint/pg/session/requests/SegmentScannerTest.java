package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.sql.Processes;
import io.multimed.sql.Statement;
import io.multimed.testkit.wire.FrontendBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Extended query messages, well-formed or not. */
class SegmentScannerTest {
    private static final int SEEDS = 100_000;

    /** The result is the same for a buffer that ends with the messages and one with further bytes. */
    @Test
    void areLookedAtAloneWhateverTheyAre() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            byte[] segment = segment(random);
            byte[] more = new byte[16];
            random.nextBytes(more);
            assertEquals(scan(segment, new byte[0]), scan(segment, more), "seed " + seed);
        }
    }

    /** The segment may be cut within a message as well as at its end. */
    @Test
    void areAwaitedAsAWhole() {
        for (long seed = 0; seed < SEEDS / 100; seed++) {
            byte[] segment = segment(new Random(seed));
            for (int length = 0; length < segment.length; length++) {
                byte[] begun = Arrays.copyOf(segment, length);
                assertEquals(
                        scan(begun, new byte[0]),
                        scan(begun, Arrays.copyOfRange(segment, length, segment.length)),
                        "seed " + seed + ", " + length);
            }
        }
    }

    /** The short way leaves out all that is asked about other segments. */
    @Test
    void thatAreOneReadConcernNothingElse() throws ProtocolException {
        int reads = 0;
        for (long seed = 0; seed < SEEDS / 5; seed++) {
            Random random = new Random(seed);
            byte[] bytes = random.nextInt(4) == 0 ? changed(oneRead(random), random) : segment(random);
            Segment segment;
            try {
                segment = SegmentScanner.scan(Unpooled.wrappedBuffer(bytes), new KnownStatements());
            } catch (ProtocolException refused) {
                continue;
            }
            OneRead read = OneRead.of(segment);
            if (read == null) {
                continue;
            }
            reads++;
            String where = "seed " + seed;
            SegmentStatements statements = SegmentStatements.of(segment);
            SegmentNames names = SegmentNames.of(segment);
            assertEquals(Set.copyOf(read.statements()), Set.copyOf(statements.all()), where);
            assertTrue(
                    statements.all().stream().allMatch(Statement.Read.class::isInstance)
                            && !statements.all().isEmpty(),
                    where);
            assertTrue(segment.needsEngine() && segment.endsWithSync(), where);
            assertEquals(Unit.Leaves.NOTHING, names.leaves(), where);
            assertEquals(Processes.NONE, statements.processes(), where);
            assertEquals(new SegmentPortals(false, false, false, false), SegmentPortals.of(segment, statements), where);
            assertFalse(statements.asksRoute() || SegmentForms.isOnlyOwn(segment), where);
            assertEquals(segment.prepared() == 1 ? List.of() : List.of(read.used()), names.uses(), where);
        }
        assertTrue(reads > SEEDS / 100, reads + " were one read");
    }

    private static byte[] oneRead(Random random) {
        byte[] bound = random.nextBoolean()
                ? concat(FrontendBytes.parse("", "SELECT 1"), FrontendBytes.bind("", "", "value"))
                : FrontendBytes.bind("", "known");
        byte[] described = random.nextBoolean() ? FrontendBytes.describe('P', "") : new byte[0];
        return concat(concat(bound, described), concat(FrontendBytes.execute("", 0), FrontendBytes.sync()));
    }

    private static byte[] changed(byte[] segment, Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> spoilt(segment, random);
            case 1 -> concat(message(random), segment);
            default -> segment;
        };
    }

    private static String scan(byte[] segment, byte[] behind) {
        ByteBuf in = Unpooled.wrappedBuffer(concat(segment, behind)).writerIndex(segment.length);
        try {
            Segment scanned = SegmentScanner.scan(in, new KnownStatements());
            SegmentStatements statements = SegmentStatements.of(scanned);
            return scanned.end() + " " + scanned.length() + " " + statements.all() + scanned.needsEngine()
                    + SegmentForms.isPlain(scanned) + SegmentNames.of(scanned).leaves() + statements.asksRoute()
                    + SegmentPortals.of(scanned, statements) + SegmentForms.isOneExecution(scanned)
                    + SegmentForms.isOnlyOwn(scanned) + scanned.prepared();
        } catch (ProtocolException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static byte[] concat(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    private static byte[] segment(Random random) {
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        for (int left = random.nextInt(8); left > 0; left--) {
            byte[] message = message(random);
            messages.writeBytes(random.nextInt(3) == 0 ? spoilt(message, random) : message);
        }
        if (random.nextBoolean()) {
            messages.writeBytes(FrontendBytes.sync());
        }
        return messages.toByteArray();
    }

    private static byte[] message(Random random) {
        String name = List.of("", "", "s", "known").get(random.nextInt(4));
        return switch (random.nextInt(8)) {
            case 0, 1 ->
                FrontendBytes.parse(
                        name,
                        List.of("BEGIN", "SHOW multimed.route", "SELECT 1").get(random.nextInt(3)));
            case 2, 3 -> FrontendBytes.bind(random.nextInt(4) == 0 ? "p" : "", name);
            case 4 -> FrontendBytes.describe(random.nextBoolean() ? 'S' : 'P', name);
            case 5, 6 -> FrontendBytes.execute(random.nextInt(4) == 0 ? "p" : "", random.nextInt(2));
            default ->
                random.nextBoolean()
                        ? FrontendBytes.close(random.nextBoolean() ? 'S' : 'P', name)
                        : FrontendBytes.flush();
        };
    }

    /** Returns the message cut off, with a matching length, or with some bytes changed. */
    private static byte[] spoilt(byte[] message, Random random) {
        if (random.nextBoolean()) {
            byte[] cut = Arrays.copyOf(message, 5 + random.nextInt(message.length - 4));
            return ByteBuffer.wrap(cut).putInt(1, cut.length - 1).array();
        }
        byte[] changed = message.clone();
        for (int at = 5; at < changed.length; at++) {
            if (random.nextInt(4) == 0) {
                changed[at] = (byte) random.nextInt();
            }
        }
        return changed;
    }
}
