package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.catalog.CatalogReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All extensions that a release comes with: the list of their functions, and reads of a database that has them. */
@Tag("slow")
class ExtensionsOnPostgresqlTest extends OnEachPostgresql {
    /** Their libraries may need another that the machine lacks. */
    private static final String OF_OTHER_LANGUAGES = ".*(plperl|plpython|pltcl).*";

    /**
     * Functions that are VOLATILE only because their authors declared nothing. Indexes, dictionaries and aggregates call them.
     */
    private static final Set<String> DECLARED_NOTHING = Set.of(
            "blhandler",
            "dintdict_init",
            "dintdict_lexize",
            "dxsyn_init",
            "dxsyn_lexize",
            "int_agg_final_array",
            "int_agg_state",
            "unaccent_init",
            "unaccent_lexize");

    private static final String FUNCTIONS = """
            SELECT e.extname, p.proname, p.provolatile, CASE WHEN l.lanname IN ('c', 'internal', 'sql')
                THEN left(l.lanname, 1) ELSE 'o' END, coalesce((SELECT string_agg(t.typname, ',' ORDER BY a.n)
                FROM unnest(p.proargtypes) WITH ORDINALITY AS a (type, n) JOIN pg_type t ON t.oid = a.type), '')
            FROM pg_extension e JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
              AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass
            JOIN pg_proc p ON p.oid = d.objid JOIN pg_language l ON l.oid = p.prolang""";

    ExtensionsOnPostgresqlTest(EngineBinaries binaries) {
        assertEquals(binaries, master.binaries());
    }

