package io.multimed.protocol.pg;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Feeds generated and damaged messages to the decoders: they never fail other than by {@link ProtocolException}, never read
 * beyond a message, and agree with a decoder that is written for clarity alone.
 */
class HostileMessagesTest {
    private static final int ROUNDS = Integer.getInteger("multimed.hostile.messages", 20_000);
    private static final String NAMES = "aS\0\u00e4\u00ff";

    private final Random random = new Random();
    private int accepted;
    private int refused;

    private String name() {
        StringBuilder name = new StringBuilder();
        for (int length = random.nextInt(4); length > 0; length--) {
            // A zero byte within a name shifts the rest of the message.
            name.append(NAMES.charAt(random.nextInt(8) == 0 ? 2 : random.nextInt(NAMES.length())));
        }
        return name.toString();
    }

    /** Returns a message, often damaged, in front of other bytes. */
    private ByteBuf hostile(ByteBuf message) {
        for (int damages = random.nextInt(3); damages > 0 && message.readableBytes() > 5; damages--) {
            int at = message.readerIndex() + 5 + random.nextInt(message.readableBytes() - 5);
            switch (random.nextInt(3)) {
                case 0 -> message.setByte(at, random.nextInt(3) == 0 ? 0 : random.nextInt(256));
                case 1 -> message.writerIndex(at);
                default -> message.writeByte(random.nextInt(256));
            }
        }
        message.setInt(message.readerIndex() + 1, message.readableBytes() - 1);
        for (int more = random.nextInt(4); more > 0; more--) {
            message.writeByte(0);
        }
        return message;
    }

    private void count(boolean wellFormed) {
        if (wellFormed) {
            accepted++;
        } else {
            refused++;
        }
    }

    private void assertBothWays() {
        assertTrue(accepted > ROUNDS / 20, accepted + " were accepted");
        assertTrue(refused > ROUNDS / 20, refused + " were refused");
    }

