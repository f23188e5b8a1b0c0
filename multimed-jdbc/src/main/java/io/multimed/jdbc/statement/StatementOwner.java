package io.multimed.jdbc.statement;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The application's connection, as its statements see it. */
public interface StatementOwner extends Connection {
    /**
     * Checks that the connection is open.
     *
     * @throws SQLException the engine's error for a closed connection
     */
    void checkOpen() throws SQLException;

    /** Notes a new statement of this connection. */
    void made(Statement statement);

    /** Notes that the application has closed a statement. */
    void ended(Statement statement);

    /** Notes that a call has failed. */
    void failed(SQLException error);

    /**
     * Checks that the application may end the open transaction.
     *
     * @throws SQLException if it may not
     */
    void checkMayEndTransaction() throws SQLException;
}
