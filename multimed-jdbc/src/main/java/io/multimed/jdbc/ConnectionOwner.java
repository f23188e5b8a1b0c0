package io.multimed.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Behind a connection that was handed out by a pooled one, which outlives it. */
interface ConnectionOwner {
    /** The application has closed the connection. */
    void released(LogicalConnection handle) throws SQLException;

    /** A call on the connection has failed. */
    void failed(LogicalConnection handle, SQLException error);

    /** The application has closed a prepared statement of the connection. */
    void closed(PreparedStatement statement);

    /** @throws SQLException if the open transaction is not the application's to end */
    void checkMayEndTransaction() throws SQLException;
}
