package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.ServerStatus;
import io.netty.buffer.ByteBuf;
import java.util.Set;

/**
 * The differences between the Master's reply to a command about a prepared statement and the one that the client is to see.
 *
 * @param sent the statement's number in the command, as the Master knows it
 * @param shown its number as the client knows it
 * @param columns how many the client knows its results to have; 0 if that does not matter
 * @param hasOtherColumns whether the client is to be told that the statement has been prepared anew, with another number of columns
 */
record PreparedReply(int sent, int shown, int columns, boolean hasOtherColumns) {
    static final PreparedReply NONE = of(0, 0);

    /** The number for a statement that the Master certainly does not know. It counts from 1, and nobody prepares so many. */
    static final int UNKNOWN = 0x6fff_ffff;

    /** The errors that name a statement: it does not exist, or has no cursor. */
    private static final Set<Integer> NAMES_STATEMENT = Set.of(1243, 1421);

    /** Position of the flags in an EOF. */
    private static final int FLAGS = 3;

    static PreparedReply of(int sent, int shown) {
        return new PreparedReply(sent, shown, 0, false);
    }

    static PreparedReply of(MysqlPreparedStatement statement) {
        return new PreparedReply(
                statement.onMaster().number(),
                statement.number(),
                statement.columns(),
                statement.onMaster().takeOtherColumns());
    }

    /** Whether an error may name the Master's number. */
    boolean isRenumbered() {
        return sent != shown;
    }

    ErrMessage error(ErrMessage error) {
        if (!NAMES_STATEMENT.contains(error.code())) {
            return error;
        }
        return new ErrMessage(
                error.code(),
                error.sqlState(),
                error.message()
                        .replace(
                                "(" + Integer.toUnsignedString(sent) + ")",
                                "(" + Integer.toUnsignedString(shown) + ")"));
    }

    /**
     * Returns the flags of an OK as the client is to see them. The Master may have prepared the statement at another time, and so have seen
     * its columns change and change back.
     *
     * @param present number of columns in the reply
     */
    int status(int status, int present) {
        if (columns > 0 && present == columns) {
            return status & ~ServerStatus.METADATA_CHANGED;
        }
        return hasOtherColumns ? status | ServerStatus.METADATA_CHANGED : status;
    }

    /** Changes an EOF whose payload begins at {@code start}. */
    void changeEof(ByteBuf in, int start, int present) {
        int status = in.getUnsignedShortLE(start + FLAGS);
        int changed = status(status, present);
        if (changed != status) {
            in.setShortLE(start + FLAGS, changed);
        }
    }
}
