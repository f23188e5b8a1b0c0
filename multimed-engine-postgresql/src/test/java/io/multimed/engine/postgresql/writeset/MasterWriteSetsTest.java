package io.multimed.engine.postgresql.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.cluster.TestMaster;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Subscribers of one database's write sets that come and go, on a real Master of each release. */
@Timeout(120)
@Tag("slow")
class MasterWriteSetsTest {
    private static final Map<String, String> SETTINGS =
            Map.of("logical_decoding_work_mem", "64kB", "fsync", "off", "max_prepared_transactions", "5");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long QUEUE = 1 << 20;

    private Path temp;
    private TestMaster master;
    private MasterWriteSets writeSets;
    private CaptureKind capture;
    private Connection client;

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    @BeforeEach
    void makeDirectory() throws Exception {
        temp = TestEngines.directory();
    }

    @AfterEach
    void end() throws Exception {
        if (writeSets != null) {
            writeSets.close();
        }
        if (client != null) {
            client.close();
        }
        if (master != null) {
            master.close();
        }
        TestEngines.delete(temp);
    }

    private void start(EngineBinaries release) throws Exception {
        start(release, CaptureKind.LOG);
    }

    private void start(EngineBinaries release, CaptureKind by) throws Exception {
        capture = by;
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.put("wal_level", CaptureCases.walLevel(by));
        master = TestMaster.start(temp, release, settings);
        writeSets = writeSets(PATIENCE);
        client = master.connect();
        execute("CREATE SCHEMA shop");
        for (String table : List.of("a", "b", "c")) {
            execute("CREATE TABLE shop." + table + " (id int PRIMARY KEY, n int, v text)");
            execute("INSERT INTO shop." + table + " SELECT i, 0, 'first' FROM generate_series(1, 100) i");
        }
    }

    private MasterWriteSets writeSets(Duration patience) {
        return writeSets(patience, WriteSetLimits.AS_MASTER);
    }

    private MasterWriteSets writeSets(Duration patience, long room) {
        return new MasterWriteSets(
                new MasterDatabase(master.cluster().address(), "postgres", "postgres"),
                new WriteSetLimits(patience, 512L << 20, QUEUE, room),
                capture);
    }

    private void execute(String... statements) throws SQLException {
        LogicalStreamTest.execute(client, statements);
    }

    private TableModel now(String... tables) throws SQLException {
        return TableModel.of(client, List.of(tables));
    }

    private Subscription join(MasterWriteSets.Joining joining, TableModel model) throws EngineException {
        return joining.join(model::carries, model.position());
    }

    private void compare(TableModel model, Subscription subscription, String... tables) throws Exception {
        TableModel expected = now(tables);
        LogicalStreamTest.flush(client);
        writeSets.requestProgress();
        model.follow(subscription, expected.position());
        model.requireSame(expected);
    }

    @ParameterizedTest
    @MethodSource("releases")
    void oneAfterTheOtherComesAndGoesAndAllThatIsLeftIsNothing(EngineBinaries release) throws Exception {
        start(release);
        MasterWriteSets.Joining joiningA = writeSets.prepare(List.of("shop.a", "shop.no_such_table"));
        TableModel a = now("shop.a");
        execute("UPDATE shop.a SET n = n + 1");
        Subscription ofA = join(joiningA, a);
        compare(a, ofA, "shop.a");

        execute("CREATE TABLE shop.late (id int PRIMARY KEY, n int, v text) PARTITION BY RANGE (id)");
        execute("CREATE TABLE shop.late_low PARTITION OF shop.late FOR VALUES FROM (0) TO (100)");
        MasterWriteSets.Joining joiningLate = writeSets.prepare(List.of("shop.late", "shop.b"));
        execute("INSERT INTO shop.late VALUES (1, 1, 'in the copy')", "UPDATE shop.a SET n = n + 1");
        TableModel late = now("shop.b", "shop.late_low");
        execute("INSERT INTO shop.late VALUES (2, 2, 'not in the copy')", "UPDATE shop.a SET n = n + 1");
        compare(a, ofA, "shop.a");
        Subscription ofLate = join(joiningLate, late);
        execute("DELETE FROM shop.b WHERE id < 50");
        compare(late, ofLate, "shop.b", "shop.late_low");
        compare(a, ofA, "shop.a");
        TestEngines.await("one decoding for both", () -> count("pg_replication_slots") == 1);

        writeSets.leave(ofA);
        TestEngines.await("nobody needs the first table", () -> count("pg_publication_rel") == 2);
        execute("UPDATE shop.b SET n = 7");
        compare(late, ofLate, "shop.b", "shop.late_low");
        MasterWriteSets.Joining given = writeSets.prepare(List.of("shop.c"));
        assertEquals(3, count("pg_publication_rel"));
        given.close();
        writeSets.leave(ofLate);
        LogicalStreamTest.awaitNothingLeft(client);

        MasterWriteSets.Joining again = writeSets.prepare(List.of("shop.a"));
        a = now("shop.a");
        ofA = join(again, a);
        execute("UPDATE shop.a SET n = n + 1");
        compare(a, ofA, "shop.a");
        assertThrows(
                IllegalArgumentException.class,
                () -> writeSets.prepare(List.of("shop.a")).join(table -> true, 1));
        writeSets.close();
        LogicalStreamTest.awaitNothingLeft(client);
        assertThrows(EngineException.class, () -> writeSets.prepare(List.of("shop.a")));
    }

