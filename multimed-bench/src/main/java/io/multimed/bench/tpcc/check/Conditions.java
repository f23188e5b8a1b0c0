package io.multimed.bench.tpcc.check;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.report.Run;
import io.multimed.bench.tpcc.workload.TpccTally;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The consistency conditions of clause 3.3.2, except the one that holds only before clients begin, and growth.
 *
 * <p>Rows are read warehouse by warehouse and compared here, not in SQL: the joins would need statistics that embedded engines
 * do not have.
 */
public final class Conditions {
    /** Most contradictions of a kind that are reported. */
    private static final int MOST_TOLD = 3;

    private static final BigDecimal NOTHING = BigDecimal.ZERO;

    private final PreparedSql sql;
    /** Contradictions by condition. */
    private final Map<String, List<String>> wrong = new TreeMap<>();

    private Conditions(Connection connection) {
        this.sql = new PreparedSql().use(connection);
        CONDITIONS.forEach((number, text) -> wrong.put(number, new ArrayList<>()));
    }

    private static final Map<String, String> CONDITIONS = new TreeMap<>(Map.ofEntries(
            Map.entry("01", "a warehouse has taken what its districts have"),
            Map.entry("02", "a district's next number follows its orders and new orders"),
            Map.entry("03", "numbers of new orders are contiguous"),
            Map.entry("04", "a district's orders count its lines"),
            Map.entry("05", "an order has no carrier exactly while it is new"),
            Map.entry("06", "each order counts its lines"),
            Map.entry("07", "lines are delivered exactly when their order is carried"),
            Map.entry("08", "a warehouse has taken what its history says"),
            Map.entry("09", "a district has taken what its history says"),
            Map.entry("10", "a customer's balance is what was delivered less what was paid"),
            Map.entry("12", "balance and payments are what was delivered")));

    public static List<Run.Check> check(Connection master, TpccBefore before, TpccTally told) throws SQLException {
        Conditions all = new Conditions(master);
        for (int warehouse : all.sql.numbers("SELECT w_id FROM warehouse ORDER BY w_id")) {
            all.warehouse(warehouse);
        }
        List<Run.Check> verdicts = new ArrayList<>();
        verdicts.add(new Run.Check("growth is what was committed", growth(TpccBefore.read(master), before, told)));
        all.wrong.forEach((number, found) -> verdicts.add(new Run.Check(
                "3.3.2." + Integer.valueOf(number) + " " + CONDITIONS.get(number),
                found.isEmpty()
                        ? ""
                        : found.size() + " times: "
                                + String.join(", ", found.subList(0, Math.min(MOST_TOLD, found.size())))
                                + (found.size() > MOST_TOLD ? ", ..." : ""))));
        return verdicts;
    }

    private static String growth(TpccBefore after, TpccBefore before, TpccTally told) {
        List<String> found = new ArrayList<>();
        // One of the unanswered transactions may be a delivery of ten districts.
        grown(found, "orders", after.orders() - before.orders(), told.orders(), told.unansweredCommits());
        grown(found, "history", after.history() - before.history(), told.payments(), told.unansweredCommits());
        long delivered = before.newOrders() - after.newOrders() + after.orders() - before.orders();
        grown(found, "delivered orders", delivered, told.delivered(), 10 * told.unansweredCommits());
        return String.join("; ", found);
    }

    private static void grown(List<String> found, String what, long actual, long by, long spare) {
        if (actual < by || actual > by + spare) {
            found.add(what + " grew by " + actual + " and not by " + by + (spare == 0 ? "" : " to " + (by + spare)));
        }
    }

    private void contradicts(String condition, boolean contradiction, String what) {
        if (contradiction) {
            wrong.computeIfAbsent(condition, any -> new ArrayList<>()).add(what);
        }
    }

    /** @param undelivered of its lines */
    private record Lines(long count, long undelivered, BigDecimal amount) {}

    private void warehouse(int warehouse) throws SQLException {
        BigDecimal taken =
                sums("SELECT 0, w_ytd FROM warehouse WHERE w_id = ?", warehouse).getOrDefault(0L, NOTHING);
        Map<Long, BigDecimal> districts = sums("SELECT d_id, d_ytd FROM district WHERE d_w_id = ?", warehouse);
        Map<Long, BigDecimal> history =
                sums("SELECT h_d_id, SUM(h_amount) FROM history WHERE h_w_id = ? GROUP BY h_d_id", warehouse);
        contradicts("01", differ(taken, sum(districts)), "warehouse " + warehouse);
        contradicts("08", differ(taken, sum(history)), "warehouse " + warehouse);
        Map<Long, BigDecimal> delivered = new TreeMap<>();
        for (Map.Entry<Long, BigDecimal> district : districts.entrySet()) {
            int number = district.getKey().intValue();
            contradicts(
                    "09",
                    differ(district.getValue(), history.getOrDefault(district.getKey(), NOTHING)),
                    "district " + warehouse + "/" + number);
            orders(warehouse, number, delivered);
        }
        customers(warehouse, delivered);
    }

