package io.multimed.engine.postgresql.writeset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.cluster.TestMaster;
import io.multimed.testkit.random.Seed;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several subscribers that join, leave and join again, some of them slow, while clients write and the Master is killed and started
 * again. What each has received is compared with the Master's tables, to the row, at exact positions. {@code
 * -Dmultimed.writesets.joins=N} makes it longer.
 */
@Timeout(600)
@Tag("slow")
class WriteSetCampaignTest {
    private static final List<String> TABLES = List.of("shop.a", "shop.b", "shop.c", "shop.d");
    private static final int SUBSCRIBERS = 3;
    private static final int WRITERS = 3;
    private static final int JOINS = Integer.getInteger("multimed.writesets.joins", 12);
    private static final int CRASHES = Math.max(2, JOINS / 8);

    private final AtomicInteger joins = new AtomicInteger();
    private final AtomicInteger crashes = new AtomicInteger();
    private final AtomicInteger comparisons = new AtomicInteger();
    /** Comparisons of subscriptions that a crash had met. */
    private final AtomicInteger outlasted = new AtomicInteger();
    /** Joins of those for whom the log had been held over a crash. */
    private final AtomicInteger heldOver = new AtomicInteger();

    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean writing = true;
    private volatile boolean joining = true;
    /** The last table is made late. */
    private volatile List<String> known = TABLES.subList(0, 3);

    private Path temp;
    private TestMaster master;
    private MasterWriteSets writeSets;

    @BeforeEach
    void makeDirectory() throws Exception {
        temp = TestEngines.directory();
    }

    @AfterEach
    void end() throws Exception {
        if (writeSets != null) {
            writeSets.close();
        }
        if (master != null) {
            master.close();
        }
        TestEngines.delete(temp);
    }

    /** A task that ends the test if it fails. */
    private interface Task {
        void run() throws Exception;
    }

