package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.catalog.InsertedObjects;
import io.multimed.engine.postgresql.catalog.InsertedObjects.Kind;
import io.multimed.engine.postgresql.catalog.InsertedObjects.Row;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The objects that the log shows being created, compared with the system catalogs of each release. */
@Timeout(120)
@Tag("slow")
class CatalogInsertsTest {
    private static final List<String> DEFINITIONS = List.of(
            "CREATE TEMP TABLE t (id serial PRIMARY KEY, a text CHECK (a <> ''), UNIQUE (a))",
            "CREATE TEMP VIEW v AS SELECT a FROM t",
            "CREATE TEMP TABLE copied AS SELECT * FROM t",
            "CREATE INDEX ON t (a, id)",
            "CREATE TABLE p (id serial PRIMARY KEY, a text CHECK (a <> ''))",
            "CREATE TYPE pg_temp.pair AS (a int, b int)",
            "CREATE DOMAIN pg_temp.d AS int CHECK (VALUE > 0)",
            "CREATE SCHEMA s",
            "CREATE VIEW s.v AS SELECT 1 AS a",
            "CREATE TYPE s.e AS ENUM ('a')",
            "ALTER TABLE t ADD CHECK (id > 0)",
            "DROP TABLE t CASCADE",
            "DROP TABLE copied",
            "DROP TABLE p",
            "DROP TYPE pg_temp.pair",
            "DROP DOMAIN pg_temp.d",
            "DROP SCHEMA s CASCADE");

    private static final int FIRST_AFTER_INITDB = 16_384;

    private static final int PG_CATALOG = 11;

    static List<Path> installations() throws Exception {
        return Installations.all();
    }

    @ParameterizedTest
    @MethodSource("installations")
    void findsEveryNewObjectAndItsSchema(Path bin) throws Exception {
        try (TestEngine engine = TestEngine.create(
                bin,
                "synchronous_standby_names = ''",
                "wal_keep_size = 1GB",
                "autovacuum = off",
                "full_page_writes = off")) {
            engine.start();
            String start = engine.query("SELECT pg_walfile_name(pg_current_wal_lsn())");
            // The log may have images of the pages that are changed first.
            Set<Row> first = created(engine);
            Set<Row> expected = created(engine);
            Set<Row> found = logged(engine, start);
            found.removeAll(first);
            assertEquals(expected, found);
        }
    }

    /** With images of pages, and for catalogs that have other files by now, fewer objects are found, and none wrongly. */
    @ParameterizedTest
    @MethodSource("installations")
    void findsNothingElseWhereTheLogSaysLess(Path bin) throws Exception {
        try (TestEngine engine = TestEngine.create(
                bin,
                "synchronous_standby_names = ''",
                "wal_keep_size = 1GB",
                "autovacuum = off",
                "wal_level = logical")) {
            engine.start();
            String start = engine.query("SELECT pg_walfile_name(pg_current_wal_lsn())");
            Set<Row> expected = created(engine);
            engine.execute("CHECKPOINT");
            expected.addAll(created(engine));
            engine.execute("VACUUM FULL pg_class");
            expected.addAll(created(engine));
            Set<Row> found = logged(engine, start);
            // VACUUM FULL creates a table for a moment.
            found.removeIf(row -> row.schema() == PG_CATALOG);
            assertTrue(expected.containsAll(found), () -> found + " " + expected);
            assertTrue(found.size() < expected.size() && found.size() > expected.size() / 4, found::toString);
        }
    }

    /** Executes the definitions; returns the inserted rows. */
    private static Set<Row> created(TestEngine engine) throws Exception {
        Set<Row> created = new HashSet<>();
        try (Connection connection = engine.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : DEFINITIONS) {
                Set<Row> before = rows(statement);
                statement.execute(sql);
                Set<Row> after = rows(statement);
                after.removeAll(before);
                created.addAll(after);
            }
        }
        return created;
    }

    private static Set<Row> rows(Statement statement) throws SQLException {
        Map<String, Kind> kinds = Map.of("r", Kind.RELATION, "t", Kind.TYPE, "c", Kind.CONSTRAINT);
        Set<Row> rows = new HashSet<>();
        try (ResultSet row = statement.executeQuery("SELECT d.oid::int8, o.kind, o.oid::int8, o.namespace::int8"
                + " FROM (SELECT 'r' AS kind, oid, relnamespace AS namespace FROM pg_class"
                + " UNION ALL SELECT 't', oid, typnamespace FROM pg_type"
                + " UNION ALL SELECT 'c', oid, connamespace FROM pg_constraint) o, pg_database d"
                + " WHERE d.datname = current_database()")) {
            while (row.next()) {
                rows.add(new Row(
                        (int) row.getLong(1),
                        kinds.getOrDefault(row.getString(2), Kind.RELATION),
                        (int) row.getLong(3),
                        (int) row.getLong(4)));
            }
        }
        return rows;
    }

    private static Set<Row> logged(TestEngine engine, String start) throws Exception {
        CatalogInserts inserts = new CatalogInserts();
        InvalidationsTest.scan(engine, start, (end, xid, changed, database) -> {}, inserts);
        InsertedObjects found = inserts.taken();
        assertFalse(found.oidsBeginAnew());
        return found.rows().stream()
                .filter(row -> row.oid() >= FIRST_AFTER_INITDB)
                .collect(Collectors.toSet());
    }
}
