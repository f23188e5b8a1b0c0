package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.client.WrongAnswerException;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The interaction SHOP. Carts are bounded: each client has one row from the start, and where TPC-W makes a new cart it empties
 * its own.
 */
record Cart(PreparedSql sql, TpcwScale scale, RandomGenerator random, Promotion promotion, int id) {
    private static final String EMPTY = "DELETE FROM shopping_cart_line WHERE scl_sc_id = ?";
    private static final String MORE =
            "UPDATE shopping_cart_line SET scl_qty = scl_qty + 1 WHERE scl_sc_id = ? AND scl_i_id = ?";
    private static final String ADD = "INSERT INTO shopping_cart_line (scl_sc_id, scl_i_id, scl_qty) VALUES (?, ?, 1)";
    private static final String QUANTITY =
            "UPDATE shopping_cart_line SET scl_qty = ? WHERE scl_sc_id = ? AND scl_i_id = ?";
    private static final String REMOVE = "DELETE FROM shopping_cart_line WHERE scl_sc_id = ? AND scl_i_id = ?";
    private static final String ANY = "SELECT COUNT(*) FROM shopping_cart_line WHERE scl_sc_id = ?";
    private static final String RELATED = "SELECT i_related1 FROM item WHERE i_id = ?";
    private static final String TOUCH = "UPDATE shopping_cart SET sc_time = ? WHERE sc_id = ?";
    private static final String LINES = """
            SELECT scl_i_id, scl_qty, i_title, i_cost, i_srp, i_backing FROM shopping_cart_line, item
             WHERE scl_i_id = i_id AND scl_sc_id = ? ORDER BY scl_i_id""";

    InteractionOutcome show(Visit visit) throws SQLException {
        if (!visit.hasCart()) {
            sql.change(EMPTY, id);
        }
        switch (visit.previous()) {
            case PROD -> add(visit.item());
            case SHOP -> refresh(visit.cartItems());
            default -> {}
        }
        if (sql.number(ANY, id) == 0) {
            add(sql.number(RELATED, Text.number(random, 1, scale.items())));
        }
        sql.change(TOUCH, LocalDateTime.now(ZoneId.systemDefault()), id);
        List<Integer> lines = sql.numbers(LINES, id);
        if (lines.isEmpty()) {
            throw new WrongAnswerException("cart " + id + " is empty after a line was put into it");
        }
        List<Integer> promoted = promotion.items();
        return InteractionOutcome.of(then -> {
            then.cartShown(lines);
            then.listShown(promoted);
        });
    }

    private void add(int item) throws SQLException {
        if (sql.change(MORE, id, item) == 0) {
            sql.change(ADD, id, item);
        }
    }

    /** Changes quantities. A single line gets another quantity; of several, some do, and those with quantity 0 are removed. */
    private void refresh(List<Integer> items) throws SQLException {
        if (items.size() == 1) {
            sql.change(QUANTITY, Text.number(random, 1, 10), id, items.getFirst());
            return;
        }
        int certain = items.isEmpty() ? 0 : Text.oneOf(random, items);
        for (int item : items) {
            if (item == certain || random.nextBoolean()) {
                int quantity = Text.number(random, 0, 9);
                if (quantity == 0) {
                    sql.change(REMOVE, id, item);
                } else {
                    sql.change(QUANTITY, quantity, id, item);
                }
            }
        }
    }
}
