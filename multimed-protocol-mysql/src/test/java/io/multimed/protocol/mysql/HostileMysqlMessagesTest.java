package io.multimed.protocol.mysql;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Feeds generated and damaged messages to the decoders: they never fail other than by {@link MysqlProtocolException}, never read beyond
 * a message, and read undamaged messages as they were written.
 */
class HostileMysqlMessagesTest {
    private static final int ROUNDS = Integer.getInteger("multimed.hostile.messages", 20_000);

    private interface Decoder {
        void decode(ByteBuf in) throws MysqlProtocolException;
    }

    private final Random random = new Random();
    private int accepted;
    private int refused;

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(8) == 0 ? random.nextInt(300) : random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (1 + random.nextInt(255));
        }
        return bytes;
    }

    private String text() {
        return new String(bytes(), StandardCharsets.ISO_8859_1);
    }

    private ByteBuf damaged(ByteBuf message) {
        for (int damages = random.nextInt(3); damages > 0 && message.readableBytes() > 1; damages--) {
            int at = random.nextInt(message.readableBytes());
            switch (random.nextInt(3)) {
                case 0 -> message.setByte(at, random.nextInt(4) == 0 ? 0xff - random.nextInt(5) : random.nextInt(256));
                case 1 -> message.writerIndex(at);
                default -> message.writeByte(random.nextInt(256));
            }
        }
        return message;
    }

    private void feed(Decoder decoder, ByteBuf message) {
        try {
            decoder.decode(damaged(message));
            accepted++;
        } catch (MysqlProtocolException expected) {
            refused++;
        }
    }

    /** Does what is done with a client's first message. */
    private static void decodeFirst(ByteBuf in) throws MysqlProtocolException {
        if (HandshakeResponse.isTlsRecord(in) || !HandshakeResponse.isTlsRequest(in)) {
            HandshakeResponse.decode(in);
        }
    }

    private long capabilities() {
        return (random.nextLong() & 0x1f_ffff_ffffL) | Capability.PROTOCOL_41;
    }

    private HandshakeResponse response() {
        long capabilities = capabilities() | Capability.SECURE_CONNECTION;
        boolean names = Capability.has(capabilities, Capability.CONNECT_WITH_DB);
        boolean plugin = Capability.has(capabilities, Capability.PLUGIN_AUTH);
        if (Capability.has(capabilities, Capability.MYSQL)) {
            capabilities &= 0xffff_ffffL;
        }
        byte[] reply = new byte[random.nextInt(2) * NativePassword.LENGTH];
        return new HandshakeResponse(
                capabilities,
                random.nextInt() & 0xffff_ffffL,
                random.nextInt(256),
                bytes(),
                reply,
                names ? bytes() : new byte[0],
                plugin ? bytes() : new byte[0],
                names && plugin ? bytes() : new byte[0]);
    }

    private OkMessage ok() {
        List<OkMessage.StateChange> changes = random.nextBoolean()
                ? List.of()
                : List.of(new OkMessage.StateChange(0, bytes()), new OkMessage.StateChange(1, bytes()));
        int status = changes.isEmpty()
                ? ServerStatus.AUTOCOMMIT
                : ServerStatus.AUTOCOMMIT | ServerStatus.SESSION_STATE_CHANGED;
        return new OkMessage(
                random.nextBoolean() ? Reply.OK : Reply.EOF,
                random.nextLong() >>> random.nextInt(64),
                random.nextLong() >>> random.nextInt(64),
                status,
                random.nextInt(1 << 16),
                bytes(),
                changes);
    }

    private ExecuteMessage execution(int parameters) {
        return new ExecuteMessage(
                random.nextInt(),
                random.nextInt(2),
                1,
                new byte[(parameters + 7) / 8],
                parameters > 0 && random.nextBoolean() ? new byte[2 * parameters] : null,
                bytes());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void damagedMessagesAreReadOrRefused(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < ROUNDS; i++) {
            ByteBuf message = Unpooled.buffer();
            long capabilities = capabilities();
            switch (random.nextInt(9)) {
                case 0 -> {
                    new ServerGreeting(text(), 7, new byte[20], capabilities, 45, 2, "plugin").encode(message);
                    feed(ServerGreeting::decode, message);
                }
                case 1 -> {
                    response().encode(message);
                    feed(HandshakeResponse::decode, message);
                }
                case 2 -> {
                    ok().encode(message, capabilities);
                    feed(in -> OkMessage.decode(in, capabilities).withLoginInfo(bytes()), message);
                }
                case 3 -> {
                    new ErrMessage(1045, "28000", text()).encode(message);
                    feed(ErrMessage::decode, message);
                }
                case 4 -> {
                    ColumnDefinition.text(text()).encode(message, capabilities);
                    feed(in -> ColumnDefinition.decode(in, capabilities), message);
                }
                case 5 -> {
                    TextRow.encode(message, List.of(text(), text()));
                    feed(in -> TextRow.decode(in, 2), message);
                }
                case 7 -> {
                    response().encodeTlsRequest(message);
                    feed(HostileMysqlMessagesTest::decodeFirst, message);
                }
                case 6 -> {
                    execution(3).encode(message);
                    feed(in -> ExecuteMessage.decode(in, 3), message);
                }
                default -> {
                    new AuthSwitch(NativePassword.NAME, bytes()).encode(message);
                    feed(AuthSwitch::decode, message);
                }
            }
        }
        assertTrue(accepted > ROUNDS / 20, accepted + " were accepted");
        assertTrue(refused > ROUNDS / 20, refused + " were refused");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyPacketsAreFollowedOrRefused(long seed) {
        random.setSeed(seed);
        int ended = 0;
        for (int i = 0; i < ROUNDS; i++) {
            ReplyFlow flow = new ReplyFlow(capabilities());
            flow.begin(random.nextInt(256));
            try {
                for (int packets = random.nextInt(8); packets > 0 && flow.isUnderWay(); packets--) {
                    byte[] payload = new byte[random.nextInt(12)];
                    random.nextBytes(payload);
                    if (payload.length > 0 && random.nextBoolean()) {
                        payload[0] = (byte) (0xfa + random.nextInt(7));
                    }
                    ByteBuf in = Unpooled.wrappedBuffer(payload);
                    flow.next(in, 0, payload.length);
                    assertEquals(payload.length, in.readableBytes());
                }
                ended += flow.isUnderWay() ? 0 : 1;
            } catch (MysqlProtocolException expected) {
                refused++;
            }
        }
        assertTrue(ended > ROUNDS / 20, ended + " ended");
        assertTrue(refused > ROUNDS / 20, refused + " were refused");
    }

    @Test
    void undamagedMessagesAreReadAsWritten() throws Exception {
        random.setSeed(4);
        for (int i = 0; i < ROUNDS; i++) {
            ByteBuf message = Unpooled.buffer();
            HandshakeResponse response = response();
            response.encodeTlsRequest(message);
            assertEquals(32, message.readableBytes());
            assertTrue(HandshakeResponse.isTlsRequest(message));
            message.clear();
            response.encode(message);
            assertEquals(
                    Capability.has(response.capabilities(), Capability.SSL), HandshakeResponse.isTlsRequest(message));
            HandshakeResponse read = HandshakeResponse.decode(message);
            assertEquals(response.capabilities(), read.capabilities());
            assertArrayEquals(response.user(), read.user());
            assertArrayEquals(response.reply(), read.reply());
            assertArrayEquals(response.database(), read.database());
            assertArrayEquals(response.plugin(), read.plugin());
            assertArrayEquals(response.attributes(), read.attributes());

            message.clear();
            int parameters = random.nextInt(20);
            ExecuteMessage execution = execution(parameters);
            execution.encode(message);
            ExecuteMessage again = ExecuteMessage.decode(message, parameters);
            assertEquals(execution.statement(), again.statement());
            assertEquals(execution.flags(), again.flags());
            assertArrayEquals(execution.nulls(), again.nulls());
            assertArrayEquals(execution.types(), again.types());
            assertArrayEquals(execution.values(), again.values());

            message.clear();
            OkMessage ok = ok();
            long capabilities = capabilities();
            ok.encode(message, capabilities | Capability.SESSION_TRACK);
            OkMessage same = OkMessage.decode(message, capabilities | Capability.SESSION_TRACK);
            assertEquals(ok.insertId(), same.insertId());
            assertEquals(ok.affectedRows(), same.affectedRows());
            assertEquals(ok.status(), same.status());
            assertArrayEquals(ok.info(), same.info());
            assertEquals(ok.changes().size(), same.changes().size());
        }
    }
}