    private static Connection database(String name) throws SQLException {
        master.execute("CREATE DATABASE " + name);
        Connection connection = AdminConnection.open(master.cluster().address(), "postgres", name);
        execute(connection, "SET synchronous_commit = local");
        return connection;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Set<String> available(Connection connection) throws SQLException {
        Set<String> names = new TreeSet<>();
        rows(connection, "SELECT name FROM pg_available_extensions ORDER BY name")
                .forEach(row -> names.add(row.get(0)));
        assertTrue(names.size() > 40, names::toString);
        return names;
    }

    /** @return whether it is there now */
    private static boolean create(Connection connection, String extension) throws SQLException {
        try {
            execute(connection, "CREATE EXTENSION IF NOT EXISTS \"" + extension + "\" CASCADE");
            return true;
        } catch (SQLException e) {
            if (extension.matches(OF_OTHER_LANGUAGES)) {
                return false;
            }
            throw e;
        }
    }

    @Test
    void everyFunctionOfTheirsStandsInTheListAsItIs() throws Exception {
        try (Connection connection = database("everything")) {
            Set<String> created = new TreeSet<>();
            for (String extension : available(connection)) {
                if (create(connection, extension)) {
                    created.add(extension);
                }
            }
            Set<String> missing = new TreeSet<>();
            Set<String> notReviewed = new TreeSet<>();
            Map<ExtensionFunctions.Listed, ExtensionFunctions.Section> left = new HashMap<>(ExtensionFunctions.all());
            for (List<String> row : rows(connection, FUNCTIONS)) {
                String name = row.get(1);
                ExtensionFunctions.Listed listed = new ExtensionFunctions.Listed(
                        row.get(0), name + "(" + row.get(4) + ")", row.get(3).charAt(0));
                ExtensionFunctions.Section section = left.remove(listed);
                if (section == null) {
                    missing.add(listed.toString());
                } else if (section == ExtensionFunctions.Section.LASTING
                        && row.get(2).equals("v")
                        && !DECLARED_NOTHING.contains(name)) {
                    notReviewed.add(listed.toString());
                }
            }
            assertEquals(Set.of(), missing);
            assertEquals(Set.of(), notReviewed);
            if (master.binaries().major() == EngineBinaries.NEWEST) {
                // Only earlier releases have these.
                left.keySet().removeIf(listed -> !created.contains(listed.extension()) || isFormer(listed));
                assertEquals(Set.of(), left.keySet());
            }
        }
    }

    private static boolean isFormer(ExtensionFunctions.Listed listed) {
        return FORMER.contains(listed.extension() + " " + listed.signature());
    }

    private static final Set<String> FORMER = Set.of(
            "pg_stat_statements pg_stat_statements_reset(oid,oid,int8)",
            "pg_walinspect pg_get_wal_records_info_till_end_of_wal(pg_lsn)",
            "pg_walinspect pg_get_wal_stats_till_end_of_wal(pg_lsn,bool)",
            "postgres_fdw postgres_fdw_get_connections()");

    @Test
    void ordinaryReadsStayReadsWhateverExtensionTheDatabaseHas() throws Exception {
        Map<String, String> wrong = new TreeMap<>();
        try (Connection connection = database("one_by_one")) {
            execute(connection, "CREATE TABLE plain (a int PRIMARY KEY, b text, c timestamptz)");
            for (String extension : available(connection)) {
                if (!create(connection, extension)) {
                    continue;
                }
                DatabaseCatalog catalog = CatalogReader.read(connection);
                for (String sql : List.of(
                        "SELECT 1",
                        "SELECT * FROM plain WHERE a = 1 AND b IN ('x') AND c < '2020-01-01' ORDER BY b",
                        "SELECT a + 1, lower(b), count(*) FROM plain WHERE b LIKE 'y%' AND a BETWEEN 1 AND 2"
                                + " AND b <> 'z' GROUP BY a, b HAVING max(a) >= 3",
                        "SELECT b || 'x', a % 2, a::text FROM plain p JOIN plain q USING (a, b) WHERE NOT p.a > q.a")) {
                    ClassifiedSql classified = classify(sql, catalog);
                    if (!classified.isSingleRead()) {
                        wrong.put(extension, sql + ": " + classified);
                    }
                }
                if (!extension.equals("plpgsql")) {
                    execute(connection, "DROP EXTENSION \"" + extension + "\" CASCADE");
                }
            }
        }
        assertEquals(Map.of(), wrong);
    }

    @Test
    void aFunctionOfTheUsersIsNotTakenForOneOfAnExtension() throws Exception {
        try (Connection connection = database("mixed")) {
            execute(connection, "CREATE EXTENSION isn; CREATE EXTENSION hstore; CREATE EXTENSION tablefunc");
            Map<String, String> expected = new TreeMap<>(Map.of(
                    "SELECT '978-0-393-04002-9'::isbn = '0-393-04002-X'::isbn", "read",
                    "SELECT akeys('a=>1'::hstore)", "read",
                    "SELECT normal_rand(1, 0, 1)", "read momentary",
                    "SELECT * FROM crosstab('SELECT 1') AS (a int)", "OPAQUE",
                    "SELECT isn_weak(true)", "HIDDEN"));
            assertEquals(expected, found(expected, connection));
            execute(connection, "CREATE FUNCTION akeys(int) RETURNS int LANGUAGE sql AS 'SELECT 1'");
            expected.put("SELECT akeys('a=>1'::hstore)", "OPAQUE");
            assertEquals(expected, found(expected, connection));
            // Nor if it has been made a member.
            execute(connection, "ALTER EXTENSION hstore ADD FUNCTION akeys(int)");
            assertEquals(expected, found(expected, connection));
            execute(
                    connection,
                    "CREATE OR REPLACE FUNCTION isbn(ean13) RETURNS isbn LANGUAGE sql AS 'SELECT NULL::isbn'");
            execute(connection, "ALTER EXTENSION hstore DROP FUNCTION akeys(int); DROP FUNCTION akeys(int)");
            expected.put("SELECT akeys('a=>1'::hstore)", "read");
            // A cast calls it, which is part of the type.
            expected.put("SELECT '978-0-393-04002-9'::isbn = '0-393-04002-X'::isbn", "OPAQUE");
            assertEquals(expected, found(expected, connection));
        }
    }

    private static Map<String, String> found(Map<String, String> expected, Connection connection) throws Exception {
        DatabaseCatalog catalog = CatalogReader.read(connection);
        Map<String, String> found = new TreeMap<>();
        for (String sql : expected.keySet()) {
            Statement statement = classify(sql, catalog).statements().get(0);
            found.put(
                    sql,
                    switch (statement) {
                        case Statement.Update update -> update.effect().name();
                        case Statement.Read read -> read.momentary() ? "read momentary" : "read";
                        default -> statement.toString();
                    });
        }
        return found;
    }
}
