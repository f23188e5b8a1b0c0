package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.catalog.CatalogReader;
import io.multimed.testkit.random.Seed;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random reads of random schemas: a partial Satellite is a holder of a read only if it carries every table that PostgreSQL says
 * the read depends on. PostgreSQL says so of a view with the same text ({@code pg_depend}).
 */
@Tag("slow")
class PartialReadsOnPostgresqlTest extends OnEachPostgresql {
    private static final int SCHEMAS = Integer.getInteger("multimed.partial.schemas", 6);
    private static final int QUERIES = 120;
    private static final int NODES = 6;

    private static final List<String> PATHS = List.of("a, b, c", "b, a", "c, b, a", "a");

    /** All that is reached from a relation or type: what a view reads, partitions and heirs, types of types. */
    private static final String REACHED = """
            WITH RECURSIVE edges (class, obj, toclass, toobj) AS (
                SELECT 'pg_class'::regclass::oid, w.ev_class, d.refclassid, d.refobjid FROM pg_rewrite w
                    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
                    WHERE w.oid >= 16384 AND d.refobjid >= 16384
                UNION ALL SELECT 'pg_class'::regclass, inhparent, 'pg_class'::regclass, inhrelid FROM pg_inherits
                UNION ALL SELECT 'pg_type'::regclass, t.oid, 'pg_type'::regclass, a.atttypid FROM pg_type t
                    JOIN pg_class c ON c.oid = t.typrelid AND c.relkind = 'c' JOIN pg_attribute a ON a.attrelid = c.oid
                UNION ALL SELECT 'pg_type'::regclass, oid, 'pg_class'::regclass, typrelid FROM pg_type WHERE typrelid >= 16384
                UNION ALL SELECT 'pg_type'::regclass, oid, 'pg_type'::regclass, typelem FROM pg_type WHERE typelem >= 16384
                -- and more
            ), reached (class, obj) AS (
                SELECT 'pg_class'::regclass::oid, 'pg_temp.the_query'::regclass::oid
                UNION
                SELECT e.toclass, e.toobj FROM reached r JOIN edges e ON e.class = r.class AND e.obj = r.obj
            )
            SELECT c.oid FROM reached r JOIN pg_class c ON r.class = 'pg_class'::regclass AND c.oid = r.obj
             WHERE c.relkind IN ('r', 'p', 'm')""";

    /** The catalog knows no schemas: a name stands for all relations of that name. */
    private static final String NAMESAKES = """
            UNION ALL SELECT 'pg_class'::regclass, c.oid, 'pg_class'::regclass, o.oid
              FROM pg_class c JOIN pg_class o USING (relname) WHERE c.oid >= 16384 AND o.oid >= 16384""";

    private static final String TABLES = """
            SELECT c.oid, n.nspname, c.relname, i.inhparent
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
             WHERE c.oid >= 16384 AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p'""";

    private final long seed = Seed.of("multimed.test.seed");
    private int violations;
    private int answerable;
    private int expected;
    private int found;
    private int foundAsExpected;
    private int accepted;
    private int tried;
    private final Set<String> examples = new TreeSet<>();

    PartialReadsOnPostgresqlTest(EngineBinaries binaries) {
        assertEquals(binaries, master.binaries());
    }

    @Test
    void noPartialSatelliteIsAskedForATableThatItDoesNotCarry() throws Exception {
        for (int schema = 0; schema < SCHEMAS; schema++) {
            String database = "random_" + schema;
            master.execute("CREATE DATABASE " + database);
            try (Connection connection = AdminConnection.open(master.cluster().address(), "postgres", database)) {
                execute(connection, "SET synchronous_commit = local");
                tryOne(connection, database, new Random(seed + schema));
            }
            master.execute("DROP DATABASE " + database);
        }
        String figures = String.format(
                "seed %d: %d of %d queries accepted by PostgreSQL; %d nodes could answer, %d if a name stands for all of its"
                        + " relations, of which %d are found; %d are found",
                seed, accepted, tried, answerable, expected, foundAsExpected, found);
        System.out.println(figures);
        assertEquals(0, violations, figures + "\n" + String.join("\n", examples));
        assertTrue(accepted > tried / 3, figures);
        assertTrue(
                expected > accepted && foundAsExpected > 0.9 * expected, figures + "\n" + String.join("\n", examples));
    }

