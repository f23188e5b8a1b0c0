package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.wire.Lsn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Relay as the synchronous standby of a real Master. */
@Tag("slow")
class RelayReceiverTest {
    static List<Path> installations() throws Exception {
        return Installations.all();
    }

    @ParameterizedTest
    @MethodSource("installations")
    void everyAcknowledgedCommitIsAtOrBelowTheFloor(Path bin) throws Exception {
        try (TestEngine master = TestEngine.create(bin).start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected()) {
            master.execute("CREATE EXTENSION pg_walinspect", "CREATE TABLE t (id int)");
            String from = master.query("SELECT pg_current_wal_lsn()");
            Map<Long, Long> floorAtAck = new ConcurrentHashMap<>();
            concurrently(8, worker -> {
                try (Connection connection = master.connect();
                        Statement statement = connection.createStatement()) {
                    for (int i = 0; i < 125; i++) {
                        statement.execute("BEGIN");
                        statement.execute("INSERT INTO t VALUES (" + i + ")");
                        long xid = number(statement, "SELECT pg_current_xact_id()");
                        statement.execute("COMMIT");
                        floorAtAck.put(xid, relay.log.floor());
                    }
                }
            });
            Map<Long, Long> ends = commitEnds(master, from);
            assertEquals(1000, floorAtAck.size());
            floorAtAck.forEach((xid, floor) -> assertTrue(
                    floor >= ends.get(xid),
                    () -> xid + " ends at " + Lsn.format(ends.get(xid)) + ", floor " + Lsn.format(floor)));
        }
    }

    @ParameterizedTest
    @MethodSource("installations")
    void commitsOfEveryFormAreHeard(Path bin) throws Exception {
        try (TestEngine master = TestEngine.create(bin).start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected()) {
            master.execute(
                    "CREATE TABLE t (id int)",
                    "CREATE PROCEDURE p() LANGUAGE plpgsql AS"
                            + " $$ BEGIN FOR i IN 1..5 LOOP INSERT INTO t VALUES (i); COMMIT; END LOOP; END $$");
            try (Connection connection = master.connect();
                    Statement statement = connection.createStatement()) {
                heard(relay, statement, "INSERT INTO t VALUES (1)");
                heard(
                        relay,
                        statement,
                        "BEGIN; INSERT INTO t VALUES (1); COMMIT AND CHAIN; INSERT INTO t VALUES (2);" + " COMMIT");
                heard(relay, statement, "CALL p()");
                heard(relay, statement, "INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)");
                statement.execute("BEGIN; INSERT INTO t VALUES (1); PREPARE TRANSACTION 'two'");
                heard(relay, statement, "COMMIT PREPARED 'two'");
                heard(relay, statement, "INSERT INTO t SELECT g FROM generate_series(1, 1000000) g");
                statement.execute("SELECT pg_switch_wal()");
                heard(relay, statement, "INSERT INTO t VALUES (1)");
                heard(relay, statement, "CREATE TABLE u ()");
            }
        }
    }

    /** Executes a committing statement and checks that the floor is at the end of the log, behind that commit alone. */
    private static void heard(RelayFixture relay, Statement statement, String sql) throws Exception {
        long before = relay.log.floor();
        statement.execute(sql);
        long floor = relay.log.floor();
        assertTrue(floor > before, sql);
        assertTrue(floor <= lsn(statement, "SELECT pg_current_wal_insert_lsn()"), sql);
    }

    @Test
    void theFloorOfACommitIsItsEndEvenWhileMoreLogIsUnderWay() throws Exception {
        try (TestEngine master = TestEngine.create(Installations.newest(), "autovacuum = off")
                        .start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected()) {
            master.execute("CREATE TABLE t (id int, filler text)", "INSERT INTO t VALUES (0, '')");
            long floor = relay.log.floor();
            try (Connection connection = master.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("BEGIN");
                statement.execute("INSERT INTO t SELECT g, repeat('x', 800) FROM generate_series(1, 20000) g");
                Patience.until("the bulk arrives", () -> relay.log.received() > floor + (8 << 20));
                // Maintenance may commit by itself, but far below the end of the received log.
                assertTrue(relay.log.floor() < relay.log.received() - (4 << 20));
                statement.execute("COMMIT");
                assertTrue(relay.log.floor() > floor + (8 << 20));
            }
        }
    }

