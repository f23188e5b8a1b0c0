package io.multimed.bench.tpcc.check;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Numbers of rows before clients change them.
 *
 * @param newOrders that are not delivered
 */
public record TpccBefore(long orders, long history, long newOrders) {
    public static TpccBefore read(Connection connection) throws SQLException {
        return new TpccBefore(
                count(connection, "orders"), count(connection, "history"), count(connection, "new_order"));
    }

    private static long count(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
