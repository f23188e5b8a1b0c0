package io.multimed.endpoint.pg.session.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Statement;
import io.multimed.testkit.wire.Frontend;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
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

    private static String scan(byte[] segment, byte[] behind) {
        ByteBuf in = Unpooled.wrappedBuffer(concat(segment, behind)).writerIndex(segment.length);
        SegmentScanner scanner = new SegmentScanner();
        try {
            SegmentScanner.Result result = scanner.scan(in, new Known());
            return result + " " + scanner.length() + " " + scanner.statements() + scanner.needsEngine()
                    + scanner.endsWithSync() + scanner.isPlain() + scanner.leaves() + scanner.asksRoute()
                    + scanner.keepsPortal() + scanner.isOneExecution() + scanner.isOnlyRoute() + scanner.prepared();
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
            messages.writeBytes(Frontend.sync());
        }
        return messages.toByteArray();
    }

    private static byte[] message(Random random) {
        String name = List.of("", "", "s", "known").get(random.nextInt(4));
        return switch (random.nextInt(8)) {
            case 0, 1 ->
                Frontend.parse(
                        name,
                        List.of("BEGIN", "SHOW multimed.route", "SELECT 1").get(random.nextInt(3)));
            case 2, 3 -> Frontend.bind(random.nextInt(4) == 0 ? "p" : "", name);
            case 4 -> Frontend.describe(random.nextBoolean() ? 'S' : 'P', name);
            case 5, 6 -> Frontend.execute(random.nextInt(4) == 0 ? "p" : "", random.nextInt(2));
            default -> random.nextBoolean() ? Frontend.close(random.nextBoolean() ? 'S' : 'P', name) : Frontend.flush();
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

    /** Knows three statements by their text, and one by its name. */
    private static final class Known implements SegmentScanner.Statements {
        private static final byte[] NO_TYPES = {0, 0};

        private final PreparedStatement known =
                new PreparedStatement("SELECT 1".getBytes(StandardCharsets.US_ASCII), NO_TYPES, "anybody", 0);

        @Override
        public ClassifiedSql classify(byte[] sql) {
            Statement statement = switch (new String(sql, StandardCharsets.ISO_8859_1)) {
                case "BEGIN" -> new Statement.Begin("BEGIN", Optional.empty(), Optional.empty(), Optional.empty());
                case "SHOW multimed.route" -> new Statement.Show("multimed.route");
                default -> new Statement.Read(false);
            };
            return new ClassifiedSql(List.of(statement));
        }

        @Override
        public @Nullable PreparedStatement named(String name) {
            return name.equals("known") ? known : null;
        }

        @Override
        public ClassifiedSql classify(PreparedStatement statement) {
            return classify(statement.sql());
        }
    }
}