    private Thread start(Task task) {
        return Thread.ofPlatform().start(() -> {
            try {
                task.run();
            } catch (Exception | AssertionError e) {
                failure.compareAndSet(null, e);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("io.multimed.engine.postgresql.writeset.CaptureCases#some")
    void nobodyMissesOrRepeatsACommit(EngineBinaries release, CaptureKind capture) throws Exception {
        long seed = Seed.of("multimed.writesets.seed");
        master = TestMaster.start(
                temp,
                release,
                Map.of(
                        "wal_level",
                        CaptureCases.walLevel(capture),
                        "logical_decoding_work_mem",
                        "64kB",
                        "fsync",
                        "off",
                        "max_connections",
                        "40"));
        writeSets = new MasterWriteSets(
                new MasterDatabase(master.cluster().address(), "postgres", "postgres"),
                new WriteSetLimits(Duration.ofSeconds(30), 512L << 20, 256 << 10, 0),
                capture);
        master.execute("CREATE SCHEMA shop");
        for (String table : known) {
            create(table);
        }
        List<Thread> writers = new ArrayList<>();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Random random = new Random(seed + i);
            writers.add(start(() -> write(random)));
        }
        for (int i = 0; i < SUBSCRIBERS; i++) {
            Random random = new Random(seed + 100 + i);
            others.add(start(() -> comeAndGo(random)));
        }
        others.add(start(() -> crash(new Random(seed + 200))));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60 + 5L * JOINS);
        while (failure.get() == null
                && System.nanoTime() < deadline
                && (joins.get() < JOINS || crashes.get() < CRASHES || outlasted.get() < 3 || heldOver.get() < 1)) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        joining = false;
        for (Thread other : others) {
            other.join();
        }
        writing = false;
        for (Thread writer : writers) {
            writer.join();
        }
        String context = "seed " + seed + ": joins " + joins + ", comparisons " + comparisons + ", crashes " + crashes
                + ", outlasted " + outlasted + ", held over " + heldOver + ", commits " + commits;
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError(context, failed);
        }
        assertTrue(
                joins.get() >= JOINS
                        && comparisons.get() >= JOINS
                        && crashes.get() >= CRASHES
                        && outlasted.get() >= 3
                        && heldOver.get() >= 1
                        && commits.get() > 10 * JOINS,
                context);
        try (Connection client = master.connect()) {
            LogicalStreamTest.awaitNothingLeft(client);
        }
    }

    private void create(String table) throws SQLException {
        master.execute("CREATE TABLE " + table + " (id int PRIMARY KEY, n int, v text)");
        master.execute("ALTER TABLE " + table + " ALTER v SET STORAGE EXTERNAL");
    }

    private void write(Random random) throws Exception {
        Connection connection = null;
        while (writing) {
            try {
                connection = connection == null ? master.connect() : connection;
                transaction(connection, random);
                commits.incrementAndGet();
            } catch (SQLException e) {
                if (connection != null) {
                    connection.close();
                }
                connection = null;
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
        if (connection != null) {
            connection.close();
        }
    }

    /** The tables come in their order, so that no transaction waits for one that waits for it, but for rows. */
    private void transaction(Connection connection, Random random) throws Exception {
        LogicalStreamTest.execute(connection, "BEGIN");
        for (String table : TABLES) {
            if (random.nextInt(2) == 0) {
                LogicalStreamTest.execute(connection, "SAVEPOINT s");
                try {
                    LogicalStreamTest.execute(connection, change(table, random));
                    LogicalStreamTest.execute(connection, random.nextInt(5) == 0 ? "ROLLBACK TO s" : "RELEASE s");
                } catch (SQLException e) {
                    // It is not there yet.
                    if (!"42P01".equals(e.getSQLState())) {
                        throw e;
                    }
                    LogicalStreamTest.execute(connection, "ROLLBACK TO s");
                }
                if (random.nextInt(40) == 0) {
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
                }
            }
        }
        LogicalStreamTest.execute(connection, random.nextInt(10) == 0 ? "ROLLBACK" : "COMMIT");
    }

    private static String change(String table, Random random) {
        int id = random.nextInt(60);
        return switch (random.nextInt(8)) {
            case 0 -> "DELETE FROM " + table + " WHERE id = " + id;
            case 1 -> "UPDATE " + table + " SET id = -id WHERE id = " + id;
            case 2 -> "UPDATE " + table + " SET n = n + 1 WHERE id BETWEEN " + id + " AND " + (id + 2);
            case 3 ->
                random.nextInt(8) > 0
                        ? "UPDATE " + table + " SET n = n + 1 WHERE id = " + id
                        : "INSERT INTO " + table + " SELECT i, 0, repeat(md5(i::text), 4) FROM generate_series(1000, "
                                + (1200 + random.nextInt(2000)) + ") i ON CONFLICT DO NOTHING";
            case 4 ->
                random.nextInt(6) > 0
                        ? "DELETE FROM " + table + " WHERE id = " + -id
                        : random.nextInt(3) > 0 ? "DELETE FROM " + table + " WHERE id >= 1000" : "TRUNCATE " + table;
            default ->
                "INSERT INTO " + table + " VALUES (" + id + ", 0, repeat('x', " + random.nextInt(4000)
                        + ")) ON CONFLICT (id) DO UPDATE SET n = excluded.n + 1";
        };
    }

    private void crash(Random random) throws Exception {
        while (joining) {
            TimeUnit.MILLISECONDS.sleep(1500 + random.nextInt(1500));
            master.cluster().kill();
            TimeUnit.MILLISECONDS.sleep(random.nextInt(200));
            master.cluster().start(Duration.ofSeconds(60), reason -> {});
            if (crashes.incrementAndGet() == 1) {
                create(TABLES.get(3));
                known = TABLES;
            }
            if (crashes.get() > 2 * CRASHES && outlasted.get() >= 3 && heldOver.get() >= 1) {
                return;
            }
        }
    }

    private void comeAndGo(Random random) throws Exception {
        while (joining) {
            List<String> tables = new ArrayList<>(known);
            Collections.shuffle(tables, random);
            tables = tables.subList(0, 1 + random.nextInt(tables.size()));
            Collections.sort(tables);
            try (MasterWriteSets.Joining place = writeSets.prepare(tables)) {
                int before = crashes.get();
                TableModel model = look(tables);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(800));
                int held = crashes.get() - before;
                Subscription subscription = place.join(model::carries, model.position());
                heldOver.addAndGet(Math.min(1, held));
                joins.incrementAndGet();
                try {
                    stay(random, tables, model, subscription);
                } finally {
                    writeSets.leave(subscription);
                }
            } catch (EngineException e) {
                // The Master is being started.
                assertFalse(String.valueOf(e.getMessage()).contains("lost"), () -> String.valueOf(e));
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    private void stay(Random random, List<String> tables, TableModel model, Subscription subscription)
            throws Exception {
        int before = crashes.get();
        boolean slow = random.nextInt(3) == 0;
        for (int look = 1 + random.nextInt(4); look > 0 && failure.get() == null; look--) {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(700));
            while (System.nanoTime() < until) {
                if (slow) {
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(400));
                }
                if (subscription.received() > subscription.done()) {
                    model.step(subscription, 16 << 10, null);
                }
            }
            TableModel expected = look(tables);
            boolean compared = false;
            while (!compared) {
                writeSets.requestProgress();
                compared = model.step(subscription, 64 << 10, expected);
            }
            assertNull(subscription.ended());
            comparisons.incrementAndGet();
            outlasted.addAndGet(crashes.get() > before ? 1 : 0);
        }
    }

    /** Looks at the Master's tables, as soon as it can be looked at. */
    private TableModel look(List<String> tables) throws Exception {
        while (true) {
            try (Connection client = master.connect()) {
                return TableModel.of(client, tables);
            } catch (SQLException e) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }
}
