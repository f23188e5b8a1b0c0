package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of real hot standbys that the Relay feeds. */
@Tag("slow")
class RelayFanoutTest {
    static List<Path> installations() throws Exception {
        return Installations.all();
    }

    @ParameterizedTest
    @MethodSource("installations")
    void aSatelliteThatHasAppliedTheFloorShowsWhatWasCommitted(Path bin) throws Exception {
        try (TestEngine master = TestEngine.create(bin).start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected()) {
            master.execute("CREATE TABLE t (id int)");
            try (TestEngine satellite =
                    master.copy(relay.primaryConninfo(relay.first)).start()) {
                relay.caughtUp(relay.first);
                try (Connection connection = satellite.connect();
                        Statement reader = connection.createStatement()) {
                    for (int i = 1; i <= 200; i++) {
                        master.execute("INSERT INTO t VALUES (" + i + ")");
                        relay.caughtUp(relay.first);
                        try (ResultSet count = reader.executeQuery("SELECT count(*) FROM t")) {
                            count.next();
                            assertEquals(i, count.getInt(1));
                        }
                        assertTrue(relay.first.forwarded() >= relay.first.applied());
                    }
                }
                assertTrue(relay.relay.lastReplyNanos(relay.first.id()) != 0);
            }
            relay.awaitEvent("feedLost satellite-1");
        }
    }

    @Test
    void twoSatellitesAndAMasterEndWithTheSameContents() throws Exception {
        try (TestEngine master = TestEngine.create(Installations.newest()).start();
                RelayFixture relay = new RelayFixture(master, RelayFixture.SMALL).connected()) {
            master.execute("CREATE TABLE t (id bigint, filler text)");
            try (TestEngine first =
                            master.copy(relay.primaryConninfo(relay.first)).start();
                    TestEngine second =
                            master.copy(relay.primaryConninfo(relay.second)).start()) {
                RelayReceiverTest.concurrently(4, worker -> {
                    try (Connection connection = master.connect();
                            Statement statement = connection.createStatement()) {
                        for (int i = 0; i < 50; i++) {
                            statement.execute("INSERT INTO t SELECT g, repeat('x', 300) FROM generate_series(1, "
                                    + (i % 10 == 0 ? 3000 : 3) + ") g");
                            if (i % 25 == 0) {
                                statement.execute("SELECT pg_switch_wal()");
                            }
                        }
                    }
                });
                relay.caughtUp(relay.first);
                relay.caughtUp(relay.second);
                String expected = contents(master);
                assertEquals(expected, contents(first));
                assertEquals(expected, contents(second));
            }
        }
    }

    @Test
    void aFrozenSatelliteHoldsUpNobodyAndCatchesUpFromTheMastersFiles() throws Exception {
        try (TestEngine master = TestEngine.create(Installations.newest()).start();
                RelayFixture relay = new RelayFixture(master, RelayFixture.SMALL).connected()) {
            master.execute("CREATE TABLE t (id bigint, filler text)");
            try (TestEngine satellite =
                    master.copy(relay.primaryConninfo(relay.first)).start()) {
                relay.caughtUp(relay.first);
                long walreceiver = Long.parseLong(satellite.query("SELECT pid FROM pg_stat_wal_receiver"));
                TestEngine.signal("STOP", walreceiver);
                relay.awaitEvent("silent satellite-1");
                long before = relay.log.floor();
                // 64 MB in one transaction, five hundred times the Relay's memory.
                master.execute("INSERT INTO t SELECT g, repeat('x', 1000) FROM generate_series(1, 64000) g");
                assertTrue(relay.log.floor() > before + (64 << 20));
                assertFalse(relay.events.contains("heardAgain satellite-1"));
                TestEngine.signal("CONT", walreceiver);
                relay.awaitEvent("heardAgain satellite-1");
                relay.caughtUp(relay.first);
                assertEquals(contents(master), contents(satellite));
                assertFalse(relay.events.contains("feedLost satellite-1"));
            }
        }
    }

