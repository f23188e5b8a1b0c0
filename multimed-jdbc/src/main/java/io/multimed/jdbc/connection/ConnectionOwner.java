package io.multimed.jdbc.connection;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The pooled connection that handed out a connection and outlives it. */
public interface ConnectionOwner {
    /** Called when the application has closed the connection. */
    void released(LogicalConnection handle) throws SQLException;

    /** Called when a call on the connection has failed. */
    void failed(LogicalConnection handle, SQLException error);

    /** Called when the application has closed a prepared statement of the connection. */
    void closed(PreparedStatement statement);

    /**
     * Checks that the application may end the open transaction.
     *
     * @throws SQLException if it may not
     */
    void checkMayEndTransaction() throws SQLException;
}
