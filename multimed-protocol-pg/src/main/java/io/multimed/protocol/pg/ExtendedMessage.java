package io.multimed.protocol.pg;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the extended query messages that matter for routing and prepared statements. Each {@code decode} reads a whole
 * message whose type byte is at {@code index} and returns null when its content is malformed. Such a message is passed on, so
 * that the engine itself words the error.
 */
public sealed interface ExtendedMessage {
    /**
     * @param name of the statement, empty for the unnamed one
     * @param sql the query without its terminator
     * @param parameterTypes count and type OIDs, as sent
     */
    record Parse(String name, byte[] sql, byte[] parameterTypes) implements ExtendedMessage {
        public static @Nullable Parse decode(ByteBuf in, int index) {
            int end = end(in, index);
            int nameEnd = in.indexOf(index + 5, end, (byte) 0);
            int sqlEnd = nameEnd < 0 ? -1 : in.indexOf(nameEnd + 1, end, (byte) 0);
            if (sqlEnd < 0 || end - sqlEnd - 1 < 2) {
                return null;
            }
            int types = in.getUnsignedShort(sqlEnd + 1);
            if (end - sqlEnd - 1 != 2 + 4 * types) {
                return null;
            }
            return new Parse(text(in, index + 5, nameEnd), bytes(in, nameEnd + 1, sqlEnd), bytes(in, sqlEnd + 1, end));
        }
    }

    /**
     * @param statement name of the statement bound
     * @param statementStart where its name begins in the message, counted from the type byte
     * @param statementEnd position of its terminator
     */
    record Bind(String statement, int statementStart, int statementEnd) implements ExtendedMessage {
        /** Whether neither statement nor portal has a name. */
        public boolean isUnnamed() {
            return statementStart == 6 && statementEnd == 6;
        }

        /**
         * Whether it has parameters, or formats of parameters, or is malformed.
         *
         * @param index position of its type byte; the whole message is there
         */
        public boolean hasParameters(ByteBuf in, int index) {
            int formats = index + statementEnd + 1;
            return end(in, index) - formats < 6 || in.getInt(formats) != 0;
        }

        /** Decodes the beginning of a message, up to the second name's terminator. */
        public static @Nullable Bind decode(ByteBuf in, int index) {
            int end = Math.min(end(in, index), in.writerIndex());
            int portalEnd = in.indexOf(index + 5, end, (byte) 0);
            int statementEnd = portalEnd < 0 ? -1 : in.indexOf(portalEnd + 1, end, (byte) 0);
            if (statementEnd < 0) {
                return null;
            }
            return new Bind(text(in, portalEnd + 1, statementEnd), portalEnd + 1 - index, statementEnd - index);
        }
    }

    /**
     * Describe or Close.
     *
     * @param kind S for a statement, P for a portal
     */
    record Named(byte kind, String name) implements ExtendedMessage {
        /** Whether it is for a statement or a portal, with a name that is text. */
        public boolean isWellFormed() {
            return (kind == 'S' || kind == 'P') && isText(name);
        }

        public static @Nullable Named decode(ByteBuf in, int index) {
            int end = end(in, index);
            if (end - index < 7 || in.indexOf(index + 6, end, (byte) 0) != end - 1) {
                return null;
            }
            return new Named(in.getByte(index + 5), text(in, index + 6, end - 1));
        }
    }

    /**
     * Whether a name is text in UTF-8, as the engine requires of clients with that encoding.
     *
     * @param name as decoded here
     */
    static boolean isText(String name) {
        boolean ascii = true;
        for (int i = 0; i < name.length() && ascii; i++) {
            ascii = name.charAt(i) < 0x80;
        }
        if (ascii) {
            return true;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name.getBytes(StandardCharsets.ISO_8859_1)));
            return true;
        } catch (CharacterCodingException notText) {
            return false;
        }
    }

    private static int end(ByteBuf in, int index) {
        return index + 1 + in.getInt(index + 1);
    }

    /** Returns a name for comparison byte by byte, whatever the client encoding: Latin-1 keeps every byte. */
    private static String text(ByteBuf in, int from, int to) {
        return from == to ? "" : in.toString(from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(ByteBuf in, int from, int to) {
        byte[] bytes = new byte[to - from];
        in.getBytes(from, bytes);
        return bytes;
    }
}
