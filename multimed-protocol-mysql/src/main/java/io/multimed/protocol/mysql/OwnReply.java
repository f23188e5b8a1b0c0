package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * Replies that Multimed makes by itself, packet by packet: each method appends the packets that follow on a command.
 *
 * <p>Values of rows are whole numbers, or texts.
 */
public final class OwnReply {
    private static final int SHOWN_STATUS = ServerStatus.IN_TRANSACTION
            | ServerStatus.AUTOCOMMIT
            | ServerStatus.NO_BACKSLASH_ESCAPES
            | ServerStatus.IN_READ_ONLY_TRANSACTION
            | ServerStatus.ANSI_QUOTES;
    /** Unused bits before those of the columns in a binary row. */
    private static final int NULL_BITS_BEFORE = 2;

    private final ByteBuf out;
    private final long capabilities;
    private final int status;
    private int sequence = 1;

    /**
     * @param capabilities of the client
     * @param status of the session's server; flags of single replies are left out
     */
    public OwnReply(ByteBuf out, long capabilities, int status) {
        this.out = out;
        this.capabilities = capabilities;
        this.status = status & SHOWN_STATUS;
    }

    /** Success without rows. */
    public void ok() {
        int begun = begin();
        new OkMessage(Reply.OK, 0, 0, status, 0, new byte[0], List.of()).encode(out, capabilities);
        Packets.end(out, begun);
    }

    public void error(ErrMessage error) {
        int begun = begin();
        error.encode(out);
        Packets.end(out, begun);
    }

    /**
     * A result set.
     *
     * @param binary whether it is the reply to an execution of a prepared statement
     */
    public void rows(List<String> columns, List<List<Object>> rows, boolean binary) {
        List<ColumnDefinition> definitions = definitions(columns, rows);
        int count = begin();
        Fields.writeInteger(out, definitions.size());
        Packets.end(out, count);
        define(definitions);
        for (List<Object> row : rows) {
            int begun = begin();
            if (binary) {
                binaryRow(definitions, row);
            } else {
                TextRow.encode(out, row.stream().map(String::valueOf).toList());
            }
            Packets.end(out, begun);
        }
        endOfRows();
    }

    /** The preparation of a statement without parameters that has such rows; no columns if it has none. */
    public void prepared(int statement, List<String> columns, List<List<Object>> rows) {
        int begun = begin();
        new PrepareOk(statement, columns.size(), 0).encode(out);
        Packets.end(out, begun);
        if (!columns.isEmpty()) {
            define(definitions(columns, rows));
        }
    }

    private int begin() {
        return Packets.begin(out, sequence++ & 0xff);
    }

    private static List<ColumnDefinition> definitions(List<String> columns, List<List<Object>> rows) {
        List<ColumnDefinition> definitions = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            boolean isNumber = !rows.isEmpty() && rows.stream().allMatch(row -> isWhole(row.get(column)));
            definitions.add(isNumber ? ColumnDefinition.number(columns.get(i)) : ColumnDefinition.text(columns.get(i)));
        }
        return definitions;
    }

    private static boolean isWhole(Object value) {
        return value instanceof Long || value instanceof Integer;
    }

    private void define(List<ColumnDefinition> definitions) {
        for (ColumnDefinition definition : definitions) {
            int begun = begin();
            definition.encode(out, capabilities);
            Packets.end(out, begun);
        }
        if (!Capability.has(capabilities, Capability.DEPRECATE_EOF)) {
            eof();
        }
    }

    private void endOfRows() {
        if (Capability.has(capabilities, Capability.DEPRECATE_EOF)) {
            int begun = begin();
            new OkMessage(Reply.EOF, 0, 0, status, 0, new byte[0], List.of()).encode(out, capabilities);
            Packets.end(out, begun);
        } else {
            eof();
        }
    }

    private void eof() {
        int begun = begin();
        out.writeByte(Reply.EOF).writeShortLE(0).writeShortLE(status);
        Packets.end(out, begun);
    }

    private void binaryRow(List<ColumnDefinition> definitions, List<Object> row) {
        out.writeByte(0).writeZero((row.size() + NULL_BITS_BEFORE + Byte.SIZE - 1) / Byte.SIZE);
        for (int i = 0; i < row.size(); i++) {
            if (definitions.get(i).type() == ColumnDefinition.NUMBER) {
                out.writeLongLE(((Number) row.get(i)).longValue());
            } else {
                Fields.writeText(out, String.valueOf(row.get(i)));
            }
        }
    }
}
