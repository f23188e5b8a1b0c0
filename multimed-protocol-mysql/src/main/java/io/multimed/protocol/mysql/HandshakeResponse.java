package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * A client's answer to the {@link ServerGreeting}, of protocol 4.1.
 *
 * @param user in the client's character set, as all names
 * @param reply the authentication plugin's
 * @param database empty for none
 * @param plugin empty if the client names none
 * @param attributes as the client has sent them, with the length in front; empty if it has none. With MySQL's ZSTD, its level follows
 */
public record HandshakeResponse(
        long capabilities,
        long maxPacket,
        int collation,
        byte[] user,
        byte[] reply,
        byte[] database,
        byte[] plugin,
        byte[] attributes) {
    /** Type of a record, and the first byte of its version (RFC 8446, 5.1). */
    private static final byte TLS_HANDSHAKE = 0x16;

    private static final byte TLS_VERSION = 0x03;

    /**
     * Whether the first payload of a client requests TLS. Usually it is 32 bytes long; MariaDB looks at the flag alone, and ignores what
     * follows the capabilities.
     */
    public static boolean isTlsRequest(ByteBuf payload) {
        return payload.readableBytes() >= 4
                && Capability.has(payload.getUnsignedIntLE(payload.readerIndex()), Capability.SSL);
    }

    /** Whether the bytes of a client begin with a handshake of TLS that it has not requested, as a browser sends it. */
    public static boolean isTlsRecord(ByteBuf in) {
        return in.readableBytes() >= 2
                && in.getByte(in.readerIndex()) == TLS_HANDSHAKE
                && in.getByte(in.readerIndex() + 1) == TLS_VERSION;
    }

    /** Appends the payload of the request for TLS that precedes this response. */
    public void encodeTlsRequest(ByteBuf out) {
        encodeHead(out, capabilities | Capability.SSL);
    }

    /** Returns the login of the same user with other capabilities, without a password, a database and a plugin. */
    public HandshakeResponse withoutPassword(long otherCapabilities) {
        byte[] none = new byte[0];
        return new HandshakeResponse(otherCapabilities, maxPacket, collation, user, none, none, none, attributes);
    }

    /** Decodes the payload. */
    public static HandshakeResponse decode(ByteBuf in) throws MysqlProtocolException {
        Fields.require(in, 32);
        long capabilities = in.readUnsignedIntLE();
        if (!Capability.has(capabilities, Capability.PROTOCOL_41)) {
            throw new MysqlProtocolException("client of a protocol before 4.1");
        }
        long maxPacket = in.readUnsignedIntLE();
        int collation = in.readUnsignedByte();
        in.skipBytes(19);
        long mariaDb = in.readUnsignedIntLE();
        if (!Capability.has(capabilities, Capability.MYSQL)) {
            capabilities |= mariaDb << 32;
        }
        byte[] user = Fields.readTerminated(in);
        byte[] reply = reply(in, capabilities);
        byte[] database = new byte[0];
        if (Capability.has(capabilities, Capability.CONNECT_WITH_DB) && in.isReadable()) {
            database = Fields.readTerminated(in);
        }
        byte[] plugin = new byte[0];
        if (Capability.has(capabilities, Capability.PLUGIN_AUTH) && in.isReadable()) {
            plugin = Fields.readTerminated(in);
        }
        return new HandshakeResponse(
                capabilities, maxPacket, collation, user, reply, database, plugin, Fields.readRest(in));
    }

    private static byte[] reply(ByteBuf in, long capabilities) throws MysqlProtocolException {
        if (Capability.has(capabilities, Capability.PLUGIN_AUTH_LENENC)) {
            return Fields.readRest(Fields.readBytes(in));
        }
        if (Capability.has(capabilities, Capability.SECURE_CONNECTION)) {
            Fields.require(in, 1);
            int length = in.readUnsignedByte();
            Fields.require(in, length);
            return Fields.readRest(in.readSlice(length));
        }
        return Fields.readTerminated(in);
    }

    /**
     * Decodes the payload of a COM_CHANGE_USER, whose command byte is included.
     *
     * @param capabilities of the connection
     */
    public static HandshakeResponse decodeChangeUser(ByteBuf in, long capabilities) throws MysqlProtocolException {
        Fields.require(in, 1);
        in.skipBytes(1);
        byte[] user = Fields.readTerminated(in);
        Fields.require(in, 1);
        int length = in.readUnsignedByte();
        Fields.require(in, length);
        byte[] reply = Fields.readRest(in.readSlice(length));
        byte[] database = Fields.readTerminated(in);
        int collation = in.readableBytes() >= 2 ? in.readUnsignedShortLE() : 0;
        byte[] plugin = Capability.has(capabilities, Capability.PLUGIN_AUTH) && in.isReadable()
                ? Fields.readTerminated(in)
                : new byte[0];
        byte[] attributes = Capability.has(capabilities, Capability.CONNECT_ATTRS) ? Fields.readRest(in) : new byte[0];
        return new HandshakeResponse(
                capabilities, 1 << 30, collation & 0xff, user, reply, database, plugin, attributes);
    }

    /** Appends the payload. */
    public void encode(ByteBuf out) {
        encodeHead(out, capabilities);
        Fields.writeTerminated(out, user);
        if (Capability.has(capabilities, Capability.PLUGIN_AUTH_LENENC)) {
            Fields.writeBytes(out, reply);
        } else if (Capability.has(capabilities, Capability.SECURE_CONNECTION)) {
            out.writeByte(reply.length).writeBytes(reply);
        } else {
            Fields.writeTerminated(out, reply);
        }
        if (Capability.has(capabilities, Capability.CONNECT_WITH_DB)) {
            Fields.writeTerminated(out, database);
        }
        if (Capability.has(capabilities, Capability.PLUGIN_AUTH)) {
            Fields.writeTerminated(out, plugin);
        }
        out.writeBytes(attributes);
    }

    private void encodeHead(ByteBuf out, long shown) {
        out.writeIntLE((int) shown)
                .writeIntLE((int) maxPacket)
                .writeByte(collation)
                .writeZero(19);
        out.writeIntLE(Capability.has(shown, Capability.MYSQL) ? 0 : (int) (shown >>> 32));
    }

    /** Returns the response with other capabilities. */
    public HandshakeResponse withCapabilities(long other) {
        return new HandshakeResponse(other, maxPacket, collation, user, reply, database, plugin, attributes);
    }

    /** Returns the response of the same client to another server's greeting. */
    public HandshakeResponse withReply(byte[] otherReply, String otherPlugin) {
        return new HandshakeResponse(
                capabilities,
                maxPacket,
                collation,
                user,
                otherReply,
                database,
                otherPlugin.getBytes(StandardCharsets.UTF_8),
                attributes);
    }

    /** Returns the response of a client with text in UTF-8 that names its user only. */
    public static HandshakeResponse of(long capabilities, int collation, String user, byte[] reply) {
        return new HandshakeResponse(
                capabilities,
                1 << 30,
                collation,
                user.getBytes(StandardCharsets.UTF_8),
                reply,
                new byte[0],
                NativePassword.NAME.getBytes(StandardCharsets.UTF_8),
                new byte[0]);
    }
}
