package io.multimed.protocol.pg;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an ErrorResponse or NoticeResponse that Multimed sets or reads.
 *
 * @param severity ERROR, FATAL, PANIC, WARNING, ... not localised
 * @param routine the engine's function by which drivers distinguish errors of one SQLSTATE; only set, never read
 */
public record ErrorFields(
        String severity,
        String sqlState,
        String message,
        @Nullable String detail,
        @Nullable String hint,
        @Nullable String routine) {
    /** Returns the value of a field in a copy. */
    private interface FieldCopy {
        String of(char field, String value);
    }

    public ErrorFields(
            String severity, String sqlState, String message, @Nullable String detail, @Nullable String hint) {
        this(severity, sqlState, message, detail, hint, null);
    }

    public static ErrorFields error(String sqlState, String message) {
        return new ErrorFields("ERROR", sqlState, message, null, null);
    }

    public static ErrorFields fatal(String sqlState, String message) {
        return new ErrorFields("FATAL", sqlState, message, null, null);
    }

    public ErrorFields withHint(String text) {
        return new ErrorFields(severity, sqlState, message, detail, text, routine);
    }

    public ErrorFields withDetail(String text) {
        return new ErrorFields(severity, sqlState, message, text, hint, routine);
    }

    public ErrorFields withRoutine(String name) {
        return new ErrorFields(severity, sqlState, message, detail, hint, name);
    }

    public boolean isFatal() {
        return severity.equals("FATAL") || severity.equals("PANIC");
    }

    /**
     * Copies a whole message that begins at {@code index}, with {@code name} in place of {@code engineName} wherever the
     * message text contains it in double quotes.
     */
    public static void copyRenaming(ByteBuf message, int index, String engineName, String name, ByteBuf out) {
        copy(message, index, (field, value) -> value.replace('"' + engineName + '"', '"' + name + '"'), out);
    }

    /** Copies a whole message that begins at {@code index}, with its position in the query moved by {@code by} characters. */
    public static void copyMoving(ByteBuf message, int index, int by, ByteBuf out) {
        copy(
                message,
                index,
                (field, value) -> field == 'P' ? Integer.toString(Integer.parseInt(value) + by) : value,
                out);
    }

    private static void copy(ByteBuf message, int index, FieldCopy copied, ByteBuf out) {
        int end = index + 1 + message.getInt(index + 1);
        out.writeByte(message.getByte(index));
        int start = out.writerIndex();
        out.writeInt(0);
        int at = index + 5;
        while (at < end && message.getByte(at) != 0) {
            int terminator = message.indexOf(at + 1, end, (byte) 0);
            if (terminator < 0) {
                break;
            }
            // Latin-1 keeps every byte, whatever the client encoding.
            String value = message.toString(at + 1, terminator - at - 1, StandardCharsets.ISO_8859_1);
            out.writeByte(message.getByte(at));
            out.writeCharSequence(copied.of((char) message.getByte(at), value), StandardCharsets.ISO_8859_1);
            out.writeByte(0);
            at = terminator + 1;
        }
        out.writeByte(0);
        out.setInt(start, out.writerIndex() - start);
    }

    /** Whether a whole message that begins at {@code index} comes from this function of the engine, whatever its language. */
    public static boolean comesFrom(String function, ByteBuf message, int index) {
        int end = index + 1 + message.getInt(index + 1);
        for (int at = index + 5; at < end && message.getByte(at) != 0; ) {
            int terminator = message.indexOf(at + 1, end, (byte) 0);
            if (terminator < 0) {
                return false;
            }
            if (message.getByte(at) == 'R') {
                return message.toString(at + 1, terminator - at - 1, StandardCharsets.ISO_8859_1)
                        .equals(function);
            }
            at = terminator + 1;
        }
        return false;
    }

    /** Reads a whole message that begins at {@code index} with its type byte. Tolerates missing fields. */
    public static ErrorFields decode(ByteBuf message, int index) {
        String severity = "ERROR";
        String sqlState = SqlState.INTERNAL_ERROR;
        String text = "";
        String detail = null;
        String hint = null;
        int end = index + 1 + message.getInt(index + 1);
        int at = index + 5;
        while (at < end && message.getByte(at) != 0) {
            byte field = message.getByte(at);
            int terminator = message.indexOf(at + 1, end, (byte) 0);
            if (terminator < 0) {
                break;
            }
            String value = message.toString(at + 1, terminator - at - 1, StandardCharsets.UTF_8);
            switch (field) {
                case 'V' -> severity = value;
                case 'C' -> sqlState = value;
                case 'M' -> text = value;
                case 'D' -> detail = value;
                case 'H' -> hint = value;
                default -> {}
            }
            at = terminator + 1;
        }
        return new ErrorFields(severity, sqlState, text, detail, hint);
    }
}