    @Test
    void aSatelliteWhoseLogWasRecycledIsReported() throws Exception {
        try (TestEngine master = TestEngine.create(Installations.newest(), "min_wal_size = 32MB", "max_wal_size = 32MB")
                        .start();
                RelayFixture relay = new RelayFixture(master, RelayFixture.SMALL).connected()) {
            master.execute("CREATE TABLE t (id bigint, filler text)");
            try (TestEngine satellite =
                    master.copy(relay.primaryConninfo(relay.first)).start()) {
                relay.caughtUp(relay.first);
                satellite.end("INT");
                master.execute("ALTER SYSTEM SET wal_keep_size = 0", "SELECT pg_reload_conf()");
                for (int i = 0; i < 6; i++) {
                    master.execute(
                            "INSERT INTO t SELECT g, repeat('x', 1000) FROM generate_series(1, 16000) g", "CHECKPOINT");
                }
                satellite.startWithoutWaiting();
                relay.awaitEvent("logUnavailable satellite-1");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("installations")
    void aKilledSatelliteConnectsAgainAndGoesOn(Path bin) throws Exception {
        try (TestEngine master = TestEngine.create(bin).start();
                RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected()) {
            master.execute("CREATE TABLE t (id bigint, filler text)");
            try (TestEngine satellite =
                    master.copy(relay.primaryConninfo(relay.first)).start()) {
                for (int i = 0; i < 3; i++) {
                    master.execute("INSERT INTO t SELECT g, repeat('x', 300) FROM generate_series(1, 3000) g");
                    relay.caughtUp(relay.first);
                    relay.events.clear();
                    satellite.end("KILL");
                    relay.awaitEvent("feedLost satellite-1");
                    master.execute("INSERT INTO t SELECT g, repeat('x', 300) FROM generate_series(1, 3000) g");
                    satellite.start();
                    relay.awaitEvent("feedConnected satellite-1");
                    relay.caughtUp(relay.first);
                    assertEquals(contents(master), contents(satellite));
                }
            }
        }
    }

    @Test
    void satellitesGoOnWithANewRelayAndARestartedMaster() throws Exception {
        try (TestEngine master = TestEngine.create(Installations.newest()).start()) {
            Path directory = Files.createTempDirectory("relay");
            TestEngine satellite = null;
            try {
                for (int i = 0; i < 3; i++) {
                    try (RelayFixture relay = new RelayFixture(master, RelayFixture.SMALL, directory).connected()) {
                        if (satellite == null) {
                            master.execute("CREATE TABLE t (id bigint, filler text)");
                            satellite = master.copy(relay.primaryConninfo(relay.first))
                                    .start();
                        }
                        master.execute("INSERT INTO t SELECT g, repeat('x', 300) FROM generate_series(1, 3000) g");
                        relay.awaitEvent("feedConnected satellite-1");
                        relay.caughtUp(relay.first);
                        relay.relay.withdraw();
                        master.end("KILL");
                        master.start();
                        relay.relay.resume();
                        relay.connected();
                        master.execute("INSERT INTO t SELECT g, repeat('x', 300) FROM generate_series(1, 3000) g");
                        relay.caughtUp(relay.first);
                        assertEquals(contents(master), contents(satellite));
                    }
                }
            } finally {
                if (satellite != null) {
                    satellite.close();
                }
                Files.deleteIfExists(directory);
            }
        }
    }

    @Test
    void feedsSatellitesOfAMasterOnALaterTimeline() throws Exception {
        try (TestEngine former = TestEngine.create(Installations.newest(), "synchronous_standby_names = ''")
                        .start();
                TestEngine master = former.copy(
                                "host=" + former.socketDirectory() + " port=" + former.port() + " user=postgres")
                        .start()) {
            master.query("SELECT pg_promote()");
            former.end("INT");
            master.execute("ALTER SYSTEM SET synchronous_standby_names = 'multimed_relay'", "SELECT pg_reload_conf()");
            try (RelayFixture relay = new RelayFixture(master, RelayOptions.DEFAULT).connected();
                    TestEngine satellite =
                            master.copy(relay.primaryConninfo(relay.first)).start()) {
                master.execute("CREATE TABLE t (id bigint, filler text)", "INSERT INTO t VALUES (1, '')");
                relay.caughtUp(relay.first);
                assertEquals(contents(master), contents(satellite));
                assertEquals("2", satellite.query("SELECT received_tli FROM pg_stat_wal_receiver"));
            }
        }
    }

    @Test
    void asksForPositionsWhenReadersWait() throws Exception {
        RelayOptions rarely = new RelayOptions(
                RelayOptions.MIN_BUFFER, Duration.ofMinutes(10), Duration.ofMinutes(20), Duration.ofSeconds(10));
        try (TestEngine master = TestEngine.create(Installations.newest()).start();
                RelayFixture relay = new RelayFixture(master, rarely).connected()) {
            master.execute("CREATE TABLE t (id int)");
            try (TestEngine satellite =
                    master.copy(relay.primaryConninfo(relay.first)).start()) {
                relay.caughtUp(relay.first);
                satellite.execute("SELECT pg_wal_replay_pause()");
                Patience.until(
                        "paused",
                        () -> satellite
                                .query("SELECT pg_get_wal_replay_pause_state()")
                                .equals("paused"));
                master.execute("INSERT INTO t VALUES (1)");
                long replyBefore = relay.relay.lastReplyNanos(relay.first.id());
                try (var waiters = relay.gate.register(Runnable::run, () -> {})) {
                    waiters.waiting(1);
                    for (int i = 0; i < 20; i++) {
                        long last = replyBefore;
                        Patience.until(
                                "the satellite is asked again",
                                () -> relay.relay.lastReplyNanos(relay.first.id()) != last);
                        replyBefore = relay.relay.lastReplyNanos(relay.first.id());
                    }
                    waiters.waiting(0);
                }
                assertTrue(relay.first.applied() < relay.log.floor());
                satellite.execute("SELECT pg_wal_replay_resume()");
                relay.caughtUp(relay.first);
            }
        }
    }

    @Test
    void forwardsWhatSatellitesStillReadButOnlyForSoLong() throws Exception {
        RelayOptions options = new RelayOptions(
                RelayOptions.MIN_BUFFER, Duration.ofMillis(50), Duration.ofMillis(1500), Duration.ofSeconds(3));
        try (TestEngine master = TestEngine.create(Installations.newest()).start();
                RelayFixture relay = new RelayFixture(master, options).connected()) {
            master.execute("CREATE TABLE t (id int)");
            try (TestEngine satellite = master.copy(
                                    relay.primaryConninfo(relay.first),
                                    "hot_standby_feedback = on",
                                    "wal_receiver_status_interval = 1")
                            .start();
                    Connection connection = satellite.connect();
                    Statement reader = connection.createStatement()) {
                relay.caughtUp(relay.first);
                relay.first.transactionBegan();
                reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
                String xmin = query(reader, "SELECT pg_snapshot_xmin(pg_current_snapshot())");
                reader.execute("SELECT * FROM t");
                for (int i = 0; i < 5; i++) {
                    master.execute("INSERT INTO t VALUES (1)");
                }
                Patience.until("the master keeps what the satellite reads", () -> xmin.equals(backendXmin(master)));
                Patience.until("the master keeps it no longer", () -> !xmin.equals(backendXmin(master)));
                reader.execute("COMMIT");
                relay.first.transactionEnded();
                master.execute("INSERT INTO t VALUES (1)");
                Patience.until("whom nobody reads from holds nothing back", () -> backendXmin(master) == null);
                relay.first.transactionBegan();
                Patience.until("a later reader is heard again", () -> backendXmin(master) != null);
                relay.first.transactionEnded();
            }
            Patience.until("who is gone wants nothing", () -> backendXmin(master) == null);
        }
    }

    private static String backendXmin(TestEngine master) throws Exception {
        return master.query("SELECT backend_xmin FROM pg_stat_replication WHERE application_name = 'multimed_relay'");
    }

    private static String contents(TestEngine engine) throws Exception {
        return engine.query("SELECT count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0) FROM t");
    }

    private static String query(Statement statement, String sql) throws Exception {
        try (ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }
}
