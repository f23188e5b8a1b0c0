package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.sql.SQLException;
import java.util.List;
import java.util.random.RandomGenerator;

/** PROMO: the items related to a random one, at the top of many pages. */
final class Promotion {
    private static final String RELATED = "SELECT j.i_id, j.i_thumbnail FROM item i, item j WHERE i.i_id = ? AND ";
    private static final List<String> COLUMNS =
            List.of("i.i_related1", "i.i_related2", "i.i_related3", "i.i_related4", "i.i_related5");

    private final PreparedSql sql;
    private final TpcwScale scale;
    private final RandomGenerator random;
    private final String related;

    Promotion(PreparedSql sql, TpcwScale scale, BenchmarkDialect dialect, RandomGenerator random) {
        this.sql = sql;
        this.scale = scale;
        this.random = random;
        this.related = RELATED + dialect.isOneOf("j.i_id", COLUMNS);
    }

    /**
     * Returns the items in ascending order: engines return them in different orders, and the choice among them must be the same
     * on all.
     */
    List<Integer> items() throws SQLException {
        return sql.numbers(related, Text.number(random, 1, scale.items())).stream()
                .sorted()
                .toList();
    }
}
