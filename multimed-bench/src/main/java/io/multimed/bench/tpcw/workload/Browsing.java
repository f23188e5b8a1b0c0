package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcw.population.Words;
import java.sql.SQLException;
import java.util.List;
import java.util.random.RandomGenerator;

/** The interactions HOME, NEWP, BESS and PROD. */
record Browsing(PreparedSql sql, RandomGenerator random, Promotion promotion) {
    private static final String NAME = "SELECT c_fname, c_lname FROM customer WHERE c_id = ?";
    private static final String NEW_PRODUCTS = """
            SELECT i_id, i_title, a_fname, a_lname FROM item, author
             WHERE i_a_id = a_id AND i_subject = ?
             ORDER BY i_pub_date DESC, i_title LIMIT 50""";
    private static final String BEST_SELLERS = """
            SELECT i_id, i_title, a_fname, a_lname, SUM(ol_qty) AS sold FROM item, author, order_line
             WHERE i_id = ol_i_id AND i_a_id = a_id AND i_subject = ?
               AND ol_o_id > (SELECT MAX(o_id) - 3333 FROM orders)
             GROUP BY i_id, i_title, a_fname, a_lname
             ORDER BY sold DESC LIMIT 50""";
    static final String ITEM = "SELECT * FROM item, author WHERE i_a_id = a_id AND i_id = ?";

    InteractionOutcome home(Visit visit) throws SQLException {
        if (visit.known()) {
            sql.only(row -> row.getString(1), NAME, visit.customer());
        }
        List<Integer> items = promotion.items();
        return InteractionOutcome.of(then -> then.listShown(items));
    }

    InteractionOutcome newProducts() throws SQLException {
        return list(NEW_PRODUCTS);
    }

    InteractionOutcome bestSellers() throws SQLException {
        return list(BEST_SELLERS);
    }

    private InteractionOutcome list(String query) throws SQLException {
        List<Integer> promoted = promotion.items();
        List<Integer> found = sql.numbers(query, Text.oneOf(random, Words.SUBJECTS));
        return InteractionOutcome.of(then -> then.listShown(found.isEmpty() ? promoted : found));
    }

    InteractionOutcome productDetail(Visit visit) throws SQLException {
        int item = Text.oneOf(random, visit.shown());
        sql.only(row -> row.getInt("i_id"), ITEM, item);
        return InteractionOutcome.of(then -> then.itemShown(item));
    }
}
