package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import io.multimed.engine.postgresql.wire.Lsn;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The objects that commit records name, compared with the system catalogs of each release. */
@Timeout(120)
@Tag("slow")
class InvalidationsTest {
    /** OIDs of the rows of a catalog that were inserted by, or have gone with, a transaction. */
    private record Rows(Set<Integer> relations, Set<Integer> types, Set<Integer> constraints, Set<Integer> namespaces) {
        static Rows of(Statement statement) throws SQLException {
            return new Rows(
                    oids(statement, "pg_class"),
                    oids(statement, "pg_type"),
                    oids(statement, "pg_constraint"),
                    oids(statement, "pg_namespace"));
        }

        private static Set<Integer> oids(Statement statement, String catalog) throws SQLException {
            Set<Integer> oids = new HashSet<>();
            try (ResultSet rows = statement.executeQuery("SELECT oid::int8 FROM " + catalog)) {
                while (rows.next()) {
                    oids.add((int) rows.getLong(1));
                }
            }
            return oids;
        }

        Rows without(Rows others) {
            return new Rows(
                    difference(relations, others.relations),
                    difference(types, others.types),
                    difference(constraints, others.constraints),
                    difference(namespaces, others.namespaces));
        }

        private static Set<Integer> difference(Set<Integer> one, Set<Integer> other) {
            Set<Integer> left = new HashSet<>(one);
            left.removeAll(other);
            left.addAll(other.stream().filter(oid -> !one.contains(oid)).toList());
            return left;
        }
    }

    static List<Path> installations() throws Exception {
        return Installations.all();
    }

    @ParameterizedTest
    @MethodSource("installations")
    void nameEveryRowThatATransactionInsertsOrDeletes(Path bin) throws Exception {
        try (TestEngine engine = TestEngine.create(bin, "synchronous_standby_names = ''", "wal_keep_size = 1GB")) {
            engine.start();
            String start = engine.query("SELECT pg_walfile_name(pg_current_wal_lsn())");
            Map<Integer, Rows> expected = new LinkedHashMap<>();
            Map<Integer, String> statements = new HashMap<>();
            try (Connection connection = engine.connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                for (String sql : List.of(
                        "CREATE TEMP TABLE t (id serial PRIMARY KEY, a text CHECK (a <> ''), UNIQUE (a))",
                        "CREATE TEMP VIEW v AS SELECT a FROM t",
                        "CREATE TEMP TABLE parts (a int) PARTITION BY LIST (a)",
                        "CREATE TEMP TABLE part PARTITION OF parts FOR VALUES IN (1)",
                        "ALTER TABLE parts ADD b int",
                        "CREATE TABLE p (id serial PRIMARY KEY, a text CHECK (a <> ''))",
                        "CREATE SCHEMA s",
                        "CREATE VIEW s.v AS SELECT 1 AS a",
                        "CREATE DOMAIN d AS int CHECK (VALUE > 0)",
                        "DROP TABLE t CASCADE",
                        "DROP TABLE p",
                        "DROP DOMAIN d",
                        "DROP SCHEMA s CASCADE")) {
                    Rows before = Rows.of(statement);
                    statement.execute(sql);
                    int xid = transaction(statement);
                    expected.put(xid, Rows.of(statement).without(before));
                    statements.put(xid, sql);
                    connection.commit();
                }
            }
            Map<Integer, ChangedObjects> found = scan(engine, start);
            expected.forEach((xid, rows) -> {
                ChangedObjects changed = found.get(xid);
                String sql = statements.get(xid);
                assertNotNull(changed, sql);
                assertFalse(changed.others(), sql);
                assertTrue(changed.relations().containsAll(rows.relations), () -> sql + " " + rows + " " + changed);
                assertTrue(changed.types().containsAll(rows.types), () -> sql + " " + rows + " " + changed);
                assertTrue(changed.constraints().containsAll(rows.constraints), () -> sql + " " + rows + " " + changed);
                assertEquals(rows.namespaces, changed.namespaces(), sql);
            });
        }
    }

