package io.multimed.bench.dialect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.multimed.bench.EmbeddedBenchDatabase;
import io.multimed.bench.client.PreparedSql;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The SQL of each engine, executed on the engine itself. */
class DialectTest {
    private static final List<String> RELATED =
            List.of("i.i_related1", "i.i_related2", "i.i_related3", "i.i_related4", "i.i_related5");

    private static String related(BenchmarkDialect dialect) {
        return "SELECT j.i_id FROM item i, item j WHERE i.i_id = ? AND " + dialect.isOneOf("j.i_id", RELATED);
    }

    @ParameterizedTest
    @EnumSource(
            value = BenchmarkDialect.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"POSTGRESQL", "MARIADB"})
    void anEngineUnderstandsItsOwn(BenchmarkDialect dialect) throws Exception {
        try (EmbeddedBenchDatabase database = new EmbeddedBenchDatabase(dialect, 0);
                Connection connection = database.open()) {
            PreparedSql sql = new PreparedSql().use(connection);
            // Ids begin behind those of the population: 2,592 orders.
            assertEquals(2_593, sql.number(dialect.nextValue("orders_id")));
            assertEquals(2_594, sql.number(dialect.nextValue("orders_id")));
            assertEquals(List.of(1, 2, 3), sql.numbers("SELECT id FROM " + dialect.numbers() + " ORDER BY id", 3));
            List<Integer> stored = sql.only(
                    row -> Stream.of(row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4), row.getInt(5))
                            .sorted()
                            .toList(),
                    "SELECT i_related1, i_related2, i_related3, i_related4, i_related5 FROM item WHERE i_id = ?",
                    17);
            assertEquals(
                    stored, sql.numbers(related(dialect), 17).stream().sorted().toList());
        }
    }

    @Test
    void hsqldbLooksUpWhatIsRelated() throws Exception {
        try (EmbeddedBenchDatabase database = new EmbeddedBenchDatabase(BenchmarkDialect.HSQLDB, 0);
                Connection connection = database.open()) {
            String plan = String.join(
                    "\n",
                    new PreparedSql()
                            .use(connection)
                            .rows(
                                    row -> row.getString(1),
                                    "EXPLAIN PLAN FOR "
                                            + related(BenchmarkDialect.HSQLDB).replace("?", "17")));
            assertFalse(plan.contains("FULL SCAN"), plan);
        }
    }
}
