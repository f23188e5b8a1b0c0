package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which partial Satellites can answer a read. */
class HoldersTest {
    private static final ClassifierOptions OPTIONS =
            ClassifierOptions.DEFAULT.withSafeFunctions(Set.of("declared_safe", "lower_safe"));

    /** Node 1 carries orders and items, node 2 carries items alone; nobody carries stock. */
    private static final DatabaseCatalog CATALOG = new DatabaseCatalog.Builder()
            .holders(0b11)
            .relation("orders", 0b01L)
            .relation("items", 0b11L)
            .relation("stock", 0L)
            .relation("split", 0b01L)
            .relation("split_1", 0b01L)
            // A table in several schemas.
            .relation("twice", 0b11L)
            .relation("twice", 0b10L)
            .relation("twice", 0b11L)
            .relation("Große", 0L)
            .relation("attributes", 0b11L)
            .relation("order_view", 0b11L)
            .relation("view_of_view", 0b11L)
            .relation("stock_view", 0b11L)
            .relation("catalog_view", 0b11L)
            .relation("calling_view", 0b11L)
            .relation("naming_view", 0b11L)
            .relation("secured", 0b11L)
            .relation("with_pair", 0b11L)
            .relation("with_shape", 0b11L)
            .relation("ring_a", 0b11L)
            .relation("ring_b", 0b11L)
            .relation("named_things", null)
            .row("definition", "order_view", " SELECT o.id AS stock FROM shop.orders o WHERE (o.id > 1);")
            .row("definition", "view_of_view", "SELECT * FROM order_view")
            .row("definition", "stock_view", "SELECT count(*) FROM (shop.items JOIN shop.stock USING (id))")
            .row("definition", "catalog_view", "SELECT count(*) FROM pg_class")
            .row("definition", "calling_view", "SELECT pg_typeof(items.id) FROM items")
            .row("definition", "naming_view", "SELECT 'x'::named_things AS x")
            .row("definition", "secured", "SELECT (EXISTS ( SELECT 1 FROM shop.orders m WHERE (m.who = CURRENT_USER)))")
            .row("definition", "ring_a", "SELECT 1 FROM ring_b")
            .row("definition", "ring_b", "SELECT 1 FROM ring_a, orders")
            .row("uses", "split", "split_1")
            .row("uses", "with_pair", "pair")
            .row("uses", "pair", "orders")
            .row("uses", "with_shape", "shape")
            .row("calls", "shape", "shape_in")
            .row("definition", "positive", "SELECT (VALUE > 0)")
            .row("function", "shape_in", "icpostgis\ncstring")
            .row("function", "declared_safe", "io")
            .row("function", "similarity", "icpg_trgm\ntext,text")
            .row("function", "similarity_op", "scpg_trgm\ntext,text")
            .row("function", "citext_eq", "iccitext\ncitext,citext")
            .row("function", "citextin", "iicitext\ncstring")
            .row("function", "word_distance", "icsomething\ntext")
            .row("calls", "citext", "citextin")
            .row("operator", "=", "citext_eq")
            .row("operator", "%%", "similarity_op")
            .row("operator", "<<<", "has_table_privilege")
            .row("operator", ">>>", "declared_safe")
            .build();

    private static final Names NAMES = new Names(CATALOG, OPTIONS);

    /** Asks the judge alone, since the rules must not depend on what the parser knows. */
    private static long holders(String sql, Names names) {
        Verdict verdict = new Judge(names, false).judge(Tokens.of(sql));
        assertTrue(verdict.harmless(), () -> verdict.because() + ": " + sql);
        return verdict.holders();
    }

    private static void assertHolders(long expected, String sql) {
        assertEquals(Long.toBinaryString(expected), Long.toBinaryString(holders(sql, NAMES)), sql);
        ReadEvidence evidence = evidence(sql);
        assertEquals(Long.toBinaryString(expected), Long.toBinaryString(evidence.holders()), () -> sql + evidence);
    }

