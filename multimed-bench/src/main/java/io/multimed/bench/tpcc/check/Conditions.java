package io.multimed.bench.tpcc.check;

import io.multimed.bench.series.InvariantCheck;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
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

    private final Connection connection;
    /** Contradictions by condition. */
    private final Map<String, List<String>> wrong = new TreeMap<>();

    private Conditions(Connection connection) {
        this.connection = connection;
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

    public static List<InvariantCheck> check(Connection master, TpccBefore before, TpccExpected expected)
            throws SQLException {
        Conditions all = new Conditions(master);
        for (int warehouse : all.numbers("SELECT w_id FROM warehouse ORDER BY w_id")) {
            all.warehouse(warehouse);
        }
        List<InvariantCheck> verdicts = new ArrayList<>();
        verdicts.add(
                new InvariantCheck("growth is what was committed", growth(TpccBefore.read(master), before, expected)));
        all.wrong.forEach((number, found) -> verdicts.add(new InvariantCheck(
                "3.3.2." + Integer.valueOf(number) + " " + CONDITIONS.get(number),
                found.isEmpty()
                        ? ""
                        : found.size() + " times: "
                                + String.join(", ", found.subList(0, Math.min(MOST_TOLD, found.size())))
                                + (found.size() > MOST_TOLD ? ", ..." : ""))));
        return verdicts;
    }

    private static String growth(TpccBefore after, TpccBefore before, TpccExpected expected) {
        List<String> found = new ArrayList<>();
        // One of the unanswered transactions may be a delivery of ten districts.
        grown(found, "orders", after.orders() - before.orders(), expected.orders(), expected.unanswered());
        grown(found, "history", after.history() - before.history(), expected.payments(), expected.unanswered());
        long delivered = before.newOrders() - after.newOrders() + after.orders() - before.orders();
        grown(found, "delivered orders", delivered, expected.delivered(), 10 * expected.unanswered());
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

    private void orders(int warehouse, int district, Map<Long, BigDecimal> delivered) throws SQLException {
        String place = warehouse + "/" + district;
        List<Integer> fresh = numbers("SELECT no_o_id FROM new_order WHERE no_w_id = " + warehouse + " AND no_d_id = "
                + district + " ORDER BY no_o_id");
        Map<Integer, Lines> lines = lines(warehouse, district);
        int last = 0;
        long counted = 0;
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT o_id, o_c_id, o_carrier_id, o_ol_cnt FROM orders WHERE o_w_id = ? AND o_d_id = ?""")) {
            statement.setInt(1, warehouse);
            statement.setInt(2, district);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    int order = rows.getInt(1);
                    int customer = rows.getInt(2);
                    boolean isNew = rows.getObject(3) == null;
                    int count = rows.getInt(4);
                    String name = "order " + place + "/" + order;
                    Lines own = lines.getOrDefault(order, new Lines(0, 0, NOTHING));
                    last = Math.max(last, order);
                    counted += count;
                    contradicts("05", isNew != java.util.Collections.binarySearch(fresh, order) >= 0, name);
                    contradicts("06", own.count() != count, name);
                    contradicts("07", own.undelivered() != (isNew ? own.count() : 0), name);
                    if (!isNew) {
                        delivered.merge(key(district, customer), own.amount(), BigDecimal::add);
                    }
                }
            }
        }
        int next = numbers("SELECT d_next_o_id FROM district WHERE d_w_id = " + warehouse + " AND d_id = " + district)
                .getFirst();
        contradicts(
                "02",
                next - 1 != last || (!fresh.isEmpty() && fresh.getLast() != last),
                "district " + place + " (" + next + " after " + last + ")");
        contradicts(
                "03", !fresh.isEmpty() && fresh.getLast() - fresh.getFirst() + 1 != fresh.size(), "district " + place);
        long there = lines.values().stream().mapToLong(Lines::count).sum();
        contradicts("04", counted != there, "district " + place + " (" + there + " of " + counted + ")");
    }

    private void customers(int warehouse, Map<Long, BigDecimal> delivered) throws SQLException {
        Map<Long, BigDecimal> paid = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT h_c_d_id, h_c_id, SUM(h_amount) FROM history WHERE h_c_w_id = ? GROUP BY h_c_d_id, h_c_id""")) {
            statement.setInt(1, warehouse);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    paid.put(key(rows.getInt(1), rows.getInt(2)), rows.getBigDecimal(3));
                }
            }
        }
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT c_d_id, c_id, c_balance, c_ytd_payment FROM customer WHERE c_w_id = ?""")) {
            statement.setInt(1, warehouse);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long key = key(rows.getInt(1), rows.getInt(2));
                    String name = "customer " + warehouse + "/" + rows.getInt(1) + "/" + rows.getInt(2);
                    BigDecimal got = delivered.getOrDefault(key, NOTHING);
                    BigDecimal balance = rows.getBigDecimal(3);
                    contradicts("10", differ(balance, got.subtract(paid.getOrDefault(key, NOTHING))), name);
                    contradicts("12", differ(balance.add(rows.getBigDecimal(4)), got), name);
                }
            }
        }
    }

    private Map<Integer, Lines> lines(int warehouse, int district) throws SQLException {
        Map<Integer, Lines> lines = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT ol_o_id, COUNT(*), COUNT(ol_delivery_d), SUM(ol_amount) FROM order_line
                 WHERE ol_w_id = ? AND ol_d_id = ? GROUP BY ol_o_id""")) {
            statement.setInt(1, warehouse);
            statement.setInt(2, district);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lines.put(
                            rows.getInt(1),
                            new Lines(rows.getLong(2), rows.getLong(2) - rows.getLong(3), rows.getBigDecimal(4)));
                }
            }
        }
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

    private Map<Long, BigDecimal> sums(String sql, int warehouse) throws SQLException {
        Map<Long, BigDecimal> sums = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, warehouse);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sums.put(rows.getLong(1), rows.getBigDecimal(2));
                }
            }
        }
        return sums;
    }

    private List<Integer> numbers(String sql) throws SQLException {
        List<Integer> numbers = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                numbers.add(rows.getInt(1));
            }
        }
        return numbers;
    }
}
