package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Fields of messages: integers and strings with their lengths in front, and strings up to a zero byte. Every length is checked. */
public final class Fields {
    private static final int NULL = 0xfb;
    private static final int TWO_BYTES = 0xfc;
    private static final int THREE_BYTES = 0xfd;
    private static final int EIGHT_BYTES = 0xfe;

    private Fields() {}

    /** Throws unless that many bytes are readable. */
    public static void require(ByteBuf in, long bytes) throws MysqlProtocolException {
        if (bytes < 0 || in.readableBytes() < bytes) {
            throw new MysqlProtocolException("message too short");
        }
    }

    /** Reads a length-encoded integer. An integer of 64 bits that does not fit a long is refused. */
    public static long readInteger(ByteBuf in) throws MysqlProtocolException {
        require(in, 1);
        int first = in.readUnsignedByte();
        return switch (first) {
            case NULL, 0xff -> throw new MysqlProtocolException("not an integer");
            case TWO_BYTES -> {
                require(in, 2);
                yield in.readUnsignedShortLE();
            }
            case THREE_BYTES -> {
                require(in, 3);
                yield in.readUnsignedMediumLE();
            }
            case EIGHT_BYTES -> {
                require(in, 8);
                long value = in.readLongLE();
                if (value < 0) {
                    throw new MysqlProtocolException("integer of more than 63 bits");
                }
                yield value;
            }
            default -> first;
        };
    }

    public static void writeInteger(ByteBuf out, long value) {
        if (value < NULL) {
            out.writeByte((int) value);
        } else if (value <= 0xffff) {
            out.writeByte(TWO_BYTES).writeShortLE((int) value);
        } else if (value <= 0xffffff) {
            out.writeByte(THREE_BYTES).writeMediumLE((int) value);
        } else {
            out.writeByte(EIGHT_BYTES).writeLongLE(value);
        }
    }

    /** Reads bytes whose length precedes them, as a slice. */
    public static ByteBuf readBytes(ByteBuf in) throws MysqlProtocolException {
        long length = readInteger(in);
        require(in, length);
        return in.readSlice((int) length);
    }

    /** Reads a text whose length precedes it. */
    public static String readText(ByteBuf in) throws MysqlProtocolException {
        return readBytes(in).toString(StandardCharsets.UTF_8);
    }

    /** Reads a value of a text row: null, or a text whose length precedes it. */
    public static @Nullable String readNullableText(ByteBuf in) throws MysqlProtocolException {
        require(in, 1);
        if (in.getUnsignedByte(in.readerIndex()) == NULL) {
            in.skipBytes(1);
            return null;
        }
        return readText(in);
    }

    public static void writeBytes(ByteBuf out, byte[] bytes) {
        writeInteger(out, bytes.length);
        out.writeBytes(bytes);
    }

    public static void writeText(ByteBuf out, String text) {
        writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void writeNullableText(ByteBuf out, @Nullable String text) {
        if (text == null) {
            out.writeByte(NULL);
        } else {
            writeText(out, text);
        }
    }

    /** Reads bytes up to a zero byte, which is read too. */
    public static byte[] readTerminated(ByteBuf in) throws MysqlProtocolException {
        int length = in.bytesBefore((byte) 0);
        if (length < 0) {
            throw new MysqlProtocolException("string without end");
        }
        byte[] bytes = new byte[length];
        in.readBytes(bytes).skipBytes(1);
        return bytes;
    }

    public static String readTerminatedText(ByteBuf in) throws MysqlProtocolException {
        return new String(readTerminated(in), StandardCharsets.UTF_8);
    }

    public static void writeTerminated(ByteBuf out, byte[] bytes) {
        out.writeBytes(bytes).writeByte(0);
    }

    public static void writeTerminatedText(ByteBuf out, String text) {
        writeTerminated(out, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads the rest of the message. */
    public static byte[] readRest(ByteBuf in) {
        byte[] bytes = new byte[in.readableBytes()];
        in.readBytes(bytes);
        return bytes;
    }
}
