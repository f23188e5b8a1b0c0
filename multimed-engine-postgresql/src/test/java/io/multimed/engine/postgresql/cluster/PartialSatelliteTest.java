package io.multimed.engine.postgresql.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.CopyProgress;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.writeset.Applier;
import io.multimed.engine.postgresql.writeset.CaptureCases;
import io.multimed.engine.postgresql.writeset.CaptureKind;
import io.multimed.engine.postgresql.writeset.MasterWriteSets;
import io.multimed.engine.postgresql.writeset.SubscriberPositions;
import io.multimed.engine.postgresql.writeset.Subscription;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A partial Satellite from its copy on: seeded while the Master is written to, then fed by write sets from the position of its seed.
 * No commit is lost or applied twice between the two, and readers see whole transactions.
 */
@Tag("slow")
class PartialSatelliteTest extends EngineDirectories {
    private static final int ACCOUNTS = 50;
    private static final List<String> CARRIED = List.of("shop.account", "shop.entry");
    private static final String DEADLOCK = "40P01";

    /** The money of all accounts and of all entries, and the number of entries: the first two never change. */
    private static final String SUMS = "SELECT (SELECT sum(balance) FROM shop.account),"
            + " (SELECT coalesce(sum(amount), 0) FROM shop.entry), (SELECT count(*) FROM shop.entry)";

    private static final List<String> CONTENTS = List.of(
            "SELECT string_agg(t::text, '|' ORDER BY id) FROM shop.account t",
            "SELECT count(*) || md5(string_agg(t::text, '|' ORDER BY day, n)) FROM shop.entry t");

    private TestMaster master;
    private PartialCluster satellite;

    @AfterEach
    void endEngines() {
        if (satellite != null) {
            satellite.kill();
        }
        if (master != null) {
            master.close();
        }
    }

    /** Notes how far the Satellite is. */
    private static final class Noted implements SubscriberPositions {
        final AtomicLong applied = new AtomicLong();
        final AtomicReference<Throwable> lost = new AtomicReference<>();

        @Override
        public long forwarded(long scn) {
            // No reader waits here for a floor.
            return scn;
        }

        @Override
        public void applied(long scn) {
            applied.set(scn);
        }

        @Override
        public void lost(Throwable cause) {
            lost.set(cause);
        }
    }

    @ParameterizedTest
    @MethodSource("io.multimed.engine.postgresql.writeset.CaptureCases#some")
    void goesOnFromTheSeedWithoutAGapOrARepetition(EngineBinaries binaries, CaptureKind capture) throws Exception {
        master = TestMaster.start(
                temp,
                binaries,
                Map.of(
                        "wal_level",
                        CaptureCases.walLevel(capture),
                        "max_prepared_transactions",
                        "5",
                        "max_connections",
                        "40"));
        for (String sql : List.of(
                "CREATE SCHEMA shop",
                "CREATE TABLE shop.account (id int PRIMARY KEY, balance int, history text)",
                "ALTER TABLE shop.account ALTER history SET STORAGE EXTERNAL",
                "CREATE TABLE shop.entry (n bigint GENERATED ALWAYS AS IDENTITY, day int, account int, amount int,"
                        + " PRIMARY KEY (n, day)) PARTITION BY LIST (day)",
                "CREATE TABLE shop.entry_0 PARTITION OF shop.entry FOR VALUES IN (0, 1, 2)",
                "CREATE TABLE shop.entry_1 PARTITION OF shop.entry DEFAULT",
                "CREATE TABLE elsewhere AS SELECT g AS id, repeat('x', 300) AS filler FROM generate_series(1, 20000) g",
                "INSERT INTO shop.account SELECT g, 100, repeat(md5(g::text), 100) FROM generate_series(1, " + ACCOUNTS
                        + ") g")) {
            master.execute(sql);
        }
        Noted noted = new Noted();
        AtomicBoolean loaded = new AtomicBoolean(true);
        try (MasterWriteSets writeSets =
                new MasterWriteSets(master.cluster().address(), "postgres", "postgres", capture)) {
            MasterWriteSets.Joining joining = writeSets.prepare(CARRIED);
            master.execute("BEGIN; INSERT INTO shop.entry (day, account, amount) VALUES (2, 1, 7), (3, 2, -7);"
                    + " PREPARE TRANSACTION 'spanning'");
            List<CompletableFuture<Void>> load = new ArrayList<>();
            AtomicInteger commits = new AtomicInteger();
            for (int i = 0; i < 3; i++) {
                Random random = new Random(i);
                load.add(CompletableFuture.runAsync(() -> write(random, loaded, commits)));
            }
            satellite = satellite();
            satellite.copyFromMaster(CopyProgress.SILENT);
            satellite.start(() -> {});
            long seed = satellite.seedPosition();
            Subscription subscription = joining.join(table -> table.schema().equals("shop"), seed);
            try (Applier applier = new Applier(
                            "1",
                            subscription,
                            () -> AdminConnection.open(satellite.address(), "postgres", "postgres"),
                            noted,
                            Map.of(),
                            Duration.ofMinutes(1),
                            UnaryOperator.identity());
                    Connection reader = AdminConnection.open(satellite.address(), "postgres", "postgres");
                    Statement reading = reader.createStatement()) {
                applier.start();
                int before = commits.get();
                long seen = 0;
                while (commits.get() < before + 500) {
                    seen = requireWhole(reading, seen);
                }
                master.execute("COMMIT PREPARED 'spanning'");
                loaded.set(false);
                for (CompletableFuture<Void> one : load) {
                    one.get(60, TimeUnit.SECONDS);
                }
                long end = Long.parseLong(master.text("SELECT (pg_current_wal_lsn() - '0/0')::bigint"));
                writeSets.requestProgress();
                assertTrue(
                        subscription.await(end, 60, TimeUnit.SECONDS), () -> "applied " + noted.applied + " of " + end);
                assertNull(noted.lost.get());
                for (String content : CONTENTS) {
                    assertEquals(master.text(content), master.textAt(satellite.address(), content));
                }
                assertTrue(seed > 0 && seed < end);
                assertEquals(
                        "1", master.textAt(satellite.address(), "SELECT count(*) FROM shop.entry WHERE amount = 7"));
            }
        } finally {
            loaded.set(false);
        }
    }

