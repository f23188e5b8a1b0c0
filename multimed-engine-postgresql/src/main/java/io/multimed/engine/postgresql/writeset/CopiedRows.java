package io.multimed.engine.postgresql.writeset;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Writes many new rows by COPY, within a transaction of its caller. The bytes that the Master's output functions wrote go to the
 * Satellite's input functions as they are, and the engine takes in rows while further ones are being sent. One thread.
 */
final class CopiedRows {
    /** Bytes of one message, which the driver sends by itself. */
    private static final int MESSAGE_BYTES = 64 * 1024;

    private static final byte[] NULL = {'\\', 'N'};

    private final CopyIn copy;
    private byte[] message = new byte[MESSAGE_BYTES];
    private int length;

    private CopiedRows(CopyIn copy) {
        this.copy = copy;
    }

    /**
     * Writes rows into a table.
     *
     * @param command as {@link TargetTable#copy} makes it
     * @return the number of rows that the engine has taken
     * @throws SQLException if the engine refuses a row; the transaction has failed then
     */
    static long write(Connection engine, TargetTable.Command command, List<Row[]> rows) throws SQLException {
        CopyIn copy = engine.unwrap(PGConnection.class).getCopyAPI().copyIn(command.sql());
        try {
            CopiedRows written = new CopiedRows(copy);
            for (Row[] row : rows) {
                written.row(row[row.length - 1], command.columns());
            }
            written.flush();
            return copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    private void row(Row row, int[] columns) throws SQLException {
        for (int i = 0; i < columns.length; i++) {
            byte[] text = row.bytes(columns[i]);
            require(2L * (text == null ? NULL.length : text.length) + 1);
            if (i > 0) {
                message[length++] = '\t';
            }
            if (text == null) {
                System.arraycopy(NULL, 0, message, length, NULL.length);
                length += NULL.length;
            } else {
                put(text);
            }
        }
        require(1);
        message[length++] = '\n';
        if (length >= MESSAGE_BYTES) {
            flush();
        }
    }

    private void put(byte[] text) {
        for (byte b : text) {
            byte escaped = switch (b) {
                case '\\' -> '\\';
                case '\n' -> 'n';
                case '\r' -> 'r';
                case '\t' -> 't';
                default -> 0;
            };
            if (escaped == 0) {
                message[length++] = b;
            } else {
                message[length++] = '\\';
                message[length++] = escaped;
            }
        }
    }

    /** Makes room, by sending that which fills the message: one may end within a row. */
    private void require(long bytes) throws SQLException {
        if (length + bytes <= message.length) {
            return;
        }
        flush();
        if (bytes > message.length) {
            message = new byte[Math.toIntExact(bytes)];
        }
    }

    private void flush() throws SQLException {
        copy.writeToCopy(message, 0, length);
        length = 0;
    }
}
