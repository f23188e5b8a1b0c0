package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.ServerStatus;
import io.netty.buffer.ByteBuf;

/**
 * The differences between the Master's reply to a command about a prepared statement and the one that the client is to see.
 *
 * @param sent the statement's number in the command, as the Master knows it
 * @param shown its number as the client knows it
 * @param hasOtherColumns whether the client is to be told that the statement has been prepared anew, with another number of columns
 */
record PreparedReply(int sent, int shown, boolean hasOtherColumns) {
    static final PreparedReply NONE = new PreparedReply(0, 0, false);

    /** The number for a statement that the Master certainly does not know. It counts from 1, and nobody prepares so many. */
    static final int UNKNOWN = 0x6fff_ffff;

    /** Position of the flags in an EOF. */
    private static final int FLAGS = 3;

    static PreparedReply of(MysqlPreparedStatement statement) {
        return new PreparedReply(
                statement.onMaster().number(),
                statement.number(),
                statement.onMaster().takeOtherColumns());
    }

    /** Whether an error may name the Master's number. */
    boolean isRenumbered() {
        return sent != shown;
    }

    ErrMessage error(ErrMessage error) {
        return new ErrMessage(
                error.code(),
                error.sqlState(),
                error.message()
                        .replace(
                                "(" + Integer.toUnsignedString(sent) + ")",
                                "(" + Integer.toUnsignedString(shown) + ")"));
    }

    /** Returns the flags of an OK as the client is to see them. */
    int status(int status) {
        return hasOtherColumns ? status | ServerStatus.METADATA_CHANGED : status;
    }

    /** Changes an EOF whose payload begins at {@code start}. */
    void changeEof(ByteBuf in, int start) {
        if (hasOtherColumns) {
            in.setShortLE(start + FLAGS, status(in.getUnsignedShortLE(start + FLAGS)));
        }
    }
}