    @Test
    void relationsOfEveryKindHaveTheirHolders() throws Exception {
        master.execute("CREATE DATABASE kinds");
        try (Connection connection = AdminConnection.open(master.cluster().address(), "postgres", "kinds")) {
            execute(connection, "SET synchronous_commit = local");
            execute(connection, """
                    CREATE SCHEMA shop;
                    CREATE SCHEMA "My Shop";
                    CREATE TABLE shop.plain (a int PRIMARY KEY);
                    CREATE TABLE "My Shop"."Plain" (a int PRIMARY KEY);
                    CREATE TABLE shop.other (a int PRIMARY KEY);
                    CREATE TABLE shop.split (a int PRIMARY KEY) PARTITION BY RANGE (a);
                    CREATE TABLE shop.part PARTITION OF shop.split FOR VALUES FROM (0) TO (9) PARTITION BY RANGE (a);
                    CREATE TABLE shop.part_of_part PARTITION OF shop.part FOR VALUES FROM (0) TO (5);
                    CREATE TABLE shop.heir () INHERITS (shop.plain);
                    CREATE VIEW shop.plain_view AS SELECT * FROM shop.plain;
                    CREATE VIEW shop.other_view AS SELECT * FROM shop.other;
                    CREATE MATERIALIZED VIEW shop.kept AS SELECT * FROM shop.plain;
                    CREATE DOMAIN shop.table_name AS regclass;
                    CREATE TYPE shop.named AS (a int, b regtype[]);
                    CREATE DOMAIN shop.number AS int CHECK (VALUE > 0);
                    CREATE TABLE shop.naming (a int PRIMARY KEY, b regclass);
                    CREATE TABLE shop.naming_deeply (a int PRIMARY KEY, b shop.named[]);
                    CREATE TABLE shop.numbers (a shop.number PRIMARY KEY);
                    CREATE TABLE shop.secured (a int PRIMARY KEY);
                    CREATE POLICY p ON shop.secured USING (EXISTS (SELECT FROM shop.other o WHERE o.a = secured.a))""");
            PartialTables partial = new PartialTables(List.of(
                    new PartialTables.Node(
                            0,
                            "kinds",
                            List.of(
                                    "shop.plain",
                                    "SHOP.Split",
                                    "shop.naming",
                                    "shop.naming_deeply",
                                    "shop.numbers",
                                    "shop.secured",
                                    "shop.nowhere",
                                    "nowhere.plain")),
                    new PartialTables.Node(
                            61,
                            "kinds",
                            List.of("\"My Shop\".\"Plain\"", "shop.kept", "shop.part"),
                            Set.of("plain", "part_of_part"),
                            Map.of())));
            Names names = new Names(CatalogReader.read(connection, partial), ClassifierOptions.DEFAULT);
            long last = 1L << 61;
            Map<String, Long> expected = new TreeMap<>(Map.ofEntries(
                    Map.entry("SELECT 1", 1 | last),
                    Map.entry("TABLE plain", 1L),
                    Map.entry("TABLE \"My Shop\".\"Plain\"", last),
                    Map.entry("TABLE shop.other", 0L),
                    Map.entry("TABLE shop.split", 1L),
                    Map.entry("TABLE shop.part", 1 | last),
                    Map.entry("TABLE shop.part_of_part", 1 | last),
                    Map.entry("TABLE shop.heir", 1L),
                    Map.entry("TABLE shop.plain_view", 1L),
                    Map.entry("TABLE shop.other_view", 0L),
                    Map.entry("TABLE shop.kept", last),
                    Map.entry("SELECT 'plain'::shop.table_name", 0L),
                    Map.entry("SELECT ('plain').table_name", 0L),
                    Map.entry("SELECT NULL::shop.named", 0L),
                    Map.entry("SELECT 1::shop.number", 1 | last),
                    Map.entry("TABLE shop.naming", 0L),
                    Map.entry("TABLE shop.naming_deeply", 0L),
                    Map.entry("TABLE shop.numbers", 1L),
                    Map.entry("TABLE shop.secured", 0L)));
            Map<String, Long> holders = new TreeMap<>();
            expected.keySet()
                    .forEach(sql -> holders.put(
                            sql, new Judge(names, false).judge(Tokens.of(sql)).holders()));
            Map<String, Boolean> indexedAnywhere = new TreeMap<>();
            holders.replaceAll((sql, bits) -> {
                indexedAnywhere.put(sql, (bits & PartialTables.INDEXED_ANYWHERE) != 0);
                return bits & ~PartialTables.INDEXED_ANYWHERE;
            });
            assertEquals(expected, holders);
            assertEquals(true, indexedAnywhere.get("SELECT 1"));
            assertEquals(true, indexedAnywhere.get("TABLE shop.heir"));
            assertEquals(true, indexedAnywhere.get("TABLE \"My Shop\".\"Plain\""));
            assertEquals(false, indexedAnywhere.get("TABLE plain"));
            assertEquals(false, indexedAnywhere.get("TABLE shop.plain_view"), "by its table");
            assertEquals(false, indexedAnywhere.get("TABLE shop.part"), "by its partition");
            Names without = new Names(CatalogReader.read(connection, PartialTables.NONE), ClassifierOptions.DEFAULT);
            assertEquals(
                    0, new Judge(without, false).judge(Tokens.of("SELECT 1")).holders());
        }
    }

