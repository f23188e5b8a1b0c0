package io.multimed.bench.tpcc.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcc.population.NonUniform;
import io.multimed.bench.tpcc.population.TpccScale;
import io.multimed.bench.tpcc.population.TpccSchema;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * New-Order and Delivery. The value with most conflicts, the district's next number, is taken first: a refusal costs little
 * then.
 */
record Ordering(PreparedSql sql, TpccScale scale, RandomGenerator random) {
    private static final int REMOTE_PER_CENT = 1;
    private static final int ROLLED_BACK_PER_CENT = 1;
    private static final int LEAST_STOCK = 10;
    private static final int REPLENISHED = 91;
    private static final int CARRIERS = 10;

    private static final String TAKE_NUMBER =
            "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?";
    private static final String DISTRICT = "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ?";
    private static final String WAREHOUSE = "SELECT w_tax FROM warehouse WHERE w_id = ?";
    private static final String CUSTOMER =
            "SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String ITEM = "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?";
    private static final String CHANGE_STOCK = """
            UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1,
                   s_remote_cnt = s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?""";
    private static final String ENTER = """
            INSERT INTO orders (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)
            VALUES (?, ?, ?, ?, ?, ?, ?)""";
    private static final String ENTER_NEW = "INSERT INTO new_order VALUES (?, ?, ?)";
    private static final String ENTER_LINE = """
            INSERT INTO order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity,
                   ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    /**
     * The query for the oldest order. It is ordered by the whole key: otherwise embedded engines would read and sort all rows.
     */
    private static final String OLDEST = """
            SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ?
             ORDER BY no_w_id, no_d_id, no_o_id LIMIT 1""";

    private static final String TAKE = "DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?";
    private static final String BUYER = "SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?";
    private static final String CARRY =
            "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?";
    private static final String DELIVER_LINES =
            "UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
    private static final String AMOUNT =
            "SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
    private static final String CHARGE = """
            UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1
             WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?""";

    /** @param supplier the warehouse that an item comes from */
    private record Wanted(int item, int supplier, int quantity) {}

    private record Stock(int quantity, String info) {}

    Done newOrder() throws SQLException {
        int warehouse = Text.number(random, 1, scale.warehouses());
        int district = Text.number(random, 1, TpccScale.DISTRICTS);
        int customer = NonUniform.customer(random, scale);
        boolean unknownItem = random.nextInt(100) < ROLLED_BACK_PER_CENT;
        List<Wanted> all = wanted(warehouse);
        sql.change(TAKE_NUMBER, warehouse, district);
        int order = sql.number(DISTRICT, warehouse, district) - 1;
        sql.only(row -> row.getBigDecimal(1), WAREHOUSE, warehouse);
        sql.only(row -> row.getBigDecimal(1), CUSTOMER, warehouse, district, customer);
        boolean local = all.stream().allMatch(one -> one.supplier() == warehouse);
        sql.change(ENTER, warehouse, district, order, customer, now(), all.size(), local ? 1 : 0);
        sql.change(ENTER_NEW, warehouse, district, order);
        for (int line = 1; line <= all.size(); line++) {
            Wanted one = all.get(line - 1);
            // The last item of some orders does not exist: then the order is rolled back (2.4.1.4).
            boolean unknown = unknownItem && line == all.size();
            Optional<BigDecimal> price =
                    sql.row(row -> row.getBigDecimal(1), ITEM, unknown ? scale.items() + 1 : one.item());
            if (price.isEmpty()) {
                sql.rollBack();
                return Done.NOTHING;
            }
            String info = takeFromStock(one, warehouse, district);
            sql.change(
                    ENTER_LINE,
                    warehouse,
                    district,
                    order,
                    line,
                    one.item(),
                    one.supplier(),
                    one.quantity(),
                    price.get().multiply(BigDecimal.valueOf(one.quantity())),
                    info);
        }
        return new Done(1, 0, 0);
    }

    /**
     * Returns an order's items in ascending order, so that two orders with the same items wait for each other in one direction
     * only.
     */
    private List<Wanted> wanted(int warehouse) {
        List<Wanted> all = new ArrayList<>();
        int lines = Text.number(random, 5, 15);
        for (int line = 0; line < lines; line++) {
            boolean remote = random.nextInt(100) < REMOTE_PER_CENT;
            all.add(new Wanted(
                    NonUniform.item(random, scale), remote ? other(warehouse) : warehouse, Text.number(random, 1, 10)));
        }
        all.sort(Comparator.comparingInt(Wanted::supplier).thenComparingInt(Wanted::item));
        return all;
    }

    private int other(int warehouse) {
        if (scale.warehouses() == 1) {
            return warehouse;
        }
        int other = Text.number(random, 1, scale.warehouses() - 1);
        return other < warehouse ? other : other + 1;
    }

    /**
     * @return the stock's text for the district
     */
    private String takeFromStock(Wanted one, int warehouse, int district) throws SQLException {
        Stock stock = sql.only(
                row -> new Stock(row.getInt(1), row.getString(2)),
                "SELECT s_quantity, " + TpccSchema.distInfo(district)
                        + ", s_data FROM stock WHERE s_w_id = ? AND s_i_id = ?",
                one.supplier(),
                one.item());
        int left = stock.quantity() - one.quantity();
        sql.change(
                CHANGE_STOCK,
                left >= LEAST_STOCK ? left : left + REPLENISHED,
                one.quantity(),
                one.supplier() == warehouse ? 0 : 1,
                one.supplier(),
                one.item());
        return stock.info();
    }

    /** Delivers orders of all districts in one transaction; a district without an undelivered order is skipped. */
    Done delivery() throws SQLException {
        int warehouse = Text.number(random, 1, scale.warehouses());
        int carrier = Text.number(random, 1, CARRIERS);
        int delivered = 0;
        for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
            Optional<Integer> oldest = sql.row(row -> row.getInt(1), OLDEST, warehouse, district);
            if (oldest.isPresent() && sql.change(TAKE, warehouse, district, oldest.get()) == 1) {
                deliver(warehouse, district, oldest.get(), carrier);
                delivered++;
            }
        }
        return new Done(0, 0, delivered);
    }

    private void deliver(int warehouse, int district, int order, int carrier) throws SQLException {
        int customer = sql.number(BUYER, warehouse, district, order);
        sql.change(CARRY, carrier, warehouse, district, order);
        sql.change(DELIVER_LINES, now(), warehouse, district, order);
        BigDecimal amount = sql.only(row -> row.getBigDecimal(1), AMOUNT, warehouse, district, order);
        sql.change(CHARGE, amount, warehouse, district, customer);
    }

    static LocalDateTime now() {
        return LocalDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS);
    }
}
