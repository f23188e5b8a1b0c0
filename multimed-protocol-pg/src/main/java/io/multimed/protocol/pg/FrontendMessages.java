package io.multimed.protocol.pg;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Writes the messages that a client sends; each method appends one message. */
public final class FrontendMessages {
    private FrontendMessages() {}

    public static void startup(ByteBuf out, int version, Map<String, String> parameters) {
        int start = out.writerIndex();
        out.writeInt(0).writeInt(version);
        parameters.forEach((name, value) -> {
            cString(out, name);
            cString(out, value);
        });
        out.writeByte(0);
        out.setInt(start, out.writerIndex() - start);
    }

    public static void cancelRequest(ByteBuf out, int processId, byte[] secret) {
        out.writeInt(12 + secret.length)
                .writeInt(StartupPacket.CANCEL_REQUEST)
                .writeInt(processId)
                .writeBytes(secret);
    }

    public static void query(ByteBuf out, String sql) {
        out.writeByte(Frontend.QUERY);
        int start = out.writerIndex();
        out.writeInt(0);
        cString(out, sql);
        out.setInt(start, out.writerIndex() - start);
    }

    /** Writes a Query of two parts, in the client's encoding. */
    public static void query(ByteBuf out, byte[] sql, byte[] more) {
        out.writeByte(Frontend.QUERY).writeInt(4 + sql.length + more.length + 1);
        out.writeBytes(sql).writeBytes(more).writeByte(0);
    }

    /** @param parameterTypes the message's part behind the query: the count and the type OIDs, as the client sent it */
    public static void parse(ByteBuf out, String name, byte[] sql, byte[] parameterTypes) {
        parse(out, name.getBytes(StandardCharsets.UTF_8), sql, parameterTypes);
    }

    /**
     * Writes a Parse.
     *
     * @param name in the encoding of the client
     */
    public static void parse(ByteBuf out, byte[] name, byte[] sql, byte[] parameterTypes) {
        out.writeByte(Frontend.PARSE);
        int start = out.writerIndex();
        out.writeInt(0);
        out.writeBytes(name).writeByte(0);
        out.writeBytes(sql).writeByte(0).writeBytes(parameterTypes);
        out.setInt(start, out.writerIndex() - start);
    }

    /** Binds a statement without parameters to the unnamed portal; results come as text. */
    public static void bind(ByteBuf out, String statement) {
        bind(out, "", statement);
    }

    /** Binds a statement without parameters to a portal; results come as text. */
    public static void bind(ByteBuf out, String portal, String statement) {
        out.writeByte(Frontend.BIND);
        int start = out.writerIndex();
        out.writeInt(0);
        cString(out, portal);
        cString(out, statement);
        out.writeShort(0).writeShort(0).writeShort(0);
        out.setInt(start, out.writerIndex() - start);
    }

    /** Executes the unnamed portal to its end. */
    public static void execute(ByteBuf out) {
        execute(out, "");
    }

    /** Executes a portal to its end. */
    public static void execute(ByteBuf out, String portal) {
        out.writeByte(Frontend.EXECUTE);
        int start = out.writerIndex();
        out.writeInt(0);
        cString(out, portal);
        out.writeInt(0);
        out.setInt(start, out.writerIndex() - start);
    }

    /** @param kind S for a statement, P for a portal */
    public static void describe(ByteBuf out, byte kind, String name) {
        named(out, Frontend.DESCRIBE, kind, name);
    }

    /** @param kind S for a statement, P for a portal */
    public static void close(ByteBuf out, byte kind, String name) {
        named(out, Frontend.CLOSE, kind, name);
    }

    public static void sync(ByteBuf out) {
        out.writeByte(Frontend.SYNC).writeInt(4);
    }

    public static void flush(ByteBuf out) {
        out.writeByte(Frontend.FLUSH).writeInt(4);
    }

    public static void terminate(ByteBuf out) {
        out.writeByte(Frontend.TERMINATE).writeInt(4);
    }

    private static void named(ByteBuf out, byte type, byte kind, String name) {
        out.writeByte(type);
        int start = out.writerIndex();
        out.writeInt(0).writeByte(kind);
        cString(out, name);
        out.setInt(start, out.writerIndex() - start);
    }

    private static void cString(ByteBuf out, String value) {
        out.writeCharSequence(value, StandardCharsets.UTF_8);
        out.writeByte(0);
    }
}
