package io.multimed.bench.tpcc.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.client.WrongAnswerException;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcc.population.TpccScale;
import java.sql.SQLException;
import java.util.random.RandomGenerator;

/** Order-Status and Stock-Level, which change nothing. */
record Looking(PreparedSql sql, TpccScale scale, RandomGenerator random, Customers customers) {
    private static final int ORDERS_BACK = 20;

    private static final String CUSTOMER = """
            SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?""";
    private static final String NEWEST = """
            SELECT o_id, o_entry_d, o_carrier_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ?
             ORDER BY o_id DESC LIMIT 1""";
    private static final String LINES = """
            SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line
             WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?""";
    private static final String NEXT = "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?";
    private static final String LOW = """
            SELECT COUNT(DISTINCT s_i_id) FROM order_line, stock
             WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id >= ? AND ol_o_id < ?
               AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?""";

    Done orderStatus() throws SQLException {
        int warehouse = customers.warehouse();
        int district = customers.district();
        int customer = customers.find(warehouse, district);
        sql.only(row -> row.getBigDecimal(1), CUSTOMER, warehouse, district, customer);
        // Every customer of the population has made an order.
        int order = sql.number(NEWEST, warehouse, district, customer);
        if (sql.numbers(LINES, warehouse, district, order).isEmpty()) {
            throw new WrongAnswerException("order " + warehouse + "/" + district + "/" + order + " has no lines");
        }
        return Done.NOTHING;
    }

    Done stockLevel() throws SQLException {
        int warehouse = Text.number(random, 1, scale.warehouses());
        int district = customers.district();
        int threshold = Text.number(random, 10, 20);
        int next = sql.number(NEXT, warehouse, district);
        sql.number(LOW, warehouse, district, next - ORDERS_BACK, next, warehouse, threshold);
        return Done.NOTHING;
    }
}