    /** The copy contains such a table, and nobody would send its changes. */
    @ParameterizedTest
    @MethodSource("io.multimed.engine.postgresql.writeset.CaptureCases#some")
    void nobodyReceivesForACopyThatMayHaveTablesWhichWereCreatedAfterTheOthersWerePublished(
            EngineBinaries release, CaptureKind by) throws Exception {
        start(release, by);
        for (List<String> creates : List.of(
                List.of("CREATE TABLE shop.late (id int PRIMARY KEY)"),
                List.of("CREATE TABLE shop.heir (PRIMARY KEY (id)) INHERITS (shop.a)"),
                List.of("DROP TABLE shop.b", "CREATE TABLE shop.b (id int PRIMARY KEY)"))) {
            try (MasterWriteSets.Joining joining = writeSets.prepare(List.of("shop.a", "shop.b", "shop.late"))) {
                execute(creates.toArray(String[]::new));
                TableModel now = now("shop.a");
                EngineException refused = assertThrows(EngineException.class, () -> join(joining, now));
                assertTrue(refused.getMessage().contains("created or altered during the copy"), refused.getMessage());
            }
            try (MasterWriteSets.Joining joining = writeSets.prepare(List.of("shop.a", "shop.b", "shop.late"))) {
                TableModel now = now("shop.a");
                writeSets.leave(join(joining, now));
            }
        }
    }

    private long count(String catalog) throws SQLException {
        return Long.parseLong(LogicalStreamTest.query(client, "SELECT count(*) FROM " + catalog));
    }

    @ParameterizedTest
    @MethodSource("io.multimed.engine.postgresql.writeset.CaptureCases#some")
    void theHoldOutlastsACopyDuringWhichOthersGoOnAndTheMasterCrashes(EngineBinaries release, CaptureKind by)
            throws Exception {
        start(release, by);
        TableModel a = null;
        Subscription ofA;
        try (MasterWriteSets.Joining joining = writeSets.prepare(List.of("shop.a"))) {
            a = now("shop.a");
            ofA = join(joining, a);
        }
        MasterWriteSets.Joining joining = writeSets.prepare(List.of("shop.b"));
        TableModel b = now("shop.b");
        for (int round = 0; round < 2; round++) {
            execute("UPDATE shop.a SET n = n + 1", "UPDATE shop.b SET n = n + 1");
            compare(a, ofA, "shop.a");
            // The confirmed position would pass the copy's by now, and a checkpoint makes it last.
            TimeUnit.MILLISECONDS.sleep(1500);
            execute("CHECKPOINT");
            crash();
        }
        Subscription ofB = join(joining, b);
        compare(b, ofB, "shop.b");
        execute("UPDATE shop.a SET n = n + 1", "UPDATE shop.b SET n = n + 1");
        compare(b, ofB, "shop.b");
        compare(a, ofA, "shop.a");
    }

    private void crash() throws Exception {
        client.close();
        master.cluster().kill();
        master.cluster().start(Duration.ofSeconds(60), reason -> {});
        client = master.connect();
    }

