package io.multimed.bench.tpcw.check;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * A database before clients change it.
 *
 * @param lastOrder greatest id of an order
 * @param stock of each item, by its id
 */
public record TpcwBefore(
        long orders, long cards, long customers, long addresses, long lastOrder, Map<Integer, Integer> stock) {
    public TpcwBefore {
        stock = Map.copyOf(stock);
    }

    public static TpcwBefore read(Connection connection) throws SQLException {
        Map<Integer, Integer> stock = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT i_id, i_stock FROM item")) {
            while (rows.next()) {
                stock.put(rows.getInt(1), rows.getInt(2));
            }
        }
        return new TpcwBefore(
                number(connection, "SELECT COUNT(*) FROM orders"),
                number(connection, "SELECT COUNT(*) FROM cc_xacts"),
                number(connection, "SELECT COUNT(*) FROM customer"),
                number(connection, "SELECT COUNT(*) FROM address"),
                number(connection, "SELECT COALESCE(MAX(o_id), 0) FROM orders"),
                stock);
    }

    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
