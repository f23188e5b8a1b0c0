package io.multimed.testkit.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message of a server.
 *
 * @param type the byte before the length
 * @param body the bytes behind the length; not copied
 */
public record Message(char type, byte[] body) {
    /** Returns the types of these messages, one letter each. */
    public static String types(List<Message> messages) {
        StringBuilder types = new StringBuilder();
        messages.forEach(message -> types.append(message.type));
        return types.toString();
    }

    /** Returns the body, to be read from its start. */
    public ByteBuffer reader() {
        return ByteBuffer.wrap(body);
    }

    /** Reads a string up to its NUL. */
    public static String string(ByteBuffer reader) {
        int start = reader.position();
        while (reader.get() != 0) {}
        byte[] bytes = new byte[reader.position() - start - 1];
        reader.get(start, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the fields of an ErrorResponse or NoticeResponse by their one-letter code, in the order sent. */
    public Map<Character, String> fields() {
        if (type != 'E' && type != 'N') {
            throw new IllegalStateException("no error or notice: " + type);
        }
        Map<Character, String> fields = new LinkedHashMap<>();
        ByteBuffer reader = reader();
        while (true) {
            byte code = reader.get();
            if (code == 0) {
                return fields;
            }
            fields.put((char) code, string(reader));
        }
    }

    /** Returns the SQLSTATE of an ErrorResponse or NoticeResponse. */
    public String sqlState() {
        return fields().getOrDefault('C', "");
    }

    /** Returns the values of a DataRow. */
    public List<byte @Nullable []> row() {
        if (type != 'D') {
            throw new IllegalStateException("no DataRow: " + type);
        }
        ByteBuffer reader = reader();
        int columns = Short.toUnsignedInt(reader.getShort());
        List<byte @Nullable []> values = new ArrayList<>(columns);
        for (int i = 0; i < columns; i++) {
            int length = reader.getInt();
            if (length < 0) {
                values.add(null);
            } else {
                byte[] value = new byte[length];
                reader.get(value);
                values.add(value);
            }
        }
        return values;
    }

    /** Returns the values of a DataRow as text. */
    public List<@Nullable String> texts() {
        List<@Nullable String> texts = new ArrayList<>();
        for (byte @Nullable [] value : row()) {
            texts.add(value == null ? null : new String(value, StandardCharsets.UTF_8));
        }
        return texts;
    }

    @Override
    public String toString() {
        return MessageText.line(this);
    }
}
