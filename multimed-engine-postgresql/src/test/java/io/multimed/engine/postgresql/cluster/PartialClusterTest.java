package io.multimed.engine.postgresql.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.partial.CatalogDigest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Partial Satellites before any write set: copied, recovered to a position, promoted and rid of the other tables. */
@Tag("slow")
class PartialClusterTest extends EngineDirectories {
    private TestMaster master;
    private PartialCluster satellite;

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    @AfterEach
    void endEngines() {
        if (satellite != null) {
            satellite.kill();
        }
        if (master != null) {
            master.close();
        }
    }

    private PartialCluster satellite(String... tables) throws Exception {
        return new PartialCluster(
                master.satelliteConfig(temp, memory.resolve("satellite-1"), true, () -> Long.MAX_VALUE),
                () -> new CarriedTables("postgres", List.of(tables)),
                List.of(),
                List::of,
                master.cluster());
    }

    private String here(String query) throws SQLException {
        return master.textAt(satellite.address(), query);
    }

    @ParameterizedTest
    @MethodSource("releases")
    void holdsTheCommitsUpToOnePositionOfTheTablesThatItCarries(EngineBinaries binaries) throws Exception {
        master = TestMaster.start(temp, binaries);
        master.execute("CREATE DATABASE another");
        for (String sql : List.of(
                "CREATE SCHEMA shop",
                "CREATE TYPE shop.mood AS ENUM ('calm', 'cross')",
                "CREATE TABLE shop.author (id int PRIMARY KEY, name text)",
                "CREATE TABLE shop.item (id int PRIMARY KEY, author int REFERENCES shop.author, mood shop.mood, long text)",
                "CREATE TABLE shop.sale (n int, day date, PRIMARY KEY (n, day)) PARTITION BY RANGE (day)",
                "CREATE TABLE shop.sale_old PARTITION OF shop.sale FOR VALUES FROM ('2000-01-01') TO ('2020-01-01')",
                "CREATE TABLE shop.sale_new PARTITION OF shop.sale FOR VALUES FROM ('2020-01-01') TO ('2040-01-01')",
                "CREATE TABLE big AS SELECT g AS id, repeat('x', 500) AS filler, 0 AS n FROM generate_series(1, 60000) g",
                "CREATE INDEX ON big (id)",
                "CREATE MATERIALIZED VIEW summary AS SELECT count(*) FROM big",
                "CREATE VIEW shop.authors_items AS SELECT * FROM shop.item JOIN shop.author a(aid, aname) ON author = aid",
                "CREATE UNLOGGED TABLE fleeting AS SELECT 1 AS a",
                "CREATE ROLE clerk VALID UNTIL '2035-05-05'",
                "GRANT SELECT ON shop.item TO clerk",
                "CREATE POLICY certain ON shop.item USING (id > 0)",
                "CREATE VIEW shop.dear AS SELECT id FROM shop.item WHERE mood = 'cross'",
                "CREATE FUNCTION shop.label(big) RETURNS text LANGUAGE sql AS 'SELECT $1.filler'",
                "INSERT INTO shop.author SELECT g, 'author ' || g FROM generate_series(1, 100) g",
                "INSERT INTO shop.item SELECT g, g % 100 + 1, 'cross', (SELECT string_agg(md5((g * i)::text), '')"
                        + " FROM generate_series(1, 100) i) FROM generate_series(1, 500) g")) {
            master.execute(sql);
        }
        AtomicBoolean loaded = new AtomicBoolean(true);
        List<Long> ends = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> write(loaded, ends));
        TestEngines.await("some commits", () -> ends.size() > 20);
        satellite = satellite("shop.item", "shop.sale");
        assertFalse(satellite.hasData());
        int beforeTheCopy = ends.size();
        satellite.copyFromMaster(CopyProgress.SILENT);
        long copied = bytes(memory.resolve("satellite-1"));
        int atTheCopysEnd = ends.size();
        TestEngines.await("commits after the copy", () -> ends.size() > atTheCopysEnd + 5);
        satellite.start(() -> {});
        loaded.set(false);
        load.get(60, TimeUnit.SECONDS);

