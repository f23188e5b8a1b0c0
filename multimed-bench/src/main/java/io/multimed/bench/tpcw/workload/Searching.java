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

/**
 * The interactions SREQ and SRES. The form of a search (prefix of an author, word of a title) is that of TPC-W's NYU
 * implementation.
 */
record Searching(PreparedSql sql, TpcwScale scale, RandomGenerator random, Promotion promotion) {
    private static final int KEY_DIGITS = 7;
    private static final String SELECT = "SELECT i_id, i_title, a_fname, a_lname FROM ";
    private static final String END = " ORDER BY i_title LIMIT 50";
    /** The search by author. HSQLDB begins with the first table, and would otherwise read all titles for their order. */
    private static final String BY_AUTHOR = SELECT + "author, item WHERE i_a_id = a_id AND a_lname LIKE ?" + END;

    private static final String BY_TITLE = SELECT + "item, author WHERE i_a_id = a_id AND i_title LIKE ?" + END;
    private static final String BY_SUBJECT = SELECT + "item, author WHERE i_a_id = a_id AND i_subject = ?" + END;

    InteractionOutcome request() throws SQLException {
        List<Integer> promoted = promotion.items();
        return InteractionOutcome.of(then -> then.listShown(promoted));
    }

    InteractionOutcome results() throws SQLException {
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
