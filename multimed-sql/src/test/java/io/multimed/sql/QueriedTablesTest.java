package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which tables a partial Satellite must carry for a query. */
class QueriedTablesTest {
    private static final DatabaseCatalog CATALOG = catalog(0);

    /** @param others number of further tables, which no query reads */
    private static DatabaseCatalog catalog(int others) {
        DatabaseCatalog.Builder builder = new DatabaseCatalog.Builder()
                .holders(1)
                .relation("orders", 1L)
                .relation("items", 1L)
                .relation("stock", 0L)
                .relation("split", 1L)
                .relation("split_1", 1L)
                .relation("Große", 1L)
                .relation("order_view", 1L)
                .relation("view_of_view", 1L)
                .relation("catalog_view", 1L)
                .relation("secured", 1L)
                .relation("attributes", 1L)
                .relation("named", 0L)
                .relation("zoo", 1L)
                .relation("named_things", null)
                .row("definition", "order_view", "SELECT o.id AS stock FROM shop.orders o")
                .row("definition", "view_of_view", "SELECT * FROM order_view JOIN items USING (id)")
                .row("definition", "catalog_view", "SELECT count(*) FROM items WHERE oid > ctid")
                .row(
                        "definition",
                        "secured",
                        "SELECT (EXISTS ( SELECT 1 FROM shop.orders m WHERE (m.who = CURRENT_USER)))")
                .row("uses", "split", "split_1")
                .row("function", "own", "ss")
                .row("function", "similarity", "icpg_trgm\ntext,text");
        for (int i = 0; i < others; i++) {
            builder.relation("other_" + i, 1L);
        }
        return builder.build();
    }

    private static Set<String> tables(String sql) {
        assertEquals(Optional.empty(), QueriedTables.refusal(sql), sql);
        QueriedTables.Found found = QueriedTables.of(sql, CATALOG, ClassifierOptions.DEFAULT);
        assertEquals(Optional.empty(), found.refusal(), sql);
        return new TreeSet<>(found.names());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT count(*) FROM orders | [orders]
            SELECT orders FROM items;  | [items]
            SELECT * FROM a.orders o JOIN stock USING (id) | [orders, stock]
            WITH orders AS (SELECT 1) SELECT * FROM orders | [orders]
            SELECT * FROM split WHERE id = $1 | [split, split_1]
            SELECT * FROM view_of_view | [items, order_view, orders, view_of_view]
            TABLE secured | [orders, secured]
            SELECT 1 | []
            VALUES (1), (2) | []
            (SELECT id FROM orders) UNION (SELECT id FROM items) | [items, orders]
            SELECT similarity(a, b) FROM zoo | [zoo]
            """)
    void areThoseWithoutWhichNoSatelliteAnswers(String sql, String tables) {
        assertEquals(tables, tables(sql).toString());
    }

    @Test
    void namesAreFoundInWhateverCaseTheServerFoldsThemTo() {
        QueriedTables.Found found = QueriedTables.of("SELECT 1 FROM \"Große\"", CATALOG, ClassifierOptions.DEFAULT);
        assertTrue(found.reads("Große"));
        assertFalse(found.reads("items"));
    }

    @Test
    void whatNoSatelliteCanHoldIsAmongThemAndKnown() {
        QueriedTables.Found found = QueriedTables.of("SELECT 1 FROM orders, named", CATALOG, ClassifierOptions.DEFAULT);
        assertTrue(found.reads("named"));
        assertTrue(found.cannotBeHeld("named"));
        assertFalse(found.cannotBeHeld("orders"));
    }

    @Test
    void areFoundAmongMoreTablesThanThereAreBits() {
        for (int others : new int[] {47, 48, 49, 50, 500}) {
            QueriedTables.Found found = QueriedTables.of(
                    "SELECT 1 FROM orders, zoo, view_of_view", catalog(others), ClassifierOptions.DEFAULT);
            assertEquals(
                    "[items, order_view, orders, view_of_view, zoo]",
                    new TreeSet<>(found.names()).toString(),
                    others + " others");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DELETE FROM orders | is not a query
            '' | is not a query
            SELECT 'open | cannot be read: a quote, a comment or a bracket does not end
            SELECT 1; SELECT 2 | must be one statement
            SELECT * INTO x FROM orders | is not a read that a satellite may execute: INTO
            SELECT * FROM orders FOR UPDATE | is not a read that a satellite may execute: locks rows
            WITH d AS (DELETE FROM orders RETURNING *) SELECT * FROM d | is not a read that a satellite may execute: DELETE
            SELECT nextval('s') | is not a read that a satellite may execute: calls nextval
            SELECT ctid FROM orders | depends on ctid, which may give another result on a partial satellite than on the master
            SELECT pg_typeof(1) | calls pg_typeof, which may give another result on a partial satellite than on the master
            SELECT * FROM attributes | depends on attributes, which may be a view of information_schema: write it with its schema
            SELECT id FROM orders WHERE | cannot be parsed
            """)
    void aQueryThatNoDatabaseAnswersThereIsRefusedAtOnce(String sql, String because) {
        String refusal = QueriedTables.refusal(sql).orElse("none");
        assertTrue(refusal.startsWith(because), refusal);
    }

    @Test
    void thePlaceIsSaidWhereTheParserGivesUp() {
        assertEquals(
                "cannot be parsed at \"orders\", line 2, column 6",
                QueriedTables.refusal("SELECT id, item\nFORM orders WHERE").orElse("none"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT own(id) FROM orders | is not a read that a satellite may execute: calls own, which is not declared safe
            SELECT * FROM catalog_view | reads catalog_view, which depends on ctid, which may give another result
            SELECT 1::named_things FROM items | depends on named_things, whose values a partial satellite may show otherwise
            """)
    void whatTheDatabaseAddsIsNamed(String sql, String because) {
        assertEquals(Optional.empty(), QueriedTables.refusal(sql));
        String refusal = QueriedTables.of(sql, CATALOG, ClassifierOptions.DEFAULT)
                .refusal()
                .orElse("none");
        assertTrue(refusal.startsWith(because), refusal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT own(id) FROM orders", "SELECT * FROM a.attributes", "SELECT id FROM nowhere"})
    void aQueryOfADatabaseThatIsNotKnownYetIsNotRefused(String sql) {
        assertEquals(Optional.empty(), QueriedTables.refusal(sql));
    }
}