        try (Connection connection = master.connect()) {
            CatalogDigest now = new CarriedTables("postgres", List.of("shop.item", "shop.sale")).catalogs(connection);
            assertEquals(List.of(), satellite.catalogs().differences(now));
        }
        int last = Integer.parseInt(here("SELECT max(n) FROM shop.sale"));
        assertEquals(Integer.toString(last), here("SELECT count(*) FROM shop.sale"));
        // ends.get(n - 1) is a position after the end of commit n and before commit n + 1.
        assertTrue(last >= beforeTheCopy, last + " of " + beforeTheCopy);
        assertTrue(ends.get(last - 2) < satellite.seedPosition(), "has commit " + last);
        assertTrue(ends.get(last) > satellite.seedPosition(), "lacks commit " + (last + 1));
        String items =
                "SELECT count(*) || ' ' || sum(hashtext(t::text)) FROM (SELECT id, author, mood, long FROM shop.item) t";
        assertEquals(master.text(items), here(items));
        assertEquals(master.text("SELECT 'shop.mood'::regtype::oid"), here("SELECT 'shop.mood'::regtype::oid"));
        assertEquals("f", here("SELECT pg_is_in_recovery()"));
        assertEquals(
                "shop.dear shop.item shop.sale shop.sale_new shop.sale_old",
                here("SELECT string_agg(c.oid::regclass::text, ' ' ORDER BY c.oid::regclass::text) FROM pg_class c"
                        + " WHERE relkind IN ('r', 'p', 'm', 'v') AND oid >= 16384"));
        assertEquals("0", here("SELECT count(*) FROM pg_prepared_xacts"));
        assertTrue(copied < bytes(master.cluster().dataDirectory().resolve("base")) - (30 << 20), "copied " + copied);
        // The remaining database is whole.
        for (String sql : List.of(
                "VACUUM FULL",
                "REINDEX DATABASE postgres",
                "ANALYZE",
                "INSERT INTO shop.sale VALUES (0, '2030-01-01')")) {
            try (Connection connection = AdminConnection.open(satellite.address(), "postgres", "postgres");
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }

    private static long bytes(Path directory) throws Exception {
        try (var files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private void write(AtomicBoolean loaded, List<Long> ends) {
        try (Connection connection = master.connect();
                var statement = connection.createStatement()) {
            for (int n = 1; loaded.get() || n < 3; n++) {
                statement.execute("BEGIN; INSERT INTO shop.sale VALUES (" + n + ", '20" + (n % 2 == 0 ? "10" : "30")
                        + "-05-05'); UPDATE big SET n = n + 1 WHERE id % 997 = " + n % 997 + "; COMMIT");
                try (var row = statement.executeQuery("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint")) {
                    row.next();
                    ends.add(row.getLong(1));
                }
                if (n % 10 == 0) {
                    statement.execute("CREATE TABLE passing AS SELECT * FROM big LIMIT 1000; DROP TABLE passing");
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "public.nothing: no table",
                "public.seen: not an ordinary",
                "public.fleeting: not an ordinary",
                "public.part: without public.whole",
                "public.keyless: replica identity",
                "public.deferred: replica identity",
                "public.unindexed: replica identity",
                "public.nothing.at.all.here: ",
                "public.guarded: pg_policy",
                "public.keyed: rows of tables"
            })
    void refusesATableThatCannotBeCarriedAndSaysWhy(String tableAndReason) throws Exception {
        master = TestMaster.start(temp, TestEngines.embedded());
        for (String sql : List.of(
                "CREATE TABLE whole (a int PRIMARY KEY) PARTITION BY LIST (a)",
                "CREATE TABLE part PARTITION OF whole FOR VALUES IN (1)",
                "CREATE TABLE keyless (a int)",
                "CREATE TABLE deferred (a int PRIMARY KEY DEFERRABLE)",
                "CREATE TABLE unindexed (a int NOT NULL UNIQUE)",
                "ALTER TABLE unindexed REPLICA IDENTITY USING INDEX unindexed_a_key",
                "ALTER TABLE unindexed DROP CONSTRAINT unindexed_a_key",
                "CREATE TABLE keyed (a int PRIMARY KEY, b keyless[])",
                "CREATE TABLE guarded (a int PRIMARY KEY)",
                "CREATE POLICY by_others ON guarded USING (a IN (SELECT a FROM keyless))",
                "CREATE UNLOGGED TABLE fleeting (a int PRIMARY KEY)",
                "CREATE VIEW seen AS SELECT 1")) {
            master.execute(sql);
        }
        String[] parts = tableAndReason.split(": ", 2);
        satellite = satellite(parts[0]);
        EngineException refused = assertThrows(EngineException.class, () -> {
            satellite.copyFromMaster(CopyProgress.SILENT);
            satellite.start(() -> {});
        });
        assertTrue(String.valueOf(refused.getMessage()).contains(parts[1]), refused.getMessage());
        assertEquals(0, satellite.pid());
    }

    @Test
    void undoesPreparedTransactionsWhichWriteSetsBringWhenTheyAreCommitted() throws Exception {
        EngineBinaries binaries = TestEngines.embedded();
        master = TestMaster.start(temp, binaries, Map.of("max_prepared_transactions", "5"));
        master.execute("CREATE TABLE a (n int PRIMARY KEY)");
        master.execute("BEGIN; INSERT INTO a VALUES (1); PREPARE TRANSACTION 'it''s'");
        satellite = satellite("public.a");
        satellite.copyFromMaster(CopyProgress.SILENT);
        satellite.start(() -> {});
        assertEquals("0", here("SELECT count(*) FROM pg_prepared_xacts"));
        assertEquals("0", here("SELECT count(*) FROM a"));
    }
}
