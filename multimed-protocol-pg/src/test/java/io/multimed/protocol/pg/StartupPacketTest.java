package io.multimed.protocol.pg;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the packets that open a connection (ProcessStartupPacket in backend_startup.c). */
class StartupPacketTest {
    private static final int HEADER = 8;

    /** Returns a packet with this code and body, whose length is right. */
    private static ByteBuf packet(int code, byte[] body) {
        return Unpooled.buffer().writeInt(HEADER + body.length).writeInt(code).writeBytes(body);
    }

    private static ByteBuf startup(String body) {
        return packet(StartupPacket.VERSION_3_0, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void parametersKeepTheirOrder() throws ProtocolException {
        Map<String, String> sent = new LinkedHashMap<>();
        sent.put("user", "anna");
        sent.put("database", "größe");
        sent.put("application_name", "");
        ByteBuf in = Unpooled.buffer();
        FrontendMessages.startup(in, StartupPacket.VERSION_3_2, sent);
        StartupPacket.Startup decoded = assertInstanceOf(StartupPacket.Startup.class, StartupPacket.decode(in));
        assertEquals(
                List.copyOf(sent.entrySet()), List.copyOf(decoded.parameters().entrySet()));
        assertEquals(2, decoded.minorVersion());
        assertEquals(0, in.readableBytes());
    }

    @Test
    void aPacketWaitsForItsLastByteAndLeavesTheNextOne() throws ProtocolException {
        ByteBuf whole = Unpooled.buffer();
        FrontendMessages.startup(whole, StartupPacket.VERSION_3_0, Map.of("user", "anna"));
        int length = whole.readableBytes();
        whole.writeBytes(new byte[] {1, 2, 3});
        for (int arrived = 0; arrived < length; arrived++) {
            ByteBuf part = whole.slice(0, arrived);
            assertNull(StartupPacket.decode(part), "after " + arrived + " bytes");
            assertEquals(arrived, part.readableBytes(), "nothing of it is taken");
        }
        assertInstanceOf(StartupPacket.Startup.class, StartupPacket.decode(whole));
        assertEquals(3, whole.readableBytes());
    }

    @Test
    void requestsForEncryptionHaveNoBody() throws ProtocolException {
        assertInstanceOf(
                StartupPacket.SslRequest.class, StartupPacket.decode(packet(StartupPacket.SSL_REQUEST, new byte[0])));
        assertInstanceOf(
                StartupPacket.GssEncRequest.class,
                StartupPacket.decode(packet(StartupPacket.GSSENC_REQUEST, new byte[0])));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 32, 256})
    void aCancelRequestHasASecretOfTheLengthThatTheServerGave(int length) throws ProtocolException {
        byte[] secret = new byte[length];
        secret[length - 1] = 7;
        ByteBuf in = Unpooled.buffer();
        FrontendMessages.cancelRequest(in, 4711, secret);
        StartupPacket.CancelRequest decoded =
                assertInstanceOf(StartupPacket.CancelRequest.class, StartupPacket.decode(in));
        assertEquals(4711, decoded.processId());
        assertArrayEquals(secret, decoded.secret());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 257, 1000})
    void aCancelRequestWithASecretOfAnotherLengthIsRefusedWithoutAnAnswer(int length) {
        ByteBuf in = Unpooled.buffer();
        FrontendMessages.cancelRequest(in, 4711, new byte[length]);
        assertTrue(assertThrows(ProtocolException.class, () -> StartupPacket.decode(in))
                .silent());
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 4, 7, StartupPacket.MAX_LENGTH + 5, Integer.MAX_VALUE})
    void aLengthOutOfBoundsIsRefusedBeforeItsBytesArrive(int length) {
        ByteBuf in = Unpooled.buffer().writeInt(length);
        assertTrue(assertThrows(ProtocolException.class, () -> StartupPacket.decode(in))
                .silent());
    }

    @Test
    void theLongestPacketIsAccepted() throws ProtocolException {
        int name = "user".length() + 1;
        String longest = "x".repeat(StartupPacket.MAX_LENGTH + 4 - HEADER - name - 2);
        ByteBuf in = startup("user\0" + longest + "\0\0");
        assertEquals(StartupPacket.MAX_LENGTH + 4, in.readableBytes());
        assertInstanceOf(StartupPacket.Startup.class, StartupPacket.decode(in));
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "4, 0", "0, 0", "1, 65535"})
    void anotherMajorVersionIsNamedInTheError(int major, int minor) {
        ProtocolException refused = assertThrows(
                ProtocolException.class, () -> StartupPacket.decode(packet(major << 16 | minor, new byte[1])));
        assertEquals(SqlState.FEATURE_NOT_SUPPORTED, refused.sqlState());
        assertTrue(refused.getMessage().contains(" " + major + "." + minor + ":"), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "user", "user\0", "user\0anna", "user\0anna\0", "user\0anna\0\0more", "\0\0"})
    void parametersWithoutATerminatorAsTheirLastByteAreRefused(String body) {
        ProtocolException refused = assertThrows(ProtocolException.class, () -> StartupPacket.decode(startup(body)));
        assertEquals(SqlState.PROTOCOL_VIOLATION, refused.sqlState());
        assertEquals("invalid startup packet layout: expected terminator as last byte", refused.getMessage());
    }
}