    @ParameterizedTest
    @MethodSource("releases")
    void aTransactionThatHadWrittenBeforeItsTableWasPublishedIsWaitedFor(EngineBinaries release) throws Exception {
        start(release);
        MasterWriteSets.Joining joining = writeSets.prepare(List.of("shop.a"));
        TableModel a = now("shop.a");
        Subscription ofA = join(joining, a);
        try (Connection writer = master.connect()) {
            LogicalStreamTest.execute(writer, "BEGIN", "UPDATE shop.b SET v = 'early' WHERE id = 1");
            String pid = LogicalStreamTest.query(writer, "SELECT pg_backend_pid()");
            CompletableFuture<MasterWriteSets.Joining> waits = preparing("shop.b");
            TestEngines.await("the table is published", () -> count("pg_publication_rel") == 2);
            // Another that needs the table has to wait just as long, and a writer that comes later delays neither.
            CompletableFuture<MasterWriteSets.Joining> waitsToo = preparing("shop.b", "shop.c");
            TestEngines.await(
                    "both look for writers",
                    () -> count("pg_stat_activity WHERE query LIKE '%pg_locks l%' AND pid <> pg_backend_pid()") == 2);
            try (Connection later = master.connect()) {
                LogicalStreamTest.execute(later, "BEGIN", "UPDATE shop.b SET v = 'later' WHERE id = 2");
                // The log is decoded with the catalog as of the writer's begin.
                execute("UPDATE shop.a SET n = 9");
                compare(a, ofA, "shop.a");
                assertFalse(waits.isDone() || waitsToo.isDone());
                LogicalStreamTest.execute(writer, "UPDATE shop.b SET v = 'late' WHERE id = 3", "COMMIT");
                MasterWriteSets.Joining first = waits.get(30, TimeUnit.SECONDS);
                waitsToo.get(30, TimeUnit.SECONDS).close();
                LogicalStreamTest.execute(later, "COMMIT");
                TableModel b = now("shop.b");
                Subscription ofB = join(first, b);
                execute("UPDATE shop.b SET n = n + 1");
                compare(b, ofB, "shop.b");
            }
            writeSets.close();
            writeSets = writeSets(Duration.ofSeconds(1));
            joining = writeSets.prepare(List.of("shop.a"));
            LogicalStreamTest.execute(writer, "BEGIN", "UPDATE shop.b SET v = 'early' WHERE id = 1");
            EngineException late = assertThrows(EngineException.class, () -> writeSets.prepare(List.of("shop.b")));
            assertTrue(late.getMessage().contains("process " + pid + " of postgres"), late.getMessage());
            LogicalStreamTest.execute(writer, "COMMIT", "BEGIN", "UPDATE shop.b SET v = 'early' WHERE id = 1");
            LogicalStreamTest.execute(writer, "PREPARE TRANSACTION 'p'");
            late = assertThrows(EngineException.class, () -> writeSets.prepare(List.of("shop.b")));
            assertTrue(late.getMessage().contains("pg_prepared_xacts"), late.getMessage());
            LogicalStreamTest.execute(writer, "ROLLBACK PREPARED 'p'");
        }
    }

