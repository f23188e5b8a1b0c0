package io.multimed.bench.tpcw.check;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.report.Run;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** The invariants of one database by itself, in SQL that all engines understand. Reads everything: seconds for a gigabyte. */
public final class Invariants {
    /** Most contradictions of a kind that are reported. */
    private static final int MOST_TOLD = 3;

    private static final int REPLENISHED = 21;
    private static final int LEAST_STOCK = 10;
    private static final int MOST_STOCK = 30;
    /** DigSyl in SQL: syllables hold no digits, so that one digit after the other can be replaced. */
    private static final String NAME =
            "replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("
                    + "CAST(c_id AS varchar(10)),'0','BA'),'1','OG'),'2','AL'),'3','RI'),'4','RE'),'5','SE'),'6','AT'),'7','UL'),'8','IN'),'9','NG')";

    private static final List<String> REFERENCES = List.of(
            "item.i_a_id author.a_id",
            "item.i_related1 item.i_id",
            "item.i_related2 item.i_id",
            "item.i_related3 item.i_id",
            "item.i_related4 item.i_id",
            "item.i_related5 item.i_id",
            "customer.c_addr_id address.addr_id",
            "address.addr_co_id country.co_id",
            "orders.o_c_id customer.c_id",
            "orders.o_bill_addr_id address.addr_id",
            "orders.o_ship_addr_id address.addr_id",
            "order_line.ol_o_id orders.o_id",
            "order_line.ol_i_id item.i_id",
            "cc_xacts.cx_o_id orders.o_id",
            "cc_xacts.cx_co_id country.co_id",
            "shopping_cart_line.scl_i_id item.i_id");

    /**
     * The sales of an item by new orders.
     *
     * @param most with one order line
     */
    private record Sold(long pieces, long most) {
        static final Sold NOTHING = new Sold(0, 0);
    }

    private final PreparedSql sql;
    private final TpcwBefore before;
    private final TpcwExpected expected;

    private Invariants(Connection connection, TpcwBefore before, TpcwExpected expected) {
        this.sql = new PreparedSql().use(connection);
        this.before = before;
        this.expected = expected;
    }

    public static List<Run.Check> check(Connection master, TpcwBefore before, TpcwExpected expected)
            throws SQLException {
        Invariants all = new Invariants(master, before, expected);
        return List.of(
                new Run.Check("growth is what was committed", all.growth()),
                new Run.Check("each order has one card transaction and lines 1 to n", all.orders()),
                new Run.Check("new orders add up", all.totals()),
                new Run.Check("stock is what was sold and replenished", all.stock()),
                new Run.Check("customers are named after their ids", all.names()),
                new Run.Check("references lead somewhere", all.references()),
                new Run.Check("carts are bounded and whole", all.carts()));
    }

    private String growth() throws SQLException {
        StringJoiner wrong = new StringJoiner("; ");
        grown(wrong, "orders", before.orders(), expected.orders());
        grown(wrong, "cc_xacts", before.cards(), expected.orders());
        grown(wrong, "customer", before.customers(), expected.customers());
        grown(wrong, "address", before.addresses(), expected.addresses());
        return wrong.toString();
    }

    private void grown(StringJoiner wrong, String table, long from, long by) throws SQLException {
        long actual = sql.number("SELECT COUNT(*) FROM " + table) - from;
        if (actual < by || actual > by + expected.unanswered()) {
            wrong.add(table + " grew by " + actual + " and not by " + by
                    + (expected.unanswered() == 0 ? "" : " to " + (by + expected.unanswered())));
        }
    }

    private String orders() throws SQLException {
        return joined(told("orders without one card transaction", """
                        SELECT o_id FROM orders LEFT JOIN cc_xacts ON cx_o_id = o_id
                         GROUP BY o_id HAVING COUNT(cx_o_id) <> 1"""), told("orders whose lines are not 1 to n", """
                        SELECT o_id FROM orders LEFT JOIN order_line ON ol_o_id = o_id GROUP BY o_id
                        HAVING COUNT(ol_id) = 0 OR MIN(ol_id) <> 1 OR MAX(ol_id) <> COUNT(ol_id)"""));
    }

