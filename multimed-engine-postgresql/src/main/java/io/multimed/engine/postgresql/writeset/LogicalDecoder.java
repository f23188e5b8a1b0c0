package io.multimed.engine.postgresql.writeset;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes the messages of pgoutput. It knows whether it is inside a stream, where messages have one field more. It keeps nothing of
 * the bytes, and never allocates more than a small multiple of them. One thread.
 */
final class LogicalDecoder {
    /** The most columns of a table (MaxHeapAttributeNumber is below). */
    private static final int MAX_COLUMNS = 1664;

    private static final int RESTART_IDENTITY = 2;

    private boolean streaming;

    /**
     * Decodes one message.
     *
     * @param in the whole message, and nothing else
     * @throws MalformedWriteSetException if it is not one
     */
    LogicalMessage decode(ByteBuffer in) {
        char type = in.hasRemaining() ? (char) in.get(in.position()) : 0;
        LogicalMessage message;
        try {
            message = message(in);
        } catch (BufferUnderflowException e) {
            throw new MalformedWriteSetException("message '" + type + "' is too short");
        }
        if (in.hasRemaining()) {
            throw new MalformedWriteSetException("message '" + type + "' has " + in.remaining() + " bytes too many");
        }
        return message;
    }

    private LogicalMessage message(ByteBuffer in) {
        char type = (char) in.get();
        return switch (type) {
            case 'B' -> {
                outside(type);
                in.getLong();
                in.getLong();
                yield new LogicalMessage.Begin(in.getInt());
            }
            case 'C' -> {
                outside(type);
                in.get();
                yield new LogicalMessage.Commit(ends(in));
            }
            case 'O' -> {
                in.getLong();
                string(in);
                yield new LogicalMessage.Other();
            }
            case 'R' -> new LogicalMessage.Description(xid(in), relation(in));
            case 'Y' -> {
                xid(in);
                in.getInt();
                string(in);
                string(in);
                yield new LogicalMessage.Other();
            }
            case 'M' -> {
                xid(in);
                in.get();
                in.getLong();
                string(in);
                skip(in, in.getInt());
                yield new LogicalMessage.Other();
            }
            case 'I' -> {
                int xid = xid(in);
                int relation = in.getInt();
                expect(in, 'N');
                Row row = row(in);
                if (row.hasUnchanged()) {
                    throw new MalformedWriteSetException("an inserted row has an unchanged value");
                }
                yield new LogicalMessage.Insert(xid, relation, row);
            }
            case 'U' -> update(in);
            case 'D' -> {
                int xid = xid(in);
                int relation = in.getInt();
                yield new LogicalMessage.Delete(xid, relation, old(in, (char) in.get()));
            }
            case 'T' -> truncate(in);
            case 'S' -> {
                outside(type);
                int xid = in.getInt();
                in.get();
                streaming = true;
                yield new LogicalMessage.StreamStart(xid);
            }
            case 'E' -> {
                if (!streaming) {
                    throw new MalformedWriteSetException("the end of a stream, outside a stream");
                }
                streaming = false;
                yield new LogicalMessage.StreamStop();
            }
            case 'c' -> {
                outside(type);
                int xid = in.getInt();
                in.get();
                yield new LogicalMessage.StreamCommit(xid, ends(in));
            }
            case 'A' -> {
                outside(type);
                yield new LogicalMessage.StreamAbort(in.getInt(), in.getInt());
            }
            default -> throw new MalformedWriteSetException("message of unknown type " + (int) type);
        };
    }

    private void outside(char type) {
        if (streaming) {
            throw new MalformedWriteSetException("message '" + type + "' inside a stream");
        }
    }

    private int xid(ByteBuffer in) {
        return streaming ? in.getInt() : 0;
    }

    /** Reads the positions and the time of a commit; returns its end. */
    private static long ends(ByteBuffer in) {
        in.getLong();
        long end = in.getLong();
        in.getLong();
        if (end <= 0) {
            throw new MalformedWriteSetException("a commit ends at " + end);
        }
        return end;
    }

    private static Relation relation(ByteBuffer in) {
        int id = in.getInt();
        String schema = string(in);
        // An empty schema stands for pg_catalog.
        QualifiedName name = new QualifiedName(schema.isEmpty() ? "pg_catalog" : schema, string(in));
        char identity = (char) in.get();
        int count = columns(in);
        List<Relation.Column> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean key = (in.get() & 1) != 0;
            String column = string(in);
            int type = in.getInt();
            in.getInt();
            columns.add(new Relation.Column(column, key, type));
        }
        return new Relation(id, name, identity, columns);
    }

    private LogicalMessage update(ByteBuffer in) {
        int xid = xid(in);
        int relation = in.getInt();
        char kind = (char) in.get();
        if (kind == 'N') {
            return new LogicalMessage.Update(xid, relation, null, row(in));
        }
        Row old = old(in, kind);
        expect(in, 'N');
        Row row = row(in);
        if (row.size() != old.size()) {
            throw new MalformedWriteSetException("an update of " + old.size() + " columns to " + row.size());
        }
        return new LogicalMessage.Update(xid, relation, old, row);
    }

    private static Row old(ByteBuffer in, char kind) {
        if (kind != 'K' && kind != 'O') {
            throw new MalformedWriteSetException("old values of unknown kind " + (int) kind);
        }
        Row old = row(in);
        if (old.hasUnchanged()) {
            throw new MalformedWriteSetException("an old row has an unchanged value");
        }
        return old;
    }

    private LogicalMessage truncate(ByteBuffer in) {
        int xid = xid(in);
        int count = in.getInt();
        byte options = in.get();
        if (count < 0 || count > in.remaining() / Integer.BYTES) {
            throw new MalformedWriteSetException("a truncation of " + count + " tables");
        }
        List<Integer> relations = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            relations.add(in.getInt());
        }
        return new LogicalMessage.Truncate(xid, relations, (options & RESTART_IDENTITY) != 0);
    }

    private static Row row(ByteBuffer in) {
        int count = columns(in);
        Row.Builder row = new Row.Builder(count);
        for (int i = 0; i < count; i++) {
            char kind = (char) in.get();
            switch (kind) {
                case 'n' -> {}
                case 'u' -> row.unchanged(i);
                case 't' -> {
                    int length = in.getInt();
                    if (length < 0 || length > in.remaining()) {
                        throw new MalformedWriteSetException("a value of " + length + " bytes");
                    }
                    byte[] text = new byte[length];
                    in.get(text);
                    row.text(i, text);
                }
                // Binary values are not requested: those of arrays and composite types contain the Master's OIDs.
                default -> throw new MalformedWriteSetException("a value of unknown kind " + (int) kind);
            }
        }
        return row.build();
    }

    private static int columns(ByteBuffer in) {
        int count = in.getShort();
        // Each takes at least one byte.
        if (count < 0 || count > MAX_COLUMNS || count > in.remaining()) {
            throw new MalformedWriteSetException("a row of " + count + " columns");
        }
        return count;
    }

    private static void expect(ByteBuffer in, char kind) {
        char found = (char) in.get();
        if (found != kind) {
            throw new MalformedWriteSetException("values of kind " + (int) found + " instead of '" + kind + "'");
        }
    }

    private static void skip(ByteBuffer in, int count) {
        if (count < 0 || count > in.remaining()) {
            throw new MalformedWriteSetException("a content of " + count + " bytes");
        }
        in.position(in.position() + count);
    }

    private static String string(ByteBuffer in) {
        int start = in.position();
        while (in.get() != 0) {
            // The end is looked for.
        }
        byte[] bytes = new byte[in.position() - 1 - start];
        in.get(start, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