    @ParameterizedTest
    @MethodSource("installations")
    void tellWhatIsChangedBesidesRelations(Path bin) throws Exception {
        try (TestEngine engine =
                TestEngine.create(bin, "synchronous_standby_names = ''", "wal_keep_size = 1GB", "autovacuum = off")) {
            engine.start();
            engine.execute("CREATE TABLE t (a int)");
            engine.execute("CREATE FUNCTION g() RETURNS int LANGUAGE sql AS 'SELECT 1'");
            String start = engine.query("SELECT pg_walfile_name(pg_current_wal_lsn())");
            Map<String, Predicate<ChangedObjects>> expected = new LinkedHashMap<>();
            expected.put("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'", ChangedObjects::others);
            expected.put("CREATE TYPE mood AS ENUM ('sad')", ChangedObjects::others);
            expected.put("CREATE OPERATOR <<<< (FUNCTION = int4abs, RIGHTARG = int)", ChangedObjects::others);
            expected.put("CREATE CAST (point AS text) WITH INOUT", ChangedObjects::others);
            expected.put("CREATE EXTENSION hstore", ChangedObjects::others);
            expected.put("ALTER EXTENSION hstore ADD FUNCTION g()", ChangedObjects::others);
            expected.put("CREATE ROLE one", changed -> changed.roles() && changed.sessions());
            expected.put(
                    "ALTER ROLE one SET work_mem = '1MB'", changed -> changed.sessions() && !changed.concernsSchema());
            expected.put(
                    "ALTER DATABASE postgres CONNECTION LIMIT 7",
                    changed -> changed.databases() && !changed.concernsSchema());
            expected.put("COMMENT ON TABLE t IS 'x'", changed -> !changed.concernsSchema());
            for (String sql : List.of(
                    "CREATE INDEX ON t (a)",
                    "ALTER TABLE t ALTER a SET DEFAULT 1",
                    "ALTER TABLE t ENABLE ROW LEVEL SECURITY",
                    "CREATE POLICY p ON t USING (a = 1)",
                    "CREATE RULE r AS ON DELETE TO t DO INSTEAD NOTHING",
                    "CREATE TABLE child () INHERITS (t)",
                    "CREATE TRIGGER tr BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
                    "ALTER TABLE t DISABLE TRIGGER tr",
                    "DROP POLICY p ON t",
                    "DROP RULE r ON t",
                    "DROP TRIGGER tr ON t",
                    "ANALYZE t")) {
                int oid = Integer.parseInt(engine.query("SELECT 't'::regclass::oid"));
                expected.put(sql, changed -> changed.relations().contains(oid));
            }
            Map<Integer, String> statements = new HashMap<>();
            try (Connection connection = engine.connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                for (String sql : expected.keySet()) {
                    statement.execute(sql);
                    statements.put(transaction(statement), sql);
                    connection.commit();
                }
            }
            Map<Integer, ChangedObjects> found = scan(engine, start);
            List<String> wrong = new ArrayList<>();
            statements.forEach((xid, sql) -> {
                if (!expected.get(sql).test(found.getOrDefault(xid, ChangedObjects.NONE))) {
                    wrong.add(sql + ": " + found.get(xid));
                }
            });
            assertEquals(List.of(), wrong);
        }
    }

    private static int transaction(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT pg_current_xact_id()::text")) {
            row.next();
            return (int) Long.parseLong(row.getString(1));
        }
    }

    private static Map<Integer, ChangedObjects> scan(TestEngine engine, String start) throws Exception {
        Map<Integer, ChangedObjects> found = new HashMap<>();
        scan(
                engine,
                start,
                (commitEnd, xid, changed, databaseOid) -> {
                    if (changed != null) {
                        found.put(xid, changed);
                    }
                },
                new CatalogInserts());
        return found;
    }

    /** Scans the log from the beginning of a segment to its end. */
    static void scan(TestEngine engine, String start, CommitRecords.Commits commits, CatalogInserts inserts)
            throws Exception {
        engine.execute("CHECKPOINT");
        long end = Lsn.parse(engine.query("SELECT pg_current_wal_flush_lsn()"));
        int segment = Integer.parseInt(engine.query("SELECT setting FROM pg_settings WHERE name = 'wal_segment_size'"));
        long begin =
                (Long.parseLong(start.substring(8, 16), 16) << 32) + Long.parseLong(start.substring(16), 16) * segment;
        RecordScanner scanner = new RecordScanner(segment, 8192, begin, new CommitRecords(commits, inserts));
        List<Path> files;
        try (var names = Files.list(engine.data().resolve("pg_wal"))) {
            files = names.filter(file -> file.getFileName().toString().matches("[0-9A-F]{24}"))
                    .filter(file -> file.getFileName().toString().compareTo(start) >= 0)
                    .sorted()
                    .toList();
        }
        ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file)) {
                while (channel.read(bytes.clear()) > 0 && scanner.position() < end) {
                    bytes.flip();
                    bytes.limit((int) Math.min(bytes.limit(), end - scanner.position()));
                    scanner.scan(bytes);
                }
            }
        }
    }
}
