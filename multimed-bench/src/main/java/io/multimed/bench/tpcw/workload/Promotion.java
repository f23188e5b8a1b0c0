package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.Sql;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcw.population.Scale;
import java.sql.SQLException;
import java.util.List;
import java.util.random.RandomGenerator;

/** PROMO: what is related to a random item, on top of many pages. */
final class Promotion {
    private static final String RELATED = """
            SELECT j.i_id, j.i_thumbnail FROM item i, item j
             WHERE i.i_id = ?
               AND j.i_id IN (i.i_related1, i.i_related2, i.i_related3, i.i_related4, i.i_related5)""";

    private final Sql sql;
    private final Scale scale;
    private final RandomGenerator random;

    Promotion(Sql sql, Scale scale, RandomGenerator random) {
        this.sql = sql;
        this.scale = scale;
        this.random = random;
    }

    List<Integer> items() throws SQLException {
        return sql.numbers(RELATED, Text.number(random, 1, scale.items()));
    }
}