    /** The text of a whole message without its header. */
    private static String body(ByteBuf in) {
        return in.toString(5, in.getInt(1) - 4, StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aParseIsNamesQueryAndTypesOrLeftToTheEngine(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < ROUNDS; i++) {
            ByteBuf in = Unpooled.buffer();
            byte[] types = new byte[2 + 4 * random.nextInt(3)];
            types[1] = (byte) (types.length / 4);
            FrontendMessages.parse(
                    in,
                    name().getBytes(StandardCharsets.ISO_8859_1),
                    name().getBytes(StandardCharsets.ISO_8859_1),
                    types);
            hostile(in);
            ExtendedMessage.Parse decoded = ExtendedMessage.Parse.decode(in, 0);
            String[] parts = body(in).split("\0", 3);
            byte[] rest = parts.length < 3 ? new byte[0] : parts[2].getBytes(StandardCharsets.ISO_8859_1);
            boolean wellFormed = rest.length >= 2 && rest.length - 2 == 4 * ((rest[0] & 0xff) << 8 | (rest[1] & 0xff));
            count(wellFormed);
            assertEquals(wellFormed, decoded != null, () -> "seed " + seed + ": " + body(in));
            if (decoded != null) {
                assertEquals(parts[0], decoded.name());
                assertEquals(parts[1], new String(decoded.sql(), StandardCharsets.ISO_8859_1));
                assertArrayEquals(rest, decoded.parameterTypes());
            }
        }
        assertBothWays();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aBindIsTwoNamesAndMoreOrLeftToTheEngine(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < ROUNDS; i++) {
            ByteBuf in = Unpooled.buffer().writeByte('B').writeInt(0);
            byte[] rest = new byte[random.nextInt(9)];
            if (random.nextBoolean()) {
                random.nextBytes(rest);
            }
            in.writeCharSequence(
                    name() + (random.nextInt(9) == 0 ? "" : "\0") + name() + (random.nextInt(9) == 0 ? "" : "\0"),
                    StandardCharsets.ISO_8859_1);
            in.writeBytes(rest);
            hostile(in);
            ExtendedMessage.Bind decoded = ExtendedMessage.Bind.decode(in, 0);
            String[] parts = body(in).split("\0", 3);
            boolean wellFormed = parts.length == 3;
            count(wellFormed);
            assertEquals(wellFormed, decoded != null, () -> "seed " + seed + ": " + body(in));
            if (decoded != null) {
                assertEquals(parts[1], decoded.statement());
                assertEquals(5 + parts[0].length() + 1, decoded.statementStart());
                assertEquals(decoded.statementStart() + parts[1].length(), decoded.statementEnd());
                assertEquals(parts[0].isEmpty() && parts[1].isEmpty(), decoded.isUnnamed());
                assertEquals(parts[2].length() < 6 || !parts[2].startsWith("\0\0\0\0"), decoded.hasParameters(in, 0));
            }
        }
        assertBothWays();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aDescribeIsAKindAndOneNameOrLeftToTheEngine(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < ROUNDS; i++) {
            ByteBuf in = Unpooled.buffer().writeByte('D').writeInt(0);
            in.writeCharSequence(name() + name() + (random.nextInt(9) == 0 ? "" : "\0"), StandardCharsets.ISO_8859_1);
            hostile(in);
            ExtendedMessage.Named decoded = ExtendedMessage.Named.decode(in, 0);
            String body = body(in);
            boolean wellFormed = body.length() >= 2 && body.indexOf('\0', 1) == body.length() - 1;
            count(wellFormed);
            assertEquals(wellFormed, decoded != null, () -> "seed " + seed + ": " + body);
            if (decoded != null) {
                assertEquals((byte) body.charAt(0), decoded.kind());
                assertEquals(body.substring(1, body.length() - 1), decoded.name());
            }
        }
        assertBothWays();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anErrorIsReadToItsEndAndNoFurther(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < ROUNDS; i++) {
            ByteBuf in = Unpooled.buffer();
            BackendMessages.error(
                    in,
                    new ErrorFields("ERROR", name(), name(), random.nextBoolean() ? name() : null, null, "routine"));
            hostile(in);
            ErrorFields decoded = ErrorFields.decode(in, 0);
            List<String> messages = values(body(in), 'M');
            assertEquals(
                    messages.isEmpty() ? "" : messages.getLast(),
                    decoded.message(),
                    () -> "seed " + seed + ": " + body(in));
            List<String> routines = values(body(in), 'R');
            assertEquals(
                    !routines.isEmpty() && routines.getFirst().equals("routine"),
                    ErrorFields.comesFrom("routine", in, 0));
            ByteBuf copy = Unpooled.buffer();
            ErrorFields.copyRenaming(in, 0, "an engine's", "a client's", copy);
            assertEquals(copy.writerIndex(), 1 + copy.getInt(1));
            assertEquals(decoded, ErrorFields.decode(copy, 0));
        }
    }

    /** Returns the values of a field in their order, as far as the fields go. */
    private static List<String> values(String body, char field) {
        List<String> values = new ArrayList<>();
        for (int at = 0; at < body.length() && body.charAt(at) != 0; ) {
            int end = body.indexOf('\0', at + 1);
            if (end < 0) {
                break;
            }
            if (body.charAt(at) == field) {
                byte[] bytes = body.substring(at + 1, end).getBytes(StandardCharsets.ISO_8859_1);
                values.add(new String(bytes, StandardCharsets.UTF_8));
            }
            at = end + 1;
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aStartupPacketIsReadWholeRefusedOrAwaited(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < ROUNDS; i++) {
            ByteBuf in = Unpooled.buffer();
            switch (random.nextInt(4)) {
                case 0 -> FrontendMessages.cancelRequest(in, random.nextInt(), new byte[random.nextInt(300)]);
                case 1 -> {
                    byte[] bytes = new byte[random.nextInt(40)];
                    random.nextBytes(bytes);
                    in.writeBytes(bytes);
                }
                default -> {
                    FrontendMessages.startup(in, StartupPacket.VERSION_3_0, Map.of("user", name(), "database", name()));
                    if (random.nextBoolean()) {
                        in.setByte(random.nextInt(in.writerIndex()), random.nextInt(256));
                    }
                }
            }
            int before = in.readableBytes();
            int length = before < 4 ? 0 : in.getInt(0);
            try {
                StartupPacket decoded = StartupPacket.decode(in);
                if (decoded == null) {
                    assertEquals(before, in.readableBytes());
                    assertTrue(before < 4 || before < length);
                } else {
                    assertEquals(before - length, in.readableBytes());
                }
                count(decoded != null);
            } catch (ProtocolException violation) {
                assertNotNull(violation.getMessage());
                refused++;
            }
        }
        assertBothWays();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aNameIsTextIfItsBytesAreUtf8(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = new byte[random.nextInt(5)];
            random.nextBytes(bytes);
            String name = new String(bytes, StandardCharsets.ISO_8859_1);
            boolean same =
                    Arrays.equals(bytes, new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
            count(same);
            assertEquals(same, ExtendedMessage.isText(name), name);
        }
        assertBothWays();
    }
}