    private static ReadEvidence evidence(String sql) {
        ReadEvidence.Collector collector = new ReadEvidence.Collector();
        holders(sql, new Names(CATALOG, OPTIONS, collector));
        return collector.collected();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT * FROM stock                        | lacks stock
        SELECT * FROM orders                       | lacks orders
        SELECT 1 FROM stock_view                   | lacks stock, behind stock_view
        SELECT 1 FROM view_of_view                 | lacks orders, behind view_of_view
        SELECT declared_safe()                     | may lack what it reads: calls declared_safe
        SELECT * FROM pg_class                     | may answer differently: reads pg_class
        SELECT 1 FROM catalog_view                 | may answer differently: reads pg_class, behind catalog_view
        SELECT 1 FROM calling_view                 | may answer differently: calls pg_typeof, behind calling_view
        SELECT 'x'::named_things                   | uses named_things, whose values name objects of the catalogs
        SELECT * FROM tables                       | may read information_schema.tables
        """)
    void theReasonIsTold(String sql, String because) {
        assertEquals(because, evidence(sql).because(0b10));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "SELECT $1::int + 1, now(), random(), 'x'::positive",
                "SELECT * FROM items",
                "SELECT * FROM shop.items i, LATERAL (SELECT i.id) l",
                "TABLE items",
                "SELECT upper(name), to_char(at, 'YYYY'), date_trunc('day', at), version() FROM items",
                "SELECT to_tsvector('english', name) @@ plainto_tsquery('x') FROM items",
                "SELECT row_to_json(i), count(*), concat(name, 'x') FROM items i GROUP BY i",
                "SELECT tableoid, oid FROM items",
                "SELECT current_user, current_catalog, current_date FROM items",
                "SELECT * FROM nowhere",
                "SELECT similarity(name, 'x') FROM items WHERE name = 'x'",
                "SELECT name::citext FROM items",
                "SELECT columns, tables FROM items",
                "SELECT * FROM shop.attributes",
            })
    void isAnsweredByEveryNode(String sql) {
        assertHolders(0b11, sql);
    }

    /** Names of relations where only a column, an alias or a function can stand. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT stock FROM items",
                "SELECT id, stock, \"stock\" FROM items",
                "SELECT i.stock, (i.x).stock FROM items i",
                "SELECT id FROM items WHERE stock > 1 AND stock < 3 OR NOT stock = id",
                "SELECT id FROM items ORDER BY id, stock",
                "SELECT count(*) FROM items GROUP BY id, stock HAVING count(*) > 1 ORDER BY id, stock DESC",
                "SELECT id AS stock FROM items AS stock",
                "SELECT id stock FROM items stock",
                "SELECT max(stock), sum(DISTINCT stock), count(id), coalesce(id, stock) FROM items",
                "SELECT array_agg(id ORDER BY id, stock) FROM items",
                "SELECT id IN (stock, 1), ARRAY[id, stock], (id, stock) FROM items",
                "SELECT 1 FROM items a JOIN items b ON a.id = ANY (ARRAY[b.id, stock])",
                "SELECT extract(year FROM stock), substring(name FROM stock), trim(both FROM stock) FROM items",
                "SELECT overlay(name PLACING 'x' FROM stock) FROM items",
                "SELECT id IS DISTINCT FROM stock, id IS NOT DISTINCT FROM stock, stock FROM items",
                "SELECT a.id FROM items a JOIN items b USING (stock)",
                "SELECT a.id FROM items a JOIN items b USING (id, stock) ORDER BY 1",
                "SELECT (SELECT id, stock FROM items LIMIT 1) FROM items",
                "SELECT 1 FROM items UNION SELECT id, stock FROM items",
                "SELECT 1 FROM items UNION SELECT stock FROM items",
                "SELECT CASE stock WHEN 1 THEN stock ELSE stock END FROM items",
                "SELECT rank() OVER (PARTITION BY stock ORDER BY stock), id FROM items",
                "SELECT count(*) FILTER (WHERE stock > 1) FROM items",
                "SELECT x.stock FROM (SELECT id, id stock FROM items) AS x",
                "SELECT (id), (stock) FROM items WHERE (stock = 1 OR (stock = 2)) AND (stock, id) > (1, stock)",
                "SELECT x FROM items, unnest(ARRAY[id, stock]) AS x",
                "WITH x AS (SELECT id, stock FROM items) SELECT * FROM x",
            })
    void doesNotNeedARelationThatAColumnOrAliasIsNamedAfter(String sql) {
        assertHolders(0b11, sql);
    }

    /** Places of a relation. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM stock",
                "SELECT * FROM shop.stock",
                "SELECT * FROM shop.shop.stock",
                "SELECT * FROM \"stock\" x",
                "SELECT FROM stock",
                "SELECT x.is DISTINCT FROM stock",
                "SELECT x.is DISTINCT FROM items, stock",
                "TABLE stock",
                "SELECT 1 UNION TABLE stock",
                "(TABLE stock) UNION (TABLE items)",
                "SELECT * FROM ONLY stock",
                "SELECT * FROM ONLY (stock)",
                "SELECT * FROM ONLY (shop.stock)",
                "SELECT * FROM items, stock",
                "SELECT * FROM items i, shop.stock",
                "SELECT * FROM items AS i (a, b), ONLY stock",
                "SELECT * FROM items CROSS JOIN stock",
                "SELECT * FROM items NATURAL JOIN shop.stock",
                "SELECT * FROM items LEFT JOIN stock ON true",
                "SELECT * FROM (stock JOIN items ON true)",
                "SELECT * FROM ((shop.stock JOIN items ON true) JOIN items i ON true)",
                "SELECT * FROM items, (stock JOIN items i ON true)",
                "SELECT * FROM items JOIN (stock JOIN items i ON true) ON true",
                "SELECT * FROM (SELECT * FROM items, stock) x",
                "SELECT * FROM items JOIN items b ON items.id = b.id, stock",
                "SELECT * FROM items JOIN items b USING (id), stock",
                "SELECT * FROM items, unnest(ARRAY[1, 2]) u, stock",
                "SELECT * FROM items a JOIN items b ON a.where = b.select, stock",
                "SELECT * FROM items a JOIN items b ON a.\"x\" = b.group, stock",
                "SELECT * FROM items a JOIN items b ON (a.id IS DISTINCT FROM b.id), stock",
                "SELECT * FROM items a JOIN items b ON a.id IS DISTINCT FROM b.id, stock",
                "SELECT 1 WHERE EXISTS (SELECT 1 FROM stock)",
                "SELECT 1 WHERE 1 IN (SELECT id FROM items UNION ALL SELECT id FROM stock)",
                "SELECT (SELECT max(id) FROM stock) FROM items",
                "SELECT substring((SELECT name FROM stock) FROM 2) FROM items",
                "SELECT extract(year FROM (SELECT at FROM items, stock))",
                "WITH stock AS (SELECT 1) SELECT * FROM stock",
                "WITH x AS (SELECT * FROM stock) SELECT * FROM x",
                "SELECT * FROM items, LATERAL (SELECT * FROM stock WHERE stock.id = items.id) l",
                "SELECT * FROM items ORDER BY (SELECT max(id) FROM stock)",
                "SELECT 1 FROM items ORDER BY (SELECT 1 FROM items, stock)",
                "SELECT 1 UNION SELECT id FROM items, stock ORDER BY 1",
                "SELECT DISTINCT ON (id) id FROM items, stock ORDER BY id",
                "SELECT * FROM große",
            })
    void needsTheRelationsThatItReads(String sql) {
        assertHolders(0, sql);
    }

    /** Rows of a relation as a type. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT NULL::stock",
                "SELECT NULL::shop.stock[]",
                "SELECT CAST(NULL AS stock)",
                "SELECT CAST((id) AS shop.stock) FROM items",
                "SELECT stock '(1)'",
                "SELECT shop.stock E'(1)'",
                "SELECT json_value(x, '$' RETURNING stock) FROM items",
                "SELECT xmlserialize(content y AS stock) FROM items",
                "SELECT * FROM json_to_record('{}') AS x(a stock)",
                "SELECT * FROM json_to_record('{}') AS x(a int, \"b\" shop.stock)",
                "SELECT * FROM json_to_record('{}') x(a int, value stock)",
                "SELECT * FROM ROWS FROM (json_to_record('{}') AS (a int, b stock)) x",
            })
    void needsTheRelationsWhoseRowsAreATypeOfIts(String sql) {
        assertHolders(0, sql);
    }

    @Test
    void joinsTheHoldersOfAllRelationsOfAName() {
        assertHolders(0b10, "SELECT * FROM twice");
        assertHolders(0b01, "SELECT * FROM orders, items");
        assertHolders(0, "SELECT * FROM orders, twice");
    }

    @Test
    void looksThroughViews() {
        assertHolders(0b01, "SELECT * FROM order_view");
        assertHolders(0b01, "SELECT * FROM view_of_view, items");
        assertHolders(0, "SELECT * FROM stock_view");
        assertHolders(0, "SELECT * FROM catalog_view");
        assertHolders(0, "SELECT * FROM calling_view");
        assertHolders(0, "SELECT * FROM naming_view");
        assertHolders(0b01, "SELECT * FROM ring_a");
        assertHolders(0b01, "SELECT * FROM ring_b");
        assertHolders(0b11, "SELECT stock_view, catalog_view FROM items");
    }

    @Test
    void needsTheRelationsOfRowSecurityPoliciesAndOfTypes() {
        assertHolders(0b01, "SELECT * FROM secured");
        assertHolders(0b01, "SELECT * FROM with_pair");
        assertHolders(0b01, "SELECT '(1)'::pair");
        // Attribute notation converts, too.
        assertHolders(0b01, "SELECT ('(1)').pair");
        assertHolders(0b01, "SELECT * FROM split");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT ctid FROM items",
                "SELECT i.xmin FROM items i",
                "SELECT 1 FROM items WHERE xmax = 0 OR cmin = cmax",
                "SELECT * FROM items TABLESAMPLE system (1)",
                "SELECT tableoid::regclass FROM items",
                "SELECT 'stock'::pg_catalog.regclass",
                "SELECT '{stock}'::_regclass",
                "SELECT CAST('int' AS regtype)",
                "SELECT regclass 'stock'",
                "SELECT ('stock').named_things",
                "SELECT * FROM pg_class",
                "SELECT * FROM pg_catalog.pg_tables",
                "SELECT count(*) FROM information_schema.columns",
                "SELECT count(*) FROM columns",
                "SELECT count(*) FROM attributes",
                "SELECT current_schema FROM items",
                "SELECT current_schema() FROM items",
                "SELECT current_schemas(true)",
                "SELECT collation for (name) FROM items",
                "SELECT * FROM xmltable('/a' PASSING '<a/>' COLUMNS x stock)",
                "SELECT * FROM json_table('{}', '$' COLUMNS (x stock))",
                "SELECT system_user",
                "SELECT \"current_schema\"()",
                "SELECT to_regclass('stock') IS NULL",
                "SELECT pg_typeof(1)",
                "SELECT pg_partition_root('stock')",
                "SELECT ts_lexize('english_stem', 'x')",
                "SELECT has_table_privilege('stock', 'select')",
                "SELECT pg_column_size(i) FROM items i",
                "SELECT i.pg_column_size FROM items i",
                "SELECT age(at) FROM items",
                "SELECT pg_get_viewdef(1)",
                "SELECT format_type(23, 1)",
            })
    void isForCompleteNodesIfTheEngineIsAsked(String sql) {
        assertHolders(0, sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT declared_safe(1)",
                "SELECT id FROM items i WHERE i.declared_safe > 1",
                "SELECT lower_safe(1)",
                "SELECT word_distance('x')",
                "SELECT 1 %% 2",
                "SELECT 1 <<< 2",
                "SELECT 1 >>> 2",
                "SELECT NULL::shape",
                "SELECT * FROM with_shape",
            })
    void isForCompleteNodesIfCodeIsNotReviewed(String sql) {
        assertHolders(0, sql);
    }

    @Test
    void whatRunsEverywhereCountsEverywhere() {
        for (DatabaseCatalog.Builder builder : List.of(
                new DatabaseCatalog.Builder().row("everywhere", "", "declared_safe"),
                new DatabaseCatalog.Builder().row("operator", "=", "declared_safe"))) {
            DatabaseCatalog catalog =
                    builder.row("function", "declared_safe", "io").holders(1).build();
            assertEquals(0, holders("SELECT 1", new Names(catalog, OPTIONS)));
        }
    }

    @Test
    void readsOfEveryKindHaveHolders() {
        try (StatementClassifier classifier = new StatementClassifier(OPTIONS)) {
            for (String sql : List.of(
                    "SELECT * FROM %s",
                    "TABLE shop.%s",
                    "COPY %s TO STDOUT",
                    "COPY shop.%s (id, name) TO STDOUT",
                    "COPY (SELECT * FROM %s) TO STDOUT",
                    "DECLARE c CURSOR FOR SELECT * FROM %s")) {
                for (String table : List.of("items", "orders", "stock")) {
                    Statement statement = Classifications.classify(classifier, sql.formatted(table), CATALOG)
                            .statements()
                            .get(0);
                    if (statement instanceof Statement.DeclareCursor cursor) {
                        statement = cursor.query();
                    }
                    assertEquals(CATALOG.holders(table), ((Statement.Read) statement).holders(), sql.formatted(table));
                }
            }
        }
    }

    @Test
    void nothingIsHeldInADatabaseWithoutCarriedTables() {
        Names empty = new Names(DatabaseCatalog.EMPTY, OPTIONS);
        assertEquals(0, holders("SELECT 1", empty));
        assertEquals(0, holders("SELECT * FROM items", empty));
        assertEquals(0, new Statement.Read(true).holders());
    }

    @Test
    void catalogsWithOtherHoldersDiffer() {
        DatabaseCatalog one = new DatabaseCatalog.Builder()
                .holders(1)
                .relation("t", 1L)
                .relation("u", null)
                .build();
        assertTrue(one.sameContents(new DatabaseCatalog.Builder()
                .holders(1)
                .relation("t", 1L)
                .relation("u", null)
                .build()));
        assertFalse(one.sameContents(new DatabaseCatalog.Builder()
                .holders(3)
                .relation("t", 1L)
                .relation("u", null)
                .build()));
        assertFalse(one.sameContents(new DatabaseCatalog.Builder()
                .holders(1)
                .relation("t", 0L)
                .relation("u", null)
                .build()));
        assertFalse(one.sameContents(
                new DatabaseCatalog.Builder().holders(1).relation("t", 1L).build()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "a.b.c", "shop.", "shop.orders x", "shop.\"\"", "shop.'x'", "shop.\"x"})
    void aTableOfTheConfigurationHasASchema(String name) {
        assertThrows(IllegalArgumentException.class, () -> new PartialTables.Node(0, "shop", List.of(name)));
    }

    @Test
    void aPartialSatelliteHasABitOfItsOwn() {
        PartialTables.Node first = new PartialTables.Node(0, "shop", List.of("shop.orders", "\"My Shop\".t"));
        PartialTables.Node last = new PartialTables.Node(61, "other", List.of());
        PartialTables both = new PartialTables(List.of(first, last));
        assertEquals(1L << 61 | 1, both.bits());
        assertEquals(1, both.in("shop").bits());
        assertEquals(0, both.in("nowhere").bits());
        assertThrows(IllegalArgumentException.class, () -> new PartialTables(List.of(first, first)));
        assertThrows(IllegalArgumentException.class, () -> new PartialTables.Node(62, "shop", List.of()));
        assertThrows(IllegalArgumentException.class, () -> new PartialTables.Node(-1, "shop", List.of()));
    }
}
