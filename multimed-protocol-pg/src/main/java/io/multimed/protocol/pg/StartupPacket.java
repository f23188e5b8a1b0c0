package io.multimed.protocol.pg;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A packet without a type byte, which opens a connection. */
public sealed interface StartupPacket {
    /** MAX_STARTUP_PACKET_LENGTH (pqcomm.h). */
    int MAX_LENGTH = 10_000;

    int SSL_REQUEST = 1234 << 16 | 5679;
    int GSSENC_REQUEST = 1234 << 16 | 5680;
    int CANCEL_REQUEST = 1234 << 16 | 5678;
    int VERSION_3_0 = 3 << 16;
    int VERSION_3_2 = 3 << 16 | 2;

    record SslRequest() implements StartupPacket {}

    record GssEncRequest() implements StartupPacket {}

    /** @param secret 4 bytes in protocol 3.0, up to 256 from 3.2 on */
    record CancelRequest(int processId, byte[] secret) implements StartupPacket {}

    /** @param parameters in the order sent; user and database among them */
    record Startup(int version, Map<String, String> parameters) implements StartupPacket {
        public int minorVersion() {
            return version & 0xffff;
        }
    }

    /**
     * Decodes one packet if all of it is there, as PostgreSQL's ProcessStartupPacket does.
     *
     * @return null when more bytes are needed
     * @throws ProtocolException for a length or content that PostgreSQL refuses
     */
    static @Nullable StartupPacket decode(ByteBuf in) throws ProtocolException {
        if (in.readableBytes() < 4) {
            return null;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 8 || length > MAX_LENGTH + 4) {
            throw ProtocolException.framing("invalid length of startup packet");
        }
        if (in.readableBytes() < length) {
            return null;
        }
        ByteBuf body = in.readSlice(length).skipBytes(4);
        int code = body.readInt();
        return switch (code) {
            case SSL_REQUEST -> new SslRequest();
            case GSSENC_REQUEST -> new GssEncRequest();
            case CANCEL_REQUEST -> cancelRequest(body);
            default -> startup(code, body);
        };
    }

    private static StartupPacket cancelRequest(ByteBuf body) throws ProtocolException {
        int secretLength = body.readableBytes() - 4;
        if (secretLength < 4 || secretLength > 256) {
            throw ProtocolException.framing("invalid length of cancel request packet");
        }
        int processId = body.readInt();
        byte[] secret = new byte[secretLength];
        body.readBytes(secret);
        return new CancelRequest(processId, secret);
    }

    private static StartupPacket startup(int version, ByteBuf body) throws ProtocolException {
        if (version >>> 16 != 3) {
            throw ProtocolException.fatal(
                    SqlState.FEATURE_NOT_SUPPORTED,
                    "unsupported frontend protocol %d.%d: server supports 3.0 to 3.2"
                            .formatted(version >>> 16, version & 0xffff));
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        while (body.isReadable()) {
            String name = cString(body);
            if (name.isEmpty()) {
                if (body.isReadable()) {
                    break;
                }
                return new Startup(version, parameters);
            }
            parameters.put(name, cString(body));
        }
        throw ProtocolException.fatal(
                SqlState.PROTOCOL_VIOLATION, "invalid startup packet layout: expected terminator as last byte");
    }

    private static String cString(ByteBuf body) throws ProtocolException {
        int length = body.bytesBefore((byte) 0);
        if (length < 0) {
            throw ProtocolException.fatal(
                    SqlState.PROTOCOL_VIOLATION, "invalid startup packet layout: expected terminator as last byte");
        }
        String value = body.readCharSequence(length, StandardCharsets.UTF_8).toString();
        body.skipBytes(1);
        return value;
    }
}
