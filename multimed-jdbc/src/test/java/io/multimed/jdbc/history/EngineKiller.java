package io.multimed.jdbc.history;

import java.sql.Connection;
import java.sql.SQLException;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.hsqldb.Database;
import org.hsqldb.jdbc.JDBCConnection;

/** Ends an engine from inside, without notice to its users. */
final class EngineKiller {
    private EngineKiller() {}

    /** Returns the engine's own connection to the Master. */
    static Connection physical(Connection connection) throws SQLException {
        return connection.isWrapperFor(JdbcConnection.class)
                ? connection.unwrap(JdbcConnection.class)
                : connection.unwrap(JDBCConnection.class);
    }

    static void kill(Connection node) throws SQLException {
        if (node instanceof JdbcConnection h2) {
            ((SessionLocal) h2.getSession()).getDatabase().shutdownImmediately();
        } else if (node instanceof JDBCConnection hsqldb) {
            Database database = ((org.hsqldb.Session) hsqldb.getSession()).getDatabase();
            database.close(Database.CLOSEMODE_IMMEDIATELY);
        }
    }
}