    private String totals() throws SQLException {
        return joined(
                told("orders whose total is wrong", """
                        SELECT o_id FROM orders, order_line WHERE ol_o_id = o_id AND o_id > %d
                         GROUP BY o_id, o_total, o_sub_total, o_tax
                        HAVING o_total <> o_sub_total + o_tax + 3 + SUM(ol_qty)""".formatted(before.lastOrder())),
                told("orders whose card was charged something else", """
                        SELECT o_id FROM orders, cc_xacts WHERE cx_o_id = o_id AND o_id > %d
                           AND cx_xact_amt <> o_total""".formatted(before.lastOrder())),
                told("orders whose card transaction is of another country than their address", """
                        SELECT o_id FROM orders, cc_xacts, address WHERE cx_o_id = o_id AND o_id > %d
                           AND addr_id = o_ship_addr_id AND addr_co_id <> cx_co_id""".formatted(
                                before.lastOrder())));
    }

    private record Item(int id, int stock) {}

    private String stock() throws SQLException {
        List<String> wrong = new ArrayList<>();
        Map<Integer, Sold> all = new HashMap<>();
        sql.rows(
                row -> all.put(row.getInt(1), new Sold(row.getLong(2), row.getLong(3))),
                "SELECT ol_i_id, SUM(ol_qty), MAX(ol_qty) FROM order_line WHERE ol_o_id > " + before.lastOrder()
                        + " GROUP BY ol_i_id");
        for (Item item : sql.rows(row -> new Item(row.getInt(1), row.getInt(2)), "SELECT i_id, i_stock FROM item")) {
            Sold sold = all.getOrDefault(item.id(), Sold.NOTHING);
            Integer then = before.stock().get(item.id());
            int now = item.stock();
            long replenished = then == null ? -1 : sold.pieces() - (then - now);
            boolean outside = sold.most() <= REPLENISHED && (now < LEAST_STOCK || now > MOST_STOCK);
            if (replenished < 0 || replenished % REPLENISHED != 0 || outside) {
                wrong.add(item.id() + " (" + then + " before, " + sold.pieces() + " sold, " + now + " left)");
            }
        }
        return wrong.isEmpty() ? "" : wrong.size() + " items with the wrong stock: " + first(wrong);
    }

    private String names() throws SQLException {
        return told(
                "customers with another name or password",
                "SELECT c_id FROM customer WHERE c_uname IS NULL OR c_passwd IS NULL OR c_uname <> " + NAME
                        + " OR c_passwd <> lower(c_uname)");
    }

    private String references() throws SQLException {
        List<String> wrong = new ArrayList<>();
        for (String reference : REFERENCES) {
            String[] ends = reference.split("[. ]");
            wrong.add(told(
                    ends[0] + "." + ends[1] + " that lead nowhere",
                    "SELECT DISTINCT " + ends[1] + " FROM " + ends[0] + " r WHERE NOT EXISTS (SELECT 1 FROM " + ends[2]
                            + " t WHERE t." + ends[3] + " = r." + ends[1] + ")"));
        }
        wrong.add(told("items that are related to themselves or to one item twice", """
                SELECT i_id FROM item
                 WHERE i_id IN (i_related1, i_related2, i_related3, i_related4, i_related5)
                    OR i_related1 IN (i_related2, i_related3, i_related4, i_related5)
                    OR i_related2 IN (i_related3, i_related4, i_related5)
                    OR i_related3 IN (i_related4, i_related5)
                    OR i_related4 = i_related5"""));
        return joined(wrong.toArray(String[]::new));
    }

    private String carts() throws SQLException {
        int carts = sql.number("SELECT COUNT(*) FROM shopping_cart");
        return joined(
                carts > expected.clients() ? carts + " carts of " + expected.clients() + " clients" : "",
                told("lines without a cart", """
                        SELECT DISTINCT scl_sc_id FROM shopping_cart_line WHERE NOT EXISTS
                               (SELECT 1 FROM shopping_cart WHERE sc_id = scl_sc_id)"""),
                told("carts with a quantity below 1", """
                        SELECT DISTINCT scl_sc_id FROM shopping_cart_line WHERE scl_qty < 1"""));
    }

    /** Returns how many rows a query finds, and the first of them; empty for none. */
    private String told(String what, String query) throws SQLException {
        List<String> found = sql.rows(row -> row.getString(1), query);
        return found.isEmpty() ? "" : found.size() + " " + what + ": " + first(found);
    }

    private static String first(List<String> found) {
        return String.join(", ", found.subList(0, Math.min(MOST_TOLD, found.size())))
                + (found.size() > MOST_TOLD ? ", ..." : "");
    }

    private static String joined(String... parts) {
        return Arrays.stream(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("; "));
    }
}
