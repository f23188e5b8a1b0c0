package io.multimed.bench.tpcc.check;

import io.multimed.bench.client.Query;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Numbers of rows before clients change them.
 *
 * @param newOrders that are not delivered
 */
public record TpccBefore(long orders, long history, long newOrders) {
    public static TpccBefore read(Connection connection) throws SQLException {
        return new TpccBefore(
                Query.number(connection, "SELECT COUNT(*) FROM orders"),
                Query.number(connection, "SELECT COUNT(*) FROM history"),
                Query.number(connection, "SELECT COUNT(*) FROM new_order"));
    }
}
