package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A database of the Master whose log is decoded.
 *
 * @param user a superuser
 */
record MasterDatabase(NodeAddress master, String user, String database) {
    private static final String OID = "SELECT oid FROM pg_database WHERE datname = current_database()";

    /**
     * Names mean the same whatever the role's settings are, and event triggers of the user's do not run. Nobody reads what is
     * committed here, so its commit waits for no relay. A lock that is not free is tried for again later.
     */
    private static final String SESSION = "SET search_path = pg_catalog; SET session_replication_role = replica;"
            + " SET synchronous_commit = local; SET lock_timeout = '2s'; SET client_min_messages = error";

    /** Returns the OID of the database of a connection. */
    static long oid(Connection connection) throws SQLException {
        return number(connection, OID);
    }

    /** Returns the one number that a query gives. */
    static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Connects for administration. */
    Connection connect() throws SQLException {
        Connection connection = AdminConnection.open(master, user, database);
        try (Statement statement = connection.createStatement()) {
            statement.execute(SESSION);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }
}
