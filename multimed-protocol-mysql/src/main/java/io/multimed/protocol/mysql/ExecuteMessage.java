package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A client's COM_STMT_EXECUTE. The values are not looked into.
 *
 * @param statement its number, or {@link #LAST_PREPARED}
 * @param flags the kind of cursor
 * @param nulls a bit for each parameter that is null
 * @param types of the parameters, two bytes each; null if those of the execution before apply
 * @param values of the parameters that are neither null nor sent before as long data, and anything behind them
 */
public record ExecuteMessage(
        int statement, int flags, int iterations, byte[] nulls, byte @Nullable [] types, byte[] values) {
    /** MariaDB's number of the statement that was prepared last, whatever its number is. */
    public static final int LAST_PREPARED = -1;

    public static final int CURSOR_READ_ONLY = 1;

    private static final int TYPE_BYTES = 2;

    /** Decodes the payload. */
    public static ExecuteMessage decode(ByteBuf in, int parameters) throws MysqlProtocolException {
        Fields.require(in, 10);
        if (in.readUnsignedByte() != MysqlCommand.STMT_EXECUTE) {
            throw new MysqlProtocolException("not the execution of a statement");
        }
        int statement = in.readIntLE();
        int flags = in.readUnsignedByte();
        int iterations = in.readIntLE();
        if (parameters == 0) {
            return new ExecuteMessage(statement, flags, iterations, new byte[0], null, Fields.readRest(in));
        }
        byte[] nulls = new byte[(parameters + 7) / 8];
        Fields.require(in, nulls.length + 1L);
        in.readBytes(nulls);
        byte[] types = null;
        if (in.readUnsignedByte() != 0) {
            types = new byte[parameters * TYPE_BYTES];
            Fields.require(in, types.length);
            in.readBytes(types);
        }
        return new ExecuteMessage(statement, flags, iterations, nulls, types, Fields.readRest(in));
    }

    /** Returns an execution that lacks the value of each parameter: none is null. Servers refuse it. */
    public static ExecuteMessage withoutValues(int statement, int parameters) {
        return new ExecuteMessage(statement, 0, 1, new byte[(parameters + 7) / 8], null, new byte[0]);
    }

    /** Appends the payload. */
    public void encode(ByteBuf out) {
        out.writeByte(MysqlCommand.STMT_EXECUTE)
                .writeIntLE(statement)
                .writeByte(flags)
                .writeIntLE(iterations);
        if (nulls.length > 0) {
            out.writeBytes(nulls).writeByte(types == null ? 0 : 1);
            if (types != null) {
                out.writeBytes(types);
            }
        }
        out.writeBytes(values);
    }

    /** Returns the same execution of the statement under another number. */
    public ExecuteMessage of(int otherStatement) {
        return new ExecuteMessage(otherStatement, flags, iterations, nulls, types, values);
    }

    /** Returns the same execution with the parameters' types. */
    public ExecuteMessage with(byte @Nullable [] otherTypes) {
        return new ExecuteMessage(statement, flags, iterations, nulls, otherTypes, values);
    }

    /** Returns the same execution with all rows in the reply. */
    public ExecuteMessage withoutCursor() {
        return new ExecuteMessage(statement, 0, iterations, nulls, types, values);
    }

    /** Whether the reply is to leave the rows to a cursor. */
    public boolean opensCursor() {
        return (flags & CURSOR_READ_ONLY) != 0;
    }
}