    private CompletableFuture<MasterWriteSets.Joining> preparing(String... tables) {
        CompletableFuture<MasterWriteSets.Joining> joining = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                joining.complete(writeSets.prepare(List.of(tables)));
            } catch (EngineException | InterruptedException | RuntimeException e) {
                joining.completeExceptionally(e);
            }
        });
        return joining;
    }

    @ParameterizedTest
    @MethodSource("releases")
    void whatIsLostFromOutsideEndsAllAndTheNextBeginsAnew(EngineBinaries release) throws Exception {
        start(release);
        List<String> losses = List.of(
                "DROP PUBLICATION multimed",
                "ALTER PUBLICATION multimed DROP TABLE shop.a",
                "DO $$ BEGIN LOOP BEGIN PERFORM pg_terminate_backend(active_pid), pg_sleep(0.001) FROM pg_replication_slots;"
                        + " PERFORM pg_drop_replication_slot(slot_name) FROM pg_replication_slots; EXIT;"
                        + " EXCEPTION WHEN object_in_use THEN NULL; END; END LOOP; END $$");
        for (String loss : losses) {
            MasterWriteSets.Joining joining = writeSets.prepare(List.of("shop.a"));
            MasterWriteSets.Joining copied = writeSets.prepare(List.of("shop.b"));
            TableModel a = now("shop.a");
            Subscription ofA = join(joining, a);
            execute("UPDATE shop.a SET n = n + 1");
            compare(a, ofA, "shop.a");
            execute(loss);
            TestEngines.await(loss, () -> {
                execute("UPDATE shop.a SET n = n + 1");
                return ofA.ended() != null;
            });
            assertNull(ofA.take(1));
            EngineException lost =
                    assertThrows(EngineException.class, () -> copied.join(table -> true, Long.MAX_VALUE));
            assertTrue(lost.getMessage().contains("have been lost"), lost.getMessage());
            writeSets.leave(ofA);
            copied.close();
        }
        MasterWriteSets.Joining joining = writeSets.prepare(List.of("shop.a"));
        TableModel a = now("shop.a");
        Subscription ofA = join(joining, a);
        execute("UPDATE shop.a SET n = n + 1");
        compare(a, ofA, "shop.a");
    }

    @ParameterizedTest
    @MethodSource("releases")
    void aTableThatLosesItsReplicaIdentityIsGivenUpAndCanBeChanged(EngineBinaries release) throws Exception {
        start(release);
        MasterWriteSets.Joining joiningA = writeSets.prepare(List.of("shop.a"));
        MasterWriteSets.Joining joiningB = writeSets.prepare(List.of("shop.b"));
        TableModel a = now("shop.a");
        Subscription ofA = join(joiningA, a);
        TableModel b = now("shop.b");
        Subscription ofB = join(joiningB, b);
        execute("ALTER TABLE shop.a DROP CONSTRAINT a_pkey");
        writeSets.catalogChanged();
        TestEngines.await("rows can be changed", () -> {
            try {
                execute("UPDATE shop.a SET n = n + 1");
                return true;
            } catch (SQLException e) {
                assertEquals("55000", e.getSQLState());
                return false;
            }
        });
        assertTrue(String.valueOf(ofA.ended()).contains("REPLICA IDENTITY"), String.valueOf(ofA.ended()));
        execute("UPDATE shop.b SET n = n + 1");
        compare(b, ofB, "shop.b");
        for (String kind : List.of("shop.a", "shop.c", "shop.p")) {
            switch (kind) {
                case "shop.c" -> execute("ALTER TABLE shop.c REPLICA IDENTITY NOTHING");
                case "shop.p" -> {
                    execute("CREATE TABLE shop.p (id int) PARTITION BY LIST (id)");
                    execute("CREATE TABLE shop.p_1 PARTITION OF shop.p FOR VALUES IN (1)");
                }
                default -> execute("ALTER TABLE shop.a ADD PRIMARY KEY (id) DEFERRABLE");
            }
            EngineException refused =
                    assertThrows(EngineException.class, () -> writeSets.prepare(List.of("shop.b", kind)));
            assertTrue(refused.getMessage().contains("REPLICA IDENTITY"), refused.getMessage());
            assertTrue(refused.getMessage().contains(kind), refused.getMessage());
            assertEquals(1, count("pg_publication_rel"));
        }
        execute("UPDATE shop.b SET n = n + 1", "UPDATE shop.c SET n = n + 1");
        compare(b, ofB, "shop.b");
    }

    @ParameterizedTest
    @MethodSource("releases")
    void whoDoesNotKeepUpHoldsNobodyUpAndMissesNothing(EngineBinaries release) throws Exception {
        start(release);
        MasterWriteSets.Joining joiningSlow = writeSets.prepare(List.of("shop.a"));
        MasterWriteSets.Joining joiningFast = writeSets.prepare(List.of("shop.a", "shop.b"));
        TableModel slow = now("shop.a");
        TableModel fast = now("shop.a", "shop.b");
        Subscription ofSlow = join(joiningSlow, slow);
        Subscription ofFast = join(joiningFast, fast);
        execute("UPDATE shop.b SET n = n + 1");
        compare(fast, ofFast, "shop.a", "shop.b");
        TestEngines.await("one decoding for both", () -> count("pg_replication_slots") == 1);
        for (int round = 0; round < 30; round++) {
            // Each fills a queue by half.
            execute(
                    "UPDATE shop.a SET n = n + 1, v = repeat('" + round % 10 + "', 5000)",
                    "UPDATE shop.b SET n = n + 1");
            compare(fast, ofFast, "shop.a", "shop.b");
        }
        assertEquals(2, count("pg_replication_slots"));
        compare(slow, ofSlow, "shop.a");
        TestEngines.await("one decoding for both again", () -> {
            execute("UPDATE shop.a SET n = n + 1");
            compare(slow, ofSlow, "shop.a");
            return count("pg_replication_slots") == 1;
        });
        compare(fast, ofFast, "shop.a", "shop.b");
    }

    @ParameterizedTest
    @MethodSource("io.multimed.engine.postgresql.writeset.CaptureCases#some")
    void theLogIsLetGoAndRemovedBeforeItFillsTheMastersDisk(EngineBinaries release, CaptureKind by) throws Exception {
        start(release, by);
        writeSets = writeSets(PATIENCE, Long.MAX_VALUE);
        String checkpoint = LogicalStreamTest.query(client, "SELECT checkpoint_lsn FROM pg_control_checkpoint()");
        TestEngines.await("the log is let go", () -> {
            // The look at the room may come between.
            try (MasterWriteSets.Joining joining = writeSets.prepare(List.of("shop.a"))) {
                TableModel a = now("shop.a");
                Subscription ofA = join(joining, a);
                TestEngines.await("the end", () -> ofA.ended() != null);
                assertTrue(String.valueOf(ofA.ended()).contains("little room"), String.valueOf(ofA.ended()));
                writeSets.leave(ofA);
                return true;
            } catch (EngineException e) {
                assertTrue(String.valueOf(e.getMessage()).contains("little room"), e.getMessage());
                return false;
            }
        });
        LogicalStreamTest.awaitNothingLeft(client);
        TestEngines.await(
                "a checkpoint",
                () -> !checkpoint.equals(
                        LogicalStreamTest.query(client, "SELECT checkpoint_lsn FROM pg_control_checkpoint()")));
    }

    @ParameterizedTest
    @MethodSource("io.multimed.engine.postgresql.writeset.CaptureCases#some")
    void commitsThatConcernNobodyArePassed(EngineBinaries release, CaptureKind by) throws Exception {
        start(release, by);
        MasterWriteSets.Joining joining = writeSets.prepare(List.of("shop.a"));
        TableModel a = now("shop.a");
        Subscription ofA = join(joining, a);
        execute("CREATE DATABASE other");
        for (boolean requested : List.of(false, true)) {
            execute("UPDATE shop.b SET n = n + 1");
            long end = LogicalStreamTest.end(client);
            if (requested) {
                writeSets.requestProgress();
            }
            a.follow(ofA, end);
            execute("SELECT txid_current()", "VACUUM shop.c");
            a.follow(ofA, LogicalStreamTest.end(client));
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void theEndLeavesNothingThoughTheConnectionForItIsLost(EngineBinaries release) throws Exception {
        start(release);
        MasterWriteSets.Joining joining = writeSets.prepare(List.of("shop.a"));
        String keeper = "FROM pg_stat_activity WHERE application_name = 'multimed' AND state = 'idle'"
                + " AND pid <> pg_backend_pid() AND query LIKE '%pg_publication%'";
        TestEngines.await(
                "the keeper's connection",
                () -> !LogicalStreamTest.query(client, "SELECT count(*) " + keeper)
                        .equals("0"));
        execute("SELECT pg_terminate_backend(pid) " + keeper);
        joining.close();
        writeSets.close();
        LogicalStreamTest.awaitNothingLeft(client);
    }

    @ParameterizedTest
    @MethodSource("releases")
    void slotsThatAreLeftAreFoundAndDropped(EngineBinaries release) throws Exception {
        start(release);
        Path data = master.cluster().dataDirectory();
        execute("SELECT pg_create_logical_replication_slot('multimed_of_the_user', 'pgoutput')");
        assertFalse(MasterWriteSets.hasLeftSlots(data));
        writeSets.prepare(List.of("shop.a"));
        assertTrue(MasterWriteSets.hasLeftSlots(data));
        client.close();
        master.cluster().kill();
        // Nothing can be dropped now.
        writeSets.close();
        assertTrue(MasterWriteSets.hasLeftSlots(data));
        master.cluster().start(Duration.ofSeconds(60), reason -> {});
        client = master.connect();
        assertEquals(1, count("pg_publication"));
        MasterWriteSets.dropLeft(master.cluster().address(), "postgres");
        assertFalse(MasterWriteSets.hasLeftSlots(data));
        assertEquals(0, count("pg_publication"));
        assertEquals(1, count("pg_replication_slots"));
        try (Statement statement = client.createStatement()) {
            statement.execute("SELECT pg_drop_replication_slot('multimed_of_the_user')");
        }
    }
}