    private void tryOne(Connection connection, String database, Random random) throws Exception {
        PartialSchemaMaker maker = new PartialSchemaMaker(random);
        for (String definition : maker.definitions()) {
            tryToExecute(connection, definition);
        }
        Map<Long, String> tables = new HashMap<>();
        Map<Long, Set<Long>> parents = new HashMap<>();
        for (List<String> row : rows(connection, TABLES)) {
            long oid = Long.parseLong(row.get(0));
            tables.put(oid, row.get(1) + "." + row.get(2));
            if (row.get(3) != null) {
                parents.computeIfAbsent(oid, o -> new HashSet<>()).add(Long.parseLong(row.get(3)));
            }
        }
        List<PartialTables.Node> nodes = new ArrayList<>();
        List<Set<Long>> carried = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            Set<Long> roots = new HashSet<>();
            for (Map.Entry<Long, String> table : tables.entrySet()) {
                String name = table.getValue();
                // Most nodes carry all tables of a name.
                boolean drawn = node % 3 == 2
                        ? random.nextInt(4) > 0
                        : Math.floorMod(name.substring(2).hashCode() * 31 + node * 7, 5) > node % 3;
                if (drawn && !parents.containsKey(table.getKey())) {
                    roots.add(table.getKey());
                }
            }
            carried.add(withHeirs(roots, parents));
            // Written in several ways; a table that does not exist holds nothing.
            List<String> written = new ArrayList<>(List.of("a.nowhere", "nowhere.items"));
            roots.forEach(root -> written.add(
                    random.nextBoolean()
                            ? tables.get(root)
                            : tables.get(root).replaceAll("(\\w+)\\.(\\w+)", "\"$1\" . \"$2\"")));
            nodes.add(new PartialTables.Node(node, database, written));
        }
        nodes.add(new PartialTables.Node(NODES, "another", List.of("a.items", "b.items", "c.items")));
        Names names = new Names(
                CatalogReader.read(connection, new PartialTables(nodes).in(database)), ClassifierOptions.DEFAULT);
        for (int i = 0; i < QUERIES; i++) {
            tryQuery(connection, names, carried, maker.query());
        }
    }

    private static Set<Long> withHeirs(Set<Long> roots, Map<Long, Set<Long>> parents) {
        Set<Long> carried = new HashSet<>(roots);
        boolean grown = true;
        while (grown) {
            grown = false;
            for (Map.Entry<Long, Set<Long>> table : parents.entrySet()) {
                if (table.getValue().stream().anyMatch(carried::contains)) {
                    grown |= carried.add(table.getKey());
                }
            }
        }
        return carried;
    }

    private void tryQuery(Connection connection, Names names, List<Set<Long>> carried, String sql) throws Exception {
        Tokens tokens = Tokens.of(sql);
        for (String path : PATHS) {
            tried++;
            execute(connection, "SET search_path = " + path);
            if (!tryToExecute(connection, "CREATE TEMP VIEW the_query AS " + sql)) {
                continue;
            }
            accepted++;
            Set<Long> read = reached(connection, "");
            Set<Long> named = reached(connection, NAMESAKES);
            execute(connection, "DROP VIEW the_query");
            // The judge is asked, not the parser, which knows fewer queries.
            Verdict verdict = new Judge(names, false).judge(tokens);
            assertTrue(verdict.harmless(), () -> verdict.because() + ": " + sql);
            assertEquals(0, (verdict.holders() & ~PartialTables.INDEXED_ANYWHERE) >> NODES, sql);
            for (int node = 0; node < NODES; node++) {
                boolean can = carried.get(node).containsAll(read);
                boolean isExpected = carried.get(node).containsAll(named);
                boolean is = (verdict.holders() >> node & 1) != 0;
                answerable += can ? 1 : 0;
                expected += isExpected ? 1 : 0;
                found += is ? 1 : 0;
                foundAsExpected += is && isExpected ? 1 : 0;
                if (is && !can) {
                    violations++;
                    note("wrong: node " + node + ", search_path " + path + ": " + sql);
                } else if (isExpected && !is) {
                    note("missed: node " + node + ", search_path " + path + ": " + sql);
                }
            }
        }
    }

    private static Set<Long> reached(Connection connection, String namesakes) throws SQLException {
        Set<Long> reached = new HashSet<>();
        rows(connection, REACHED.replace("-- and more", namesakes))
                .forEach(row -> reached.add(Long.parseLong(row.get(0))));
        return reached;
    }

    private void note(String example) {
        if (examples.size() < 40 || example.startsWith("wrong")) {
            examples.add(example);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns false if PostgreSQL refuses it: names mean something else in each schema and under each search_path. */
    private static boolean tryToExecute(Connection connection, String sql) throws SQLException {
        try {
            execute(connection, sql);
            return true;
        } catch (SQLException e) {
            // Syntax, names and types; nothing else may go wrong.
            if (!e.getSQLState().matches("42...|3F000")) {
                throw new AssertionError(sql, e);
            }
            return false;
        }
    }
}
