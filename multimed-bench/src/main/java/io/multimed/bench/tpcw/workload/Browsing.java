package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcw.population.DigSyl;
import io.multimed.bench.tpcw.population.NuRand;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.population.Words;
import java.sql.SQLException;
import java.util.List;
import java.util.random.RandomGenerator;

/** The interactions HOME, NEWP, BESS, PROD, SREQ and SRES. */
record Browsing(PreparedSql sql, TpcwScale scale, RandomGenerator random, Promotion promotion) {
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

    private static final int KEY_DIGITS = 7;
    private static final String SELECT = "SELECT i_id, i_title, a_fname, a_lname FROM ";
    private static final String END = " ORDER BY i_title LIMIT 50";
    /** The search by author. HSQLDB begins with the first table, and would otherwise read all titles for their order. */
    private static final String BY_AUTHOR = SELECT + "author, item WHERE i_a_id = a_id AND a_lname LIKE ?" + END;

    private static final String BY_TITLE = SELECT + "item, author WHERE i_a_id = a_id AND i_title LIKE ?" + END;
    private static final String BY_SUBJECT = SELECT + "item, author WHERE i_a_id = a_id AND i_subject = ?" + END;

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

    InteractionOutcome searchRequest() throws SQLException {
        List<Integer> promoted = promotion.items();
        return InteractionOutcome.of(then -> then.listShown(promoted));
    }

    /**
     * Searches. The form of a search (prefix of an author, word of a title) is that of TPC-W's NYU implementation.
     */
    InteractionOutcome searchResults() throws SQLException {
        List<Integer> promoted = promotion.items();
        List<Integer> found = switch (random.nextInt(3)) {
            case 0 -> sql.numbers(BY_AUTHOR, key(scale.authorKeys()) + "%");
            case 1 -> sql.numbers(BY_TITLE, "%" + key(scale.titleKeys()) + "%");
            default -> sql.numbers(BY_SUBJECT, Text.oneOf(random, Words.SUBJECTS));
        };
        return new InteractionOutcome(
                then -> then.listShown(found.isEmpty() ? promoted : found), 0, 0, found.isEmpty());
    }

    private String key(int keys) {
        return DigSyl.of(NuRand.draw(random, NuRand.forItems(scale.items()), keys), KEY_DIGITS);
    }
}
