package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * The first message of a server (handshake version 10).
 *
 * @param scramble 20 bytes, with which the client encodes its password
 * @param plugin the authentication plugin for which the scramble is made
 */
public record ServerGreeting(
        String version,
        long connectionId,
        byte[] scramble,
        long capabilities,
        int collation,
        int status,
        String plugin) {
    public static final int VERSION = 10;
    private static final int SCRAMBLE_LENGTH = 20;

    /** Decodes the payload. */
    public static ServerGreeting decode(ByteBuf in) throws MysqlProtocolException {
        Fields.require(in, 1);
        int protocol = in.readUnsignedByte();
        if (protocol != VERSION) {
            throw new MysqlProtocolException("handshake of version " + protocol);
        }
        String version = Fields.readTerminatedText(in);
        Fields.require(in, 4 + 8 + 1 + 2 + 1 + 2 + 2 + 1 + 6 + 4);
        long connectionId = in.readUnsignedIntLE();
        byte[] scramble = new byte[SCRAMBLE_LENGTH];
        in.readBytes(scramble, 0, 8).skipBytes(1);
        long low = in.readUnsignedShortLE();
        int collation = in.readUnsignedByte();
        int status = in.readUnsignedShortLE();
        long high = in.readUnsignedShortLE();
        int scrambleLength = in.readUnsignedByte();
        in.skipBytes(6);
        long mariaDb = in.readUnsignedIntLE();
        long capabilities = low | high << 16;
        if (!Capability.has(capabilities, Capability.MYSQL)) {
            capabilities |= mariaDb << 32;
        }
        int rest = Math.max(12, scrambleLength - 9);
        Fields.require(in, rest);
        in.readBytes(scramble, 8, 12).skipBytes(rest - 12);
        if (in.isReadable() && in.getByte(in.readerIndex()) == 0) {
            in.skipBytes(1);
        }
        String plugin = Capability.has(capabilities, Capability.PLUGIN_AUTH) && in.isReadable()
                ? Fields.readTerminatedText(in)
                : NativePassword.NAME;
        return new ServerGreeting(version, connectionId, scramble, capabilities, collation, status, plugin);
    }

    /** Appends the payload. */
    public void encode(ByteBuf out) {
        out.writeByte(VERSION);
        Fields.writeTerminatedText(out, version);
        out.writeIntLE((int) connectionId).writeBytes(scramble, 0, 8).writeByte(0);
        out.writeShortLE((int) (capabilities & 0xffff));
        out.writeByte(collation).writeShortLE(status);
        out.writeShortLE((int) (capabilities >>> 16 & 0xffff));
        out.writeByte(SCRAMBLE_LENGTH + 1).writeZero(6);
        out.writeIntLE(Capability.has(capabilities, Capability.MYSQL) ? 0 : (int) (capabilities >>> 32));
        out.writeBytes(scramble, 8, 12).writeByte(0);
        if (Capability.has(capabilities, Capability.PLUGIN_AUTH)) {
            out.writeCharSequence(plugin, StandardCharsets.UTF_8);
            out.writeByte(0);
        }
    }

    /** Returns the greeting with other capabilities. */
    public ServerGreeting with(long other) {
        return new ServerGreeting(version, connectionId, scramble, other, collation, status, plugin);
    }
}
