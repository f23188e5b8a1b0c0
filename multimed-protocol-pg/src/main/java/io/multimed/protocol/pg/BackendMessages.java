package io.multimed.protocol.pg;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the messages that a server sends; each method appends one message. */
public final class BackendMessages {
    private BackendMessages() {}

    public static void authenticationOk(ByteBuf out) {
        out.writeByte(Backend.AUTHENTICATION).writeInt(8).writeInt(0);
    }

    /** Writes AuthenticationSASL. */
    public static void authenticationSasl(ByteBuf out, List<String> mechanisms) {
        int start = begin(out, Backend.AUTHENTICATION);
        out.writeInt(10);
        mechanisms.forEach(mechanism -> cString(out, mechanism));
        out.writeByte(0);
        end(out, start);
    }

    /** @param kind 11 for AuthenticationSASLContinue, 12 for AuthenticationSASLFinal */
    public static void authenticationSaslData(ByteBuf out, int kind, String data) {
        int start = begin(out, Backend.AUTHENTICATION);
        out.writeInt(kind);
        out.writeCharSequence(data, StandardCharsets.UTF_8);
        end(out, start);
    }

    public static void parameterStatus(ByteBuf out, String name, String value) {
        int start = begin(out, Backend.PARAMETER_STATUS);
        cString(out, name);
        cString(out, value);
        end(out, start);
    }

    public static void backendKeyData(ByteBuf out, int processId, byte[] secret) {
        int start = begin(out, Backend.BACKEND_KEY_DATA);
        out.writeInt(processId).writeBytes(secret);
        end(out, start);
    }

    public static void negotiateProtocolVersion(ByteBuf out, int newestMinor, List<String> unknownOptions) {
        int start = begin(out, Backend.NEGOTIATE_PROTOCOL_VERSION);
        out.writeInt(StartupPacket.VERSION_3_0 | newestMinor).writeInt(unknownOptions.size());
        unknownOptions.forEach(option -> cString(out, option));
        end(out, start);
    }

    /** @param status I, T or E */
    public static void readyForQuery(ByteBuf out, byte status) {
        out.writeByte(Backend.READY_FOR_QUERY).writeInt(5).writeByte(status);
    }

    public static void parseComplete(ByteBuf out) {
        out.writeByte(Backend.PARSE_COMPLETE).writeInt(4);
    }

    public static void bindComplete(ByteBuf out) {
        out.writeByte(Backend.BIND_COMPLETE).writeInt(4);
    }

    public static void closeComplete(ByteBuf out) {
        out.writeByte(Backend.CLOSE_COMPLETE).writeInt(4);
    }

    public static void noData(ByteBuf out) {
        out.writeByte(Backend.NO_DATA).writeInt(4);
    }

    public static void portalSuspended(ByteBuf out) {
        out.writeByte(Backend.PORTAL_SUSPENDED).writeInt(4);
    }

    public static void emptyQueryResponse(ByteBuf out) {
        out.writeByte(Backend.EMPTY_QUERY_RESPONSE).writeInt(4);
    }

    /** Writes the ParameterDescription of a statement without parameters. */
    public static void noParameters(ByteBuf out) {
        out.writeByte(Backend.PARAMETER_DESCRIPTION).writeInt(6).writeShort(0);
    }

    public static void commandComplete(ByteBuf out, String tag) {
        int start = begin(out, Backend.COMMAND_COMPLETE);
        cString(out, tag);
        end(out, start);
    }

    /** Writes the RowDescription of columns of type text in text format. */
    public static void textColumns(ByteBuf out, List<String> names) {
        int start = begin(out, Backend.ROW_DESCRIPTION);
        out.writeShort(names.size());
        for (String name : names) {
            cString(out, name);
            out.writeInt(0)
                    .writeShort(0)
                    .writeInt(25)
                    .writeShort(-1)
                    .writeInt(-1)
                    .writeShort(0);
        }
        end(out, start);
    }

    public static void textRow(ByteBuf out, List<? extends @Nullable Object> values) {
        int start = begin(out, Backend.DATA_ROW);
        out.writeShort(values.size());
        for (Object value : values) {
            if (value == null) {
                out.writeInt(-1);
            } else {
                byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
                out.writeInt(bytes.length).writeBytes(bytes);
            }
        }
        end(out, start);
    }

    public static void error(ByteBuf out, ErrorFields fields) {
        fields(out, Backend.ERROR_RESPONSE, fields);
    }

    public static void notice(ByteBuf out, ErrorFields fields) {
        fields(out, Backend.NOTICE_RESPONSE, fields);
    }

    private static void fields(ByteBuf out, byte type, ErrorFields fields) {
        int start = begin(out, type);
        field(out, 'S', fields.severity());
        field(out, 'V', fields.severity());
        field(out, 'C', fields.sqlState());
        field(out, 'M', fields.message());
        field(out, 'D', fields.detail());
        field(out, 'H', fields.hint());
        field(out, 'R', fields.routine());
        out.writeByte(0);
        end(out, start);
    }

    private static void field(ByteBuf out, char code, @Nullable String value) {
        if (value != null) {
            out.writeByte(code);
            cString(out, value);
        }
    }

    private static int begin(ByteBuf out, byte type) {
        out.writeByte(type).writeInt(0);
        return out.writerIndex() - 4;
    }

    private static void end(ByteBuf out, int start) {
        out.setInt(start, out.writerIndex() - start);
    }

    private static void cString(ByteBuf out, String value) {
        out.writeCharSequence(value, StandardCharsets.UTF_8);
        out.writeByte(0);
    }
}
