package io.multimed.endpoint.pg.session.watch;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.Frontend;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A copy of the first bytes of a unit. They are understood only if somebody asks for the text. Event loop only. */
final class UnitHead {
    private static final int MOST_BYTES = 4096;
    private static final int HEADER = 5;
    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int length;

    /** Copies what lies at the head of the input. */
    void copy(ByteBuf in) {
        length = Math.min(in.readableBytes(), MOST_BYTES);
        if (bytes.length < length) {
            bytes = new byte[Math.min(MOST_BYTES, Math.max(length, 2 * bytes.length))];
        }
        in.getBytes(in.readerIndex(), bytes, 0, length);
    }

    /** Copies more of the same unit, of which only a part had arrived. */
    void copyRest(ByteBuf in) {
        if (length >= HEADER
                && length < Math.min(in.readableBytes(), MOST_BYTES)
                && Arrays.equals(bytes, 0, HEADER, header(in), 0, HEADER)) {
            copy(in);
        }
    }

    private static byte[] header(ByteBuf in) {
        byte[] header = new byte[HEADER];
        in.getBytes(in.readerIndex(), header);
        return header;
    }

    /**
     * Returns the SQL of what the unit executes, without the terminating zeros; of a text that was cut, the part that was copied. Texts
     * that are not known are left out. Together they are no longer than the first bytes can be, however often the client executes a long
     * statement.
     *
     * @param named finds a statement prepared earlier
     */
    List<byte[]> texts(Function<String, @Nullable PreparedStatement> named) {
        List<byte[]> texts = new ArrayList<>();
        Map<String, byte[]> parsed = new HashMap<>();
        byte[] bound = null;
        int room = MOST_BYTES;
        int at = 0;
        while (at + HEADER <= length) {
            byte type = bytes[at];
            int size = ByteBuffer.wrap(bytes).getInt(at + 1) + 1;
            int from = at + HEADER;
            int end = size < HEADER || size > length ? length : Math.min(length, at + size);
            switch (type) {
                case Frontend.QUERY -> {
                    return List.of(text(from, end));
                }
                case Frontend.PARSE -> {
                    int behind = zero(from, end);
                    parsed.put(string(from, behind), text(Math.min(behind + 1, end), end));
                }
                case Frontend.BIND -> {
                    int portal = zero(from, end);
                    String name = string(Math.min(portal + 1, end), zero(Math.min(portal + 1, end), end));
                    bound = parsed.get(name);
                    PreparedStatement earlier = bound == null ? named.apply(name) : null;
                    bound = earlier == null ? bound : earlier.sql();
                }
                case Frontend.EXECUTE -> {
                    if (bound != null && room > 0) {
                        texts.add(cut(bound, room));
                        room -= bound.length;
                    }
                }
                case Frontend.SYNC -> {
                    return texts.isEmpty() ? List.copyOf(parsed.values()) : texts;
                }
                default -> {}
            }
            if (end <= at) {
                break;
            }
            at = end;
        }
        if (texts.isEmpty() && bound != null) {
            texts.add(cut(bound, room));
        }
        return texts.isEmpty() ? List.copyOf(parsed.values()) : texts;
    }

    /** Whether the first bytes contain others. */
    boolean contains(byte[] searched) {
        for (int at = 0; at + searched.length <= length; at++) {
            if (bytes[at] == searched[0]
                    && Arrays.equals(bytes, at, at + searched.length, searched, 0, searched.length)) {
                return true;
            }
        }
        return false;
    }

    private static byte[] cut(byte[] text, int most) {
        return text.length <= most ? text : Arrays.copyOf(text, most);
    }

    private int zero(int from, int end) {
        int at = from;
        while (at < end && bytes[at] != 0) {
            at++;
        }
        return at;
    }

    private byte[] text(int from, int end) {
        return Arrays.copyOfRange(bytes, from, zero(from, end));
    }

    private String string(int from, int end) {
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }
}
