package io.multimed.engine.postgresql.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The messages of PostgreSQL's protocol that a replication conversation is made of (manual: Streaming Replication
 * Protocol, Message Formats). Stateless.
 */
public final class Messages {
    /** Type byte and length. */
    public static final int HEADER = 5;
    /** Bytes in front of the log: CopyData header, kind, start, end, time. */
    public static final int WAL_HEADER = HEADER + 1 + 8 + 8 + 8;

    public static final int KEEPALIVE = HEADER + 1 + 8 + 8 + 1;
    public static final int STATUS_UPDATE = HEADER + 1 + 8 + 8 + 8 + 8 + 1;
    public static final int FEEDBACK = HEADER + 1 + 8 + 4 + 4 + 4 + 4;

    public static final int PROTOCOL_3_0 = 3 << 16;
    public static final int SSL_REQUEST = 80877103;
    public static final int GSS_REQUEST = 80877104;

    private static final long EPOCH_2000_MILLIS = 946_684_800_000L;
    private static final int TEXT_OID = 25;

    private Messages() {}

    /**
     * Returns the microseconds since 2000, as PostgreSQL counts. It is for readers of pg_stat_replication, never for a
     * decision.
     */
    public static long timestamp() {
        return (System.currentTimeMillis() - EPOCH_2000_MILLIS) * 1000;
    }

    /** @param parameters such as user, database and replication, in this order */
    public static byte[] startup(Map<String, String> parameters) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        parameters.forEach(
                (name, value) -> text.writeBytes((name + "\0" + value + "\0").getBytes(StandardCharsets.UTF_8)));
        int length = 4 + 4 + text.size() + 1;
        ByteBuffer message = ByteBuffer.allocate(length);
        return message.putInt(length)
                .putInt(PROTOCOL_3_0)
                .put(text.toByteArray())
                .array();
    }

    public static byte[] query(String command) {
        return message('Q', (command + "\0").getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] message(char type, byte[] body) {
        ByteBuffer message = ByteBuffer.allocate(HEADER + body.length);
        message.put((byte) type).putInt(4 + body.length).put(body);
        return message.array();
    }

    public static byte[] authenticationOk() {
        return message('R', new byte[4]);
    }

    public static byte[] parameterStatus(String name, String value) {
        return message('S', (name + "\0" + value + "\0").getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] readyForQuery() {
        return message('Z', new byte[] {'I'});
    }

    public static byte[] commandComplete(String tag) {
        return message('C', (tag + "\0").getBytes(StandardCharsets.UTF_8));
    }

    /** Binary-free copy in both directions, no columns. */
    public static byte[] copyBothResponse() {
        return message('W', new byte[3]);
    }

    public static byte[] copyDone() {
        return message('c', new byte[0]);
    }

    public static byte[] error(String severity, String sqlState, String text) {
        return message(
                'E',
                ("S" + severity + "\0V" + severity + "\0C" + sqlState + "\0M" + text + "\0\0")
                        .getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the message that the requested options and minor version are not supported. */
    public static byte[] negotiateProtocolVersion() {
        return message('v', ByteBuffer.allocate(8).putInt(0).putInt(0).array());
    }

    /** One row of text columns; columns that have no value are NULL. */
    public static byte[] row(String[] names, byte[]... values) {
        ByteArrayOutputStream description = new ByteArrayOutputStream();
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        description.writeBytes(shortBytes(names.length));
        data.writeBytes(shortBytes(names.length));
        for (int i = 0; i < names.length; i++) {
            description.writeBytes((names[i] + "\0").getBytes(StandardCharsets.UTF_8));
            // No table, no column; type text of variable length, no modifier, text format.
            ByteBuffer type = ByteBuffer.allocate(18);
            type.putInt(0)
                    .putShort((short) 0)
                    .putInt(TEXT_OID)
                    .putShort((short) -1)
                    .putInt(-1)
                    .putShort((short) 0);
            description.writeBytes(type.array());
            if (i < values.length) {
                data.writeBytes(ByteBuffer.allocate(4).putInt(values[i].length).array());
                data.writeBytes(values[i]);
            } else {
                data.writeBytes(ByteBuffer.allocate(4).putInt(-1).array());
            }
        }
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(message('T', description.toByteArray()));
        both.writeBytes(message('D', data.toByteArray()));
        return both.toByteArray();
    }

    private static byte[] shortBytes(int value) {
        return new byte[] {(byte) (value >> 8), (byte) value};
    }

    public static void putWalHeader(ByteBuffer out, long start, long end, int payload) {
        out.put((byte) 'd').putInt(4 + 25 + payload).put((byte) 'w');
        out.putLong(start).putLong(end).putLong(timestamp());
    }

    public static void putKeepalive(ByteBuffer out, long end, boolean replyRequested) {
        out.put((byte) 'd').putInt(KEEPALIVE - 1).put((byte) 'k');
        out.putLong(end).putLong(timestamp()).put((byte) (replyRequested ? 1 : 0));
    }

    /** Writes the message that everything up to {@code position} is written, flushed and applied. */
    public static void putStatusUpdate(ByteBuffer out, long position) {
        putStatusUpdate(out, position, position, false);
    }

    /** @param replyRequested whether the Master shall report at once how far it is */
    public static void putStatusUpdate(ByteBuffer out, long written, long flushed, boolean replyRequested) {
        out.put((byte) 'd').putInt(STATUS_UPDATE - 1).put((byte) 'r');
        out.putLong(written).putLong(flushed).putLong(flushed).putLong(timestamp());
        out.put((byte) (replyRequested ? 1 : 0));
    }

    public static void putFeedback(ByteBuffer out, long xmin, long catalogXmin) {
        out.put((byte) 'd').putInt(FEEDBACK - 1).put((byte) 'h').putLong(timestamp());
        putXid(out, xmin);
        putXid(out, catalogXmin);
    }

    /** Writes the 32-bit number first, then its epoch. */
    private static void putXid(ByteBuffer out, long xid) {
        out.putInt((int) xid).putInt((int) (xid >>> 32));
    }

    /** Reads a string that ends in NUL. */
    public static String string(ByteBuffer in) {
        int start = in.position();
        int end = start;
        while (in.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - start];
        in.get(bytes).get();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the SQLSTATE and message of an ErrorResponse or NoticeResponse. */
    public static ServerError serverError(ByteBuffer body) {
        String state = "";
        String text = "";
        while (body.hasRemaining()) {
            byte field = body.get();
            if (field == 0) {
                break;
            }
            String value = string(body);
            if (field == 'C') {
                state = value;
            } else if (field == 'M') {
                text = value;
            }
        }
        return new ServerError(state, text);
    }

    public record ServerError(String sqlState, String text) {}

    public static byte[] parameterStatuses(Map<String, String> parameters) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parameters.forEach((name, value) -> all.writeBytes(parameterStatus(name, value)));
        return all.toByteArray();
    }
}
