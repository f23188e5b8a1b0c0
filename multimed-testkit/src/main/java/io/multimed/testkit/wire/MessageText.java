package io.multimed.testkit.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A server's message as one line, for people and for the comparison of two runs. */
public final class MessageText {
    private static final int LONG_VALUE = 400;

    private MessageText() {}

    /** Returns all of the message, except that long values appear as their length and digest. */
    public static String line(Message message) {
        ByteBuffer body = message.reader();
        String line = switch (message.type()) {
            case 'R' -> "Authentication " + authentication(body);
            case 'K' -> {
                int pid = body.getInt();
                yield "BackendKeyData pid=" + pid + " secret=" + remaining(body);
            }
            case 'S' -> "ParameterStatus " + Message.string(body) + "=" + Message.string(body);
            case 'Z' -> "ReadyForQuery " + (char) body.get();
            case 'C' -> "CommandComplete " + Message.string(body);
            case 'D' -> "DataRow" + row(message);
            case 'T' -> "RowDescription" + rowDescription(body);
            case 't' -> "ParameterDescription" + parameterDescription(body);
            case 'E' -> "ErrorResponse" + fields(message);
            case 'N' -> "NoticeResponse" + fields(message);
            case 'A' -> {
                int pid = body.getInt();
                yield "NotificationResponse pid=" + pid + " " + quoted(Message.string(body)) + " "
                        + quoted(Message.string(body));
            }
            case 'd' -> "CopyData " + remaining(body);
            case 'G' -> "CopyInResponse" + copyFormats(body);
            case 'H' -> "CopyOutResponse" + copyFormats(body);
            case 'W' -> "CopyBothResponse" + copyFormats(body);
            case 'V' -> "FunctionCallResponse " + value(body);
            case 'v' -> "NegotiateProtocolVersion " + negotiation(body);
            case '1' -> "ParseComplete";
            case '2' -> "BindComplete";
            case '3' -> "CloseComplete";
            case 'c' -> "CopyDone";
            case 'n' -> "NoData";
            case 's' -> "PortalSuspended";
            case 'I' -> "EmptyQueryResponse";
            default -> "Unknown '" + message.type() + "'";
        };
        return body.hasRemaining() && message.type() != 'D' && message.type() != 'E' && message.type() != 'N'
                ? line + " +" + remaining(body)
                : line;
    }

    private static String authentication(ByteBuffer body) {
        int kind = body.getInt();
        return switch (kind) {
            case 0 -> "Ok";
            case 3 -> "CleartextPassword";
            case 10 -> {
                StringBuilder mechanisms = new StringBuilder("SASL");
                for (String name = Message.string(body); !name.isEmpty(); name = Message.string(body)) {
                    mechanisms.append(' ').append(name);
                }
                yield mechanisms.toString();
            }
            case 11 -> "SASLContinue " + remaining(body);
            case 12 -> "SASLFinal " + remaining(body);
            default -> kind + " " + remaining(body);
        };
    }

    private static String row(Message message) {
        StringBuilder line = new StringBuilder();
        for (byte @Nullable [] value : message.row()) {
            line.append(' ').append(value == null ? "NULL" : bytes(value));
        }
        return line.toString();
    }

    private static String rowDescription(ByteBuffer body) {
        StringBuilder line = new StringBuilder();
        int columns = Short.toUnsignedInt(body.getShort());
        for (int i = 0; i < columns; i++) {
            line.append(' ').append(quoted(Message.string(body)));
            line.append(" table=").append(Integer.toUnsignedString(body.getInt()));
            line.append('.').append(body.getShort());
            line.append(" type=").append(Integer.toUnsignedString(body.getInt()));
            line.append('/').append(body.getShort()).append('/').append(body.getInt());
            line.append(" format=").append(body.getShort()).append(i + 1 < columns ? "," : "");
        }
        return line.toString();
    }

    private static String parameterDescription(ByteBuffer body) {
        StringBuilder line = new StringBuilder();
        for (int i = Short.toUnsignedInt(body.getShort()); i > 0; i--) {
            line.append(' ').append(Integer.toUnsignedString(body.getInt()));
        }
        return line.toString();
    }

    private static String fields(Message message) {
        StringBuilder line = new StringBuilder();
        message.fields()
                .forEach((code, value) ->
                        line.append(' ').append(code).append('=').append(quoted(value)));
        return line.toString();
    }

    private static String copyFormats(ByteBuffer body) {
        StringBuilder line = new StringBuilder(" " + body.get());
        for (int i = Short.toUnsignedInt(body.getShort()); i > 0; i--) {
            line.append(' ').append(body.getShort());
        }
        return line.toString();
    }

    private static String negotiation(ByteBuffer body) {
        int version = body.getInt();
        StringBuilder line = new StringBuilder((version >> 16) + "." + (version & 0xffff));
        for (int i = body.getInt(); i > 0; i--) {
            line.append(' ').append(Message.string(body));
        }
        return line.toString();
    }

    private static String value(ByteBuffer body) {
        int length = body.getInt();
        if (length < 0) {
            return "NULL";
        }
        byte[] bytes = new byte[length];
        body.get(bytes);
        return bytes(bytes);
    }

    private static String remaining(ByteBuffer body) {
        byte[] rest = new byte[body.remaining()];
        body.get(rest);
        return bytes(rest);
    }

    private static String bytes(byte[] value) {
        if (value.length > LONG_VALUE) {
            return "<" + value.length + " bytes sha256=" + digest(value).substring(0, 16) + ">";
        }
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
            if (text.chars().allMatch(c -> c >= ' ' || c == '\n' || c == '\t' || c == '\r')) {
                return quoted(text.toString());
            }
        } catch (CharacterCodingException ignored) {
            // The value is shown in hexadecimal, as with control characters.
        }
        return "x'" + HexFormat.of().formatHex(value) + "'";
    }

    private static String quoted(String text) {
        return "'"
                + text.replace("\\", "\\\\")
                        .replace("\n", "\\n")
                        .replace("\t", "\\t")
                        .replace("\r", "\\r") + "'";
    }

    private static String digest(byte[] value) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
