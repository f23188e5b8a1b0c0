package io.multimed.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.jdbc.JdbcResultSet;
import org.hsqldb.jdbc.JDBCResultSet;

/** Access to the replicas inside this process through the engine's own connections, to simulate faults. */
final class ReplicaFaults {
    private ReplicaFaults() {}

    /** Changes the replica of H2 or HSQLDB on which the connection reads, without the driver's knowledge. */
    static void change(Connection connection, String engine, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM T")) {
            if (engine.equals("h2")) {
                changeH2(
                        (JdbcConnection)
                                rows.unwrap(JdbcResultSet.class).getStatement().getConnection(),
                        sql);
            } else {
                changeHsqldb(rows.unwrap(JDBCResultSet.class).getStatement().getConnection(), sql);
            }
        }
    }

    private static void changeH2(JdbcConnection replica, String sql) throws SQLException {
        Database database = ((SessionLocal) replica.getSession()).getDatabase();
        database.setReadOnly(false);
        try (Statement statement = replica.createStatement()) {
            statement.execute(sql);
        } finally {
            database.setReadOnly(true);
        }
    }

    private static void changeHsqldb(Connection replica, String sql) throws SQLException {
        try (Connection direct =
                        DriverManager.getConnection(replica.getMetaData().getURL(), "SA", "");
                Statement statement = direct.createStatement()) {
            statement.execute(sql);
        }
    }
}