    private record Order(int number, int customer, boolean isNew, int count) {}

    private void orders(int warehouse, int district, Map<Long, BigDecimal> delivered) throws SQLException {
        String place = warehouse + "/" + district;
        List<Integer> fresh = sql.numbers(
                "SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id",
                warehouse,
                district);
        Map<Integer, Lines> lines = lines(warehouse, district);
        int last = 0;
        long counted = 0;
        for (Order order : sql.rows(
                row -> new Order(row.getInt(1), row.getInt(2), row.getObject(3) == null, row.getInt(4)),
                "SELECT o_id, o_c_id, o_carrier_id, o_ol_cnt FROM orders WHERE o_w_id = ? AND o_d_id = ?",
                warehouse,
                district)) {
            String name = "order " + place + "/" + order.number();
            Lines own = lines.getOrDefault(order.number(), new Lines(0, 0, NOTHING));
            last = Math.max(last, order.number());
            counted += order.count();
            contradicts("05", order.isNew() != Collections.binarySearch(fresh, order.number()) >= 0, name);
            contradicts("06", own.count() != order.count(), name);
            contradicts("07", own.undelivered() != (order.isNew() ? own.count() : 0), name);
            if (!order.isNew()) {
                delivered.merge(key(district, order.customer()), own.amount(), BigDecimal::add);
            }
        }
        int next = sql.number("SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?", warehouse, district);
        contradicts(
                "02",
                next - 1 != last || (!fresh.isEmpty() && fresh.getLast() != last),
                "district " + place + " (" + next + " after " + last + ")");
        contradicts(
                "03", !fresh.isEmpty() && fresh.getLast() - fresh.getFirst() + 1 != fresh.size(), "district " + place);
        long there = lines.values().stream().mapToLong(Lines::count).sum();
        contradicts("04", counted != there, "district " + place + " (" + there + " of " + counted + ")");
    }

    private record Customer(int district, int number, BigDecimal balance, BigDecimal paid) {}

    private void customers(int warehouse, Map<Long, BigDecimal> delivered) throws SQLException {
        Map<Long, BigDecimal> paid = new TreeMap<>();
        sql.rows(
                row -> paid.put(key(row.getInt(1), row.getInt(2)), row.getBigDecimal(3)),
                "SELECT h_c_d_id, h_c_id, SUM(h_amount) FROM history WHERE h_c_w_id = ? GROUP BY h_c_d_id, h_c_id",
                warehouse);
        for (Customer customer : sql.rows(
                row -> new Customer(row.getInt(1), row.getInt(2), row.getBigDecimal(3), row.getBigDecimal(4)),
                "SELECT c_d_id, c_id, c_balance, c_ytd_payment FROM customer WHERE c_w_id = ?",
                warehouse)) {
            long key = key(customer.district(), customer.number());
            String name = "customer " + warehouse + "/" + customer.district() + "/" + customer.number();
            BigDecimal got = delivered.getOrDefault(key, NOTHING);
            contradicts("10", differ(customer.balance(), got.subtract(paid.getOrDefault(key, NOTHING))), name);
            contradicts("12", differ(customer.balance().add(customer.paid()), got), name);
        }
    }

    private Map<Integer, Lines> lines(int warehouse, int district) throws SQLException {
        Map<Integer, Lines> lines = new TreeMap<>();
        sql.rows(
                row -> lines.put(
                        row.getInt(1),
                        new Lines(row.getLong(2), row.getLong(2) - row.getLong(3), row.getBigDecimal(4))),
                """
                SELECT ol_o_id, COUNT(*), COUNT(ol_delivery_d), SUM(ol_amount) FROM order_line
                 WHERE ol_w_id = ? AND ol_d_id = ? GROUP BY ol_o_id""",
                warehouse,
                district);
        return lines;
    }

    private static long key(int district, int customer) {
        return ((long) district << Integer.SIZE) + customer;
    }

    private static BigDecimal sum(Map<Long, BigDecimal> parts) {
        return parts.values().stream().reduce(NOTHING, BigDecimal::add);
    }

    private static boolean differ(BigDecimal one, BigDecimal other) {
        return one.compareTo(other) != 0;
    }

    private Map<Long, BigDecimal> sums(String query, int warehouse) throws SQLException {
        Map<Long, BigDecimal> sums = new TreeMap<>();
        sql.rows(row -> sums.put(row.getLong(1), row.getBigDecimal(2)), query, warehouse);
        return sums;
    }
}
