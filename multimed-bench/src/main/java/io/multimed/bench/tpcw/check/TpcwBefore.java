package io.multimed.bench.tpcw.check;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.client.Query;
import java.sql.Connection;
import java.sql.SQLException;
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
        new PreparedSql()
                .use(connection)
                .rows(row -> stock.put(row.getInt(1), row.getInt(2)), "SELECT i_id, i_stock FROM item");
        return new TpcwBefore(
                Query.number(connection, "SELECT COUNT(*) FROM orders"),
                Query.number(connection, "SELECT COUNT(*) FROM cc_xacts"),
                Query.number(connection, "SELECT COUNT(*) FROM customer"),
                Query.number(connection, "SELECT COUNT(*) FROM address"),
                Query.number(connection, "SELECT COALESCE(MAX(o_id), 0) FROM orders"),
                stock);
    }
}
