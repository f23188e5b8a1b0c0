package io.multimed.engine.postgresql.writeset;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes messages of pgoutput byte by byte. */
final class LogicalBytes {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    static LogicalBytes of(char type) {
        return new LogicalBytes().int8(type);
    }

    /** A table of the columns id, which is the key, and text. */
    static ByteBuffer relation(LogicalBytes begin, int id) {
        return begin.int32(id)
                .string("public")
                .string("t")
                .int8('d')
                .int16(2)
                .int8(1)
                .string("id")
                .int32(23)
                .int32(-1)
                .int8(0)
                .string("text")
                .int32(25)
                .int32(-1)
                .done();
    }

    LogicalBytes int8(int value) {
        bytes.write(value);
        return this;
    }

    LogicalBytes int16(int value) {
        bytes.writeBytes(ByteBuffer.allocate(2).putShort((short) value).array());
        return this;
    }

    LogicalBytes int32(int value) {
        bytes.writeBytes(ByteBuffer.allocate(4).putInt(value).array());
        return this;
    }

    LogicalBytes int64(long value) {
        bytes.writeBytes(ByteBuffer.allocate(8).putLong(value).array());
        return this;
    }

    LogicalBytes string(String value) {
        bytes.writeBytes(value.getBytes(StandardCharsets.UTF_8));
        return int8(0);
    }

    /** A row of texts; null is NULL, and {@code "unchanged"} a value that is not sent. */
    LogicalBytes row(char kind, String... values) {
        int8(kind).int16(values.length);
        for (String value : values) {
            if (value == null) {
                int8('n');
            } else if (value.equals("unchanged")) {
                int8('u');
            } else {
                byte[] text = value.getBytes(StandardCharsets.UTF_8);
                int8('t').int32(text.length);
                bytes.writeBytes(text);
            }
        }
        return this;
    }

    ByteBuffer done() {
        return ByteBuffer.wrap(bytes.toByteArray());
    }
}
