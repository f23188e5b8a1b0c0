package io.multimed.bench.dialect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.multimed.bench.EmbeddedDatabase;
import io.multimed.bench.client.Sql;
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

    private static String related(Dialect dialect) {
        return "SELECT j.i_id FROM item i, item j WHERE i.i_id = ? AND " + dialect.isOneOf("j.i_id", RELATED);
    }

    @ParameterizedTest
    @EnumSource(value = Dialect.class, mode = EnumSource.Mode.EXCLUDE, names = "POSTGRESQL")
    void anEngineUnderstandsItsOwn(Dialect dialect) throws Exception {
        try (EmbeddedDatabase database = new EmbeddedDatabase(dialect, 0);
                Connection connection = database.open()) {
            Sql sql = new Sql().use(connection);
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
        try (EmbeddedDatabase database = new EmbeddedDatabase(Dialect.HSQLDB, 0);
                Connection connection = database.open()) {
            String plan = String.join(
                    "\n",
                    new Sql()
                            .use(connection)
                            .rows(
                                    row -> row.getString(1),
                                    "EXPLAIN PLAN FOR "
                                            + related(Dialect.HSQLDB).replace("?", "17")));
            assertFalse(plan.contains("FULL SCAN"), plan);
        }
    }
}
