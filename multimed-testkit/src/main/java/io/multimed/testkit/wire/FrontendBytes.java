package io.multimed.testkit.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages of a client as bytes, named as in the PostgreSQL manual, "Message Formats". */
public final class FrontendBytes {
    public static final int PROTOCOL_3_0 = 3 << 16;
    public static final int PROTOCOL_3_2 = 3 << 16 | 2;
    public static final int SSL_REQUEST = 80877103;
    public static final int GSSENC_REQUEST = 80877104;
    public static final int CANCEL_REQUEST = 80877102;

    private FrontendBytes() {}

    public static byte[] startup(int protocol, Map<String, String> parameters) {
        Bytes body = new Bytes().int32(protocol);
        parameters.forEach((name, value) -> body.string(name).string(value));
        return framed(body.int8(0).toArray());
    }

    /** Returns a first message: no type byte, only a length and a code. */
    public static byte[] request(int code) {
        return framed(new Bytes().int32(code).toArray());
    }

    public static byte[] cancel(int pid, byte[] secret) {
        return framed(new Bytes().int32(CANCEL_REQUEST).int32(pid).bytes(secret).toArray());
    }

    public static byte[] query(String sql) {
        return message('Q', new Bytes().string(sql).toArray());
    }

    public static byte[] parse(String name, String sql, int... types) {
        Bytes body = new Bytes().string(name).string(sql).int16(types.length);
        for (int type : types) {
            body.int32(type);
        }
        return message('P', body.toArray());
    }

    /** Binds text values; {@code null} is NULL; results as text. */
    public static byte[] bind(String portal, String statement, @Nullable String... values) {
        byte[] @Nullable [] bytes = new byte[values.length][];
        for (int i = 0; i < values.length; i++) {
            String value = values[i];
            bytes[i] = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        }
        return bind(portal, statement, List.of(), bytes, List.of());
    }

    public static byte[] bind(
            String portal,
            String statement,
            List<Integer> formats,
            byte[] @Nullable [] values,
            List<Integer> resultFormats) {
        Bytes body = new Bytes().string(portal).string(statement).int16(formats.size());
        formats.forEach(body::int16);
        body.int16(values.length);
        for (byte[] value : values) {
            if (value == null) {
                body.int32(-1);
            } else {
                body.int32(value.length).bytes(value);
            }
        }
        body.int16(resultFormats.size());
        resultFormats.forEach(body::int16);
        return message('B', body.toArray());
    }

    /** @param kind {@code 'S'} for a statement, {@code 'P'} for a portal */
    public static byte[] describe(char kind, String name) {
        return message('D', new Bytes().int8(kind).string(name).toArray());
    }

    /** @param kind {@code 'S'} for a statement, {@code 'P'} for a portal */
    public static byte[] close(char kind, String name) {
        return message('C', new Bytes().int8(kind).string(name).toArray());
    }

    /**
     * @param rows largest number of rows; 0: all
     */
    public static byte[] execute(String portal, int rows) {
        return message('E', new Bytes().string(portal).int32(rows).toArray());
    }

    public static byte[] sync() {
        return message('S', new byte[0]);
    }

    public static byte[] flush() {
        return message('H', new byte[0]);
    }

    public static byte[] terminate() {
        return message('X', new byte[0]);
    }

    public static byte[] copyData(byte[] data) {
        return message('d', data);
    }

    public static byte[] copyDone() {
        return message('c', new byte[0]);
    }

    public static byte[] copyFail(String why) {
        return message('f', new Bytes().string(why).toArray());
    }

    public static byte[] password(String password) {
        return message('p', new Bytes().string(password).toArray());
    }

    /** Calls a function by its OID with text arguments; the answer as text. */
    public static byte[] functionCall(int function, @Nullable String... arguments) {
        Bytes body = new Bytes().int32(function).int16(0).int16(arguments.length);
        for (String argument : arguments) {
            if (argument == null) {
                body.int32(-1);
            } else {
                byte[] value = argument.getBytes(StandardCharsets.UTF_8);
                body.int32(value.length).bytes(value);
            }
        }
        return message('F', body.int16(0).toArray());
    }

    /** Returns a message of any type with any body and its real length. */
    public static byte[] message(char type, byte[] body) {
        byte[] framed = framed(body);
        return new Bytes().int8(type).bytes(framed).toArray();
    }

    /** Returns a header with any length. */
    public static byte[] header(char type, int length) {
        return new Bytes().int8(type).int32(length).toArray();
    }

    private static byte[] framed(byte[] body) {
        return new Bytes().int32(body.length + 4).bytes(body).toArray();
    }

    /** Bytes of a message, written in the manual's terms. */
    public static final class Bytes {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        public Bytes int8(int value) {
            out.write(value);
            return this;
        }

        public Bytes int16(int value) {
            out.write(value >> 8);
            out.write(value);
            return this;
        }

        public Bytes int32(int value) {
            out.writeBytes(ByteBuffer.allocate(4).putInt(value).array());
            return this;
        }

        public Bytes string(String value) {
            out.writeBytes(value.getBytes(StandardCharsets.UTF_8));
            out.write(0);
            return this;
        }

        public Bytes bytes(byte[] value) {
            out.writeBytes(value);
            return this;
        }

        public byte[] toArray() {
            return out.toByteArray();
        }
    }
}