    private static long requireWhole(Statement reading, long seen) throws SQLException {
        try (ResultSet row = reading.executeQuery(SUMS)) {
            row.next();
            assertEquals(ACCOUNTS * 100, row.getInt(1));
            assertEquals(0, row.getInt(2));
            assertTrue(row.getLong(3) >= seen, "entries have vanished");
            return row.getLong(3);
        }
    }

    /** Moves money between two accounts in each transaction, some of which are undone in part or as a whole. */
    private void write(Random random, AtomicBoolean loaded, AtomicInteger commits) {
        try (Connection connection = master.connect();
                Statement statement = connection.createStatement()) {
            while (loaded.get()) {
                int from = 1 + random.nextInt(ACCOUNTS - 1);
                int to = from + 1 + random.nextInt(ACCOUNTS - from);
                int amount = 100 + random.nextInt(100);
                String rest = random.nextInt(5) == 0
                        ? "SAVEPOINT a; UPDATE shop.account SET balance = 0; ROLLBACK TO a;"
                        : random.nextInt(5) == 0
                                ? "UPDATE elsewhere SET id = id + 1 WHERE id % 1000 = " + amount + ";"
                                : "";
                String transfer = "BEGIN; UPDATE shop.account SET balance = balance - " + amount + " WHERE id = " + from
                        + "; UPDATE shop.account SET balance = balance + " + amount + " WHERE id = " + to
                        + "; INSERT INTO shop.entry (day, account, amount) VALUES (" + random.nextInt(6) + ", " + from
                        + ", "
                        + -amount + "), (" + random.nextInt(6) + ", " + to + ", " + amount + ");" + rest
                        + (random.nextInt(10) == 0 ? "ROLLBACK" : "COMMIT");
                try {
                    statement.execute(transfer);
                    commits.incrementAndGet();
                } catch (SQLException e) {
                    if (!DEADLOCK.equals(e.getSQLState())) {
                        throw e;
                    }
                    statement.execute("ROLLBACK");
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private PartialCluster satellite() throws Exception {
        return new PartialCluster(
                master.satelliteConfig(temp, memory.resolve("satellite-1"), true, () -> Long.MAX_VALUE),
                () -> new CarriedTables("postgres", CARRIED),
                List.of(),
                List::of,
                master.cluster());
    }
}