    @Test
    void reportsCatalogChangesWithDatabaseAndTransaction() throws Exception {
        try (TestEngine master = TestEngine.create(Installations.newest()).start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected()) {
            String database = master.query("SELECT oid FROM pg_database WHERE datname = 'postgres'");
            try (Connection connection = master.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("BEGIN");
                statement.execute("CREATE TABLE t ()");
                long xid = number(statement, "SELECT pg_current_xact_id()");
                statement.execute("COMMIT");
                relay.awaitEvent("catalogChanged " + database + " " + xid);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("installations")
    void saysWhichCommitsChangedRolesDatabasesAndWhatTheseSetForSessions(Path bin) throws Exception {
        try (TestEngine master =
                        TestEngine.create(bin, "max_prepared_transactions = 5").start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected()) {
            for (String change : new String[] {
                "CREATE ROLE app",
                "ALTER ROLE app SET work_mem = '5MB'",
                "ALTER DATABASE postgres SET work_mem = '5MB'",
                "ALTER ROLE app IN DATABASE postgres SET work_mem = '5MB'",
                "CREATE TABLE dropped (id serial PRIMARY KEY); DROP TABLE dropped; ALTER ROLE app RESET work_mem",
                "DO 'BEGIN ALTER DATABASE postgres RESET ALL; END'",
                "ALTER ROLE app NOLOGIN",
                "REVOKE CONNECT ON DATABASE postgres FROM PUBLIC",
                "GRANT pg_monitor TO app",
                "SAVEPOINT s; CREATE TABLE s (); ALTER ROLE app RENAME TO other; RELEASE s",
                "DROP ROLE other"
            }) {
                assertTrue(toldOfShared(master, relay, change, "COMMIT"), change);
            }
            master.execute("CREATE ROLE owner");
            for (String change : new String[] {
                "CREATE TABLE t (id serial PRIMARY KEY)",
                "ALTER TABLE t OWNER TO owner",
                "GRANT SELECT ON t TO owner",
                "CREATE TEMP TABLE temporary (id int)",
                "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "COMMENT ON ROLE owner IS 'x'",
                "ANALYZE t",
                "DROP TABLE t"
            }) {
                assertFalse(toldOfShared(master, relay, change, "COMMIT"), change);
            }
            String inTwoPhases = "CREATE TABLE u (); ALTER ROLE owner SET work_mem = '5MB'";
            assertTrue(toldOfShared(master, relay, inTwoPhases, "PREPARE TRANSACTION 'p'; COMMIT PREPARED 'p'"));
        }
    }

    /** Whether the relay reported it before the commit was acknowledged. */
    private static boolean toldOfShared(TestEngine master, RelayFixture relay, String change, String end)
            throws Exception {
        try (Connection connection = master.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            statement.execute(change);
            long database = number(statement, "SELECT oid FROM pg_database WHERE datname = 'postgres'");
            long xid = number(statement, "SELECT pg_current_xact_id()");
            for (String command : end.split("; ")) {
                statement.execute(command);
            }
            return relay.events.contains("catalogChanged " + database + " " + xid + " shared");
        }
    }

    @Test
    void commitsWaitWhileTheRelayIsWithdrawnAndTheFloorIsUnknown() throws Exception {
        try (TestEngine master = TestEngine.create(Installations.newest()).start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected()) {
            master.execute("CREATE TABLE t (id int)");
            relay.relay.withdraw();
            assertEquals(MasterLog.UNKNOWN, relay.log.floor());
            try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
                Future<?> commit = writer.submit(() -> {
                    master.execute("INSERT INTO t VALUES (1)");
                    return null;
                });
                Patience.until(
                        "the commit waits",
                        () -> master.query("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                                .equals("1"));
                assertFalse(commit.isDone());
                assertEquals("0", master.query("SELECT count(*) FROM t"));
                long before = relay.log.received();
                relay.relay.resume();
                commit.get(60, TimeUnit.SECONDS);
                assertTrue(relay.log.floor() > before);
            }
        }
    }

    @Test
    void goesOnWhereItWasWhenTheMastersWalsenderIsKilled() throws Exception {
        try (TestEngine master = TestEngine.create(Installations.newest()).start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected()) {
            master.execute("CREATE TABLE t (id int)");
            for (int i = 0; i < 5; i++) {
                master.query("SELECT pg_terminate_backend(pid) FROM pg_stat_replication");
                master.execute("INSERT INTO t VALUES (1)");
                assertTrue(relay.log.floor() > 0);
            }
            assertTrue(relay.events.contains("masterLost"));
        }
    }

    @ParameterizedTest
    @MethodSource("installations")
    void goesOnAfterTheMasterWasKilledAndRestarted(Path bin) throws Exception {
        try (TestEngine master =
                        TestEngine.create(bin, "restart_after_crash = off").start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected();
                TestEngine satellite =
                        master.copy(relay.primaryConninfo(relay.first)).start()) {
            master.execute("CREATE TABLE t (id int)");
            for (int round = 0; round < 3; round++) {
                List<Future<?>> writers = new ArrayList<>();
                try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
                    for (int w = 0; w < 4; w++) {
                        writers.add(threads.submit(() -> {
                            try (Connection connection = master.connect();
                                    Statement statement = connection.createStatement()) {
                                while (true) {
                                    statement.execute("INSERT INTO t SELECT generate_series(1, 100)");
                                }
                            }
                        }));
                    }
                    long begun = relay.log.floor();
                    Patience.until("some commits", () -> relay.log.floor() > begun + 100_000);
                    master.end(round == 1 ? "INT" : "KILL");
                    relay.relay.withdraw();
                    assertEquals(MasterLog.UNKNOWN, relay.log.floor());
                    for (Future<?> writer : writers) {
                        Patience.until("the writer has noticed", writer::isDone);
                    }
                }
                long heard = relay.log.received();
                master.start();
                relay.relay.resume();
                relay.connected();
                assertTrue(relay.log.floor() >= heard);
                master.execute("INSERT INTO t VALUES (1)");
            }
            assertFalse(relay.events.contains("masterUnusable"), relay.events::toString);
            // The Satellite was sent before each crash exactly what the Master has kept.
            relay.caughtUp(relay.first);
            String contents = "SELECT count(*) || ' ' || sum(id) FROM t";
            assertEquals(master.query(contents), satellite.query(contents));
        }
    }

    @Test
    void beginsAnewWhenTheMasterHasRemovedTheLogThatComesNext() throws Exception {
        try (TestEngine master = TestEngine.create(
                                Installations.newest(),
                                "wal_keep_size = 0",
                                "min_wal_size = 32MB",
                                "max_wal_size = 32MB")
                        .start();
                RelayFixture relay = new RelayFixture(master, RelayFixture.SMALL).connected()) {
            master.execute("CREATE TABLE t (id int, filler text)");
            relay.relay.withdraw();
            for (int i = 0; i < 6; i++) {
                master.execute(
                        "SET synchronous_commit = local",
                        "INSERT INTO t SELECT g, repeat('x', 1000) FROM generate_series(1, 16000) g",
                        "CHECKPOINT");
            }
            long end = Lsn.parse(master.query("SELECT pg_current_wal_flush_lsn()"));
            relay.relay.resume();
            relay.connected();
            assertTrue(relay.log.floor() >= end);
            master.execute("INSERT INTO t VALUES (1)");
            assertTrue(relay.log.floor() > end);
        }
    }

    @Test
    void refusesAMasterThatIsAnotherCluster() throws Exception {
        try (TestEngine master = TestEngine.create(Installations.newest()).start();
                TestEngine other =
                        TestEngine.createDifferent(Installations.newest()).start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected()) {
            master.end("INT");
            Patience.until("the floor is unknown", () -> relay.log.floor() == MasterLog.UNKNOWN);
            Files.createSymbolicLink(
                    master.socketDirectory().resolve(".s.PGSQL." + master.port()),
                    other.socketDirectory().resolve(".s.PGSQL." + other.port()));
            relay.awaitEvent("masterUnusable");
            assertEquals(MasterLog.UNKNOWN, relay.log.floor());
        }
    }

    @Test
    void controlFileSaysWhatSqlSays() throws Exception {
        for (Path bin : Installations.all()) {
            try (TestEngine master =
                    TestEngine.create(bin, "synchronous_standby_names = ''").start()) {
                master.execute("CHECKPOINT");
                ControlFile control = ControlFile.read(master.data());
                assertEquals(
                        master.query("SELECT system_identifier FROM pg_control_system()"),
                        Long.toUnsignedString(control.systemId()));
                assertEquals(Lsn.parse(master.query("SELECT redo_lsn FROM pg_control_checkpoint()")), control.redo());
                assertEquals(
                        master.query("SELECT replace(next_xid, ':', '') FROM pg_control_checkpoint()"),
                        "0" + control.nextXid());
                assertEquals("1", Integer.toString(control.timeline()));
                assertEquals(0, control.minRecovery());
                assertEquals(0, control.backupStart());
                assertEquals(
                        master.query("SELECT bytes_per_wal_segment FROM pg_control_init()"),
                        Integer.toString(control.segmentSize()));
            }
        }
    }

    private static Map<Long, Long> commitEnds(TestEngine master, String from) throws Exception {
        Map<Long, Long> ends = new HashMap<>();
        try (Connection connection = master.connect();
                Statement statement = connection.createStatement();
                ResultSet records = statement.executeQuery("SELECT xid::text::bigint, end_lsn::text"
                        + " FROM pg_get_wal_records_info('" + from + "', pg_current_wal_flush_lsn())"
                        + " WHERE resource_manager = 'Transaction' AND record_type = 'COMMIT'")) {
            while (records.next()) {
                ends.put(records.getLong(1), Lsn.parse(records.getString(2)));
            }
        }
        return ends;
    }

    interface Work {
        void run(int worker) throws Exception;
    }

    static void concurrently(int workers, Work work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(workers)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int worker = i;
                all.add(threads.submit(() -> {
                    work.run(worker);
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get(120, TimeUnit.SECONDS);
            }
        }
    }

    private static long number(Statement statement, String sql) throws Exception {
        try (ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return Long.parseLong(result.getString(1));
        }
    }

    private static long lsn(Statement statement, String sql) throws Exception {
        try (ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return Lsn.parse(result.getString(1));
        }
    }
}
