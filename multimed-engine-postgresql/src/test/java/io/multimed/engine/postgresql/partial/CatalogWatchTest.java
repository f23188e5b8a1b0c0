package io.multimed.engine.postgresql.partial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.cluster.TestMaster;
import io.multimed.engine.postgresql.relay.CatalogChange;
import io.multimed.engine.postgresql.relay.Relay;
import io.multimed.engine.postgresql.relay.RelayAddresses;
import io.multimed.engine.postgresql.relay.RelayListener;
import io.multimed.engine.postgresql.relay.RelayOptions;
import io.multimed.model.NodeId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The watch behind a real relay on a real Master. */
@Tag("slow")
@Timeout(300)
class CatalogWatchTest {
    private Path temp;
    private TestMaster master;
    private Relay relay;
    private CatalogWatches watches;
    private final MasterLog log = new MasterLog(new MasterVisibility());
    private final List<CatalogWatch> watching = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<CatalogChange> changes = new ConcurrentLinkedQueue<>();

    /** How often an applier was told to go further at once. */
    private final AtomicInteger jumps = new AtomicInteger();

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    private final class Listener implements RelayListener {
        @Override
        public void masterConnected() {
            watching.forEach(CatalogWatch::everythingMayHaveChanged);
        }

        @Override
        public void masterLost(String reason) {
            watching.forEach(CatalogWatch::everythingMayHaveChanged);
        }

        @Override
        public void masterUnusable(String reason) {
            throw new IllegalStateException(reason);
        }

        @Override
        public void feedConnected(NodeId satellite) {
            // There is none.
        }

        @Override
        public void feedLost(NodeId satellite, String reason) {
            // There is none.
        }

        @Override
        public void applied(NodeId satellite, long position) {
            // There is none.
        }

        @Override
        public void silent(NodeId satellite) {
            // There is none.
        }

        @Override
        public void heardAgain(NodeId satellite) {
            // There is none.
        }

        @Override
        public void logUnavailable(NodeId satellite, long position) {
            // There is none.
        }

        @Override
        public void catalogChanged(CatalogChange change) {
            watching.forEach(watch -> watch.changed(change));
            changes.add(change);
        }
    }

    private void start(EngineBinaries binaries) throws Exception {
        temp = TestEngines.directory();
        master = TestMaster.start(temp, binaries, Map.of("max_prepared_transactions", "5"));
        for (String sql : CatalogStatements.SETUP) {
            master.execute(sql);
        }
        var address = master.cluster().address();
        Path listen = Files.createDirectory(temp.resolve("relay"));
        relay = new Relay(
                new RelayAddresses(
                        address.directory(),
                        address.port(),
                        "postgres",
                        master.cluster().dataDirectory(),
                        listen,
                        5432),
                RelayOptions.DEFAULT,
                log,
                List.of(),
                new Listener());
        relay.start(new FreshnessGate(relay));
        TestEngines.await("the floor", () -> log.floor() != MasterLog.UNKNOWN);
        watches = new CatalogWatches(address, "postgres");
        watches.start();
    }

    @AfterEach
    void end() throws Exception {
        if (watches != null) {
            watches.close();
        }
        if (relay != null) {
            relay.close();
        }
        if (master != null) {
            master.close();
        }
        TestEngines.delete(temp);
    }

    /** Connects as a client whose commits wait for the relay. */
    private Connection client() throws SQLException {
        return AdminConnection.open(master.cluster().address(), "postgres", "postgres");
    }

    private static long number(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Returns a position that contains every commit that has been acknowledged, and no later one. */
    private static long position(Statement statement) throws SQLException {
        return number(statement, "SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint");
    }

    private void awaitReceived(long position) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (log.received() < position) {
            assertTrue(System.nanoTime() < deadline, "received " + log.received() + " of " + position);
            LockSupport.parkNanos(100_000);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** Goes on to a position as an applier does. */
    private long pass(CatalogWatch watch, long position) throws InterruptedException {
        long wanted = position;
        long whole = watch.await(wanted);
        while (whole > wanted) {
            jumps.incrementAndGet();
            wanted = whole;
            whole = watch.await(wanted);
        }
        return whole;
    }

    private CatalogWatch seeded(CatalogDigest digest, long position, AtomicReference<String> reason) {
        CatalogWatch watch = watches.watch("postgres", found -> assertNull(reason.getAndSet(found), "called twice"));
        watching.add(watch);
        watch.seeded(digest, position);
        return watch;
    }

    private void forget(CatalogWatch watch) {
        watching.remove(watch);
        watch.close();
    }

    @ParameterizedTest
    @MethodSource("releases")
    void stopsAtEachStatementThatChangesAnswersAndAtNoOther(EngineBinaries binaries) throws Exception {
        start(binaries);
        List<String> wrong = new ArrayList<>();
        try (Connection reader = master.connect();
                Connection client = client();
                Statement statement = client.createStatement()) {
            CatalogDigest digest = CatalogStatements.CARRIED.catalogs(reader);
            List<Long> tables = digest.tables();
            for (String line : CatalogStatements.all(client.getMetaData().getDatabaseMajorVersion())) {
                AtomicReference<String> reason = new AtomicReference<>();
                CatalogWatch watch = seeded(digest, position(statement), reason);
                statement.execute(CatalogStatements.sql(line));
                long position = position(statement);
                awaitReceived(position);
                boolean passed;
                try {
                    passed = pass(watch, position) == position;
                } catch (CatalogsDifferException e) {
                    passed = false;
                }
                if (passed == CatalogStatements.changes(line)) {
                    wrong.add(line + ": " + reason);
                }
                forget(watch);
                if (CatalogStatements.changes(line)) {
                    digest = CatalogDigest.read(reader, tables);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    /**
     * Harmless statements and rows from several clients, then one statement that changes something, while an applier goes on as fast
     * as it may. It never shows a position behind that statement, and passes everything before.
     */
    @ParameterizedTest
    @MethodSource("releases")
    void letsNobodySeeWhatFollowsAChange(EngineBinaries binaries) throws Exception {
        start(binaries);
        Random random = new Random(7);
        int harmful = 0;
        int harmless = 0;
        int undone = 0;
        AtomicInteger name = new AtomicInteger();
        for (int round = 0; round < 30; round++) {
            try (Connection reader = master.connect();
                    Connection client = client();
                    Statement statement = client.createStatement()) {
                CatalogDigest digest = CatalogStatements.CARRIED.catalogs(reader);
                AtomicReference<String> reason = new AtomicReference<>();
                CatalogWatch watch = seeded(digest, position(statement), reason);
                changes.clear();
                Queue<Long> shown = new ConcurrentLinkedQueue<>();
                AtomicLong target = new AtomicLong();
                CompletableFuture<Void> applier = CompletableFuture.runAsync(() -> apply(watch, shown, target));
                AtomicBoolean loaded = new AtomicBoolean(true);
                long seed = random.nextLong();
                List<CompletableFuture<Void>> load = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    Random own = new Random(seed + i);
                    load.add(CompletableFuture.runAsync(() -> write(own, loaded, name)));
                }
                List<String> list = CatalogStatements.HARMLESS;
                for (int i = 0; i < 8; i++) {
                    String sql = list.get(random.nextInt(list.size()));
                    statement.execute(sql.replace("%s", "h" + name.incrementAndGet()));
                }
                long before = position(statement);
                TestEngines.await(
                        "the applier passes what is harmless: " + reason,
                        () -> shown.stream().anyMatch(position -> position >= before));
                assertNull(reason.get());
                harmless += (int) changes.stream()
                        .filter(change -> change.scn() <= before)
                        .filter(change ->
                                !CatalogPart.changedBy(change.objects(), true).isEmpty())
                        .count();
                boolean undo = round % 3 == 0;
                String made = undo
                        ? "BEGIN; CREATE FUNCTION attic.u" + round
                                + "() RETURNS int LANGUAGE sql AS 'SELECT 1'; COMMIT;" + " BEGIN; DROP FUNCTION attic.u"
                                + round + "(); COMMIT"
                        : CatalogStatements.HARMFUL
                                .get(random.nextInt(CatalogStatements.HARMFUL.size()))
                                .replace("%s", "c" + name.incrementAndGet())
                                .replace("%d", Integer.toString(100 + name.get()));
                long last = position(statement);
                statement.execute(made);
                long after = position(statement);
                loaded.set(false);
                for (CompletableFuture<Void> one : load) {
                    one.get(60, TimeUnit.SECONDS);
                }
                target.set(position(statement));
                applier.get(60, TimeUnit.SECONDS);
                if (undo) {
                    // Which of the reported commits are the two is told by what they may have changed.
                    List<Long> both = changes.stream()
                            .filter(change -> change.scn() > last && change.scn() <= after)
                            .filter(change -> change.objects().others())
                            .map(CatalogChange::scn)
                            .sorted()
                            .toList();
                    assertTrue(both.size() >= 2, both.toString());
                    if (both.size() == 2) {
                        undone++;
                        assertFalse(
                                shown.stream().anyMatch(position -> position >= both.get(0) && position < both.get(1)),
                                made);
                    }
                } else {
                    harmful++;
                    TestEngines.await("the reason of " + made, () -> reason.get() != null);
                    String found = reason.get();
                    assertFalse(shown.stream().anyMatch(position -> position >= after), made + ": " + found);
                }
                forget(watch);
            }
        }
        String counts = harmful + " harmful, " + harmless + " harmless, " + undone + " undone, " + jumps + " jumps";
        assertTrue(harmful >= 15 && harmless >= 100 && undone >= 3 && jumps.get() >= 10, counts);
    }

    /** Shows positions one after the other, until the watch has found a difference or the target is reached. */
    private void apply(CatalogWatch watch, Queue<Long> shown, AtomicLong target) {
        try {
            long at = 0;
            boolean last = false;
            while (target.get() == 0 || at < target.get()) {
                long received = log.received();
                if (received > at) {
                    // Between two records, or within one.
                    at = pass(watch, Math.max(last ? received : received - 64, at + 1));
                    last = !last;
                    shown.add(at);
                } else {
                    LockSupport.parkNanos(50_000);
                }
            }
        } catch (CatalogsDifferException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("have changed"));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(Random random, AtomicBoolean loaded, AtomicInteger name) {
        try (Connection client = client();
                Statement statement = client.createStatement()) {
            while (loaded.get()) {
                statement.execute(
                        random.nextInt(4) == 0
                                ? "CREATE TEMP TABLE w" + name.incrementAndGet() + " (a int PRIMARY KEY)"
                                : "INSERT INTO attic.other VALUES (" + (1000 + name.incrementAndGet()) + ")");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void asksAgainAfterTheMasterWasAway() throws Exception {
        start(TestEngines.embedded());
        AtomicReference<String> reason = new AtomicReference<>();
        CatalogWatch watch;
        long seed;
        try (Connection reader = master.connect();
                Statement statement = reader.createStatement()) {
            seed = position(statement);
            watch = seeded(CatalogStatements.CARRIED.catalogs(reader), seed, reason);
        }
        assertEquals(seed, pass(watch, seed));
        master.cluster().kill();
        TestEngines.await("the relay notices", () -> watch.lastDoubt() > 0);
        CompletableFuture<Long> passing = CompletableFuture.supplyAsync(() -> {
            try {
                return pass(watch, seed + 1);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Thread.sleep(300);
        assertFalse(passing.isDone());
        master.cluster().start(Duration.ofSeconds(60), cause -> {});
        assertEquals(seed + 1, passing.get(60, TimeUnit.SECONDS));
        assertNull(reason.get());
        try (Connection client = client();
                Statement statement = client.createStatement()) {
            statement.execute("ALTER TABLE shop.item ENABLE ROW LEVEL SECURITY");
            long position = position(statement);
            awaitReceived(position);
            assertThrows(CatalogsDifferException.class, () -> pass(watch, position));
        }
        TestEngines.await("the reason", () -> reason.get() != null);
        assertTrue(String.valueOf(reason.get()).contains("pg_class shop.item"), reason.get());
    }

    @Test
    void hearsOfAnotherDatabaseOnlyWhatIsShared() throws Exception {
        start(TestEngines.embedded());
        master.execute("CREATE DATABASE another");
        AtomicReference<String> reason = new AtomicReference<>();
        try (Connection reader = master.connect();
                Connection client = AdminConnection.open(master.cluster().address(), "postgres", "another");
                Statement statement = client.createStatement()) {
            CatalogWatch watch = seeded(CatalogStatements.CARRIED.catalogs(reader), position(statement), reason);
            statement.execute("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'");
            long position = position(statement);
            awaitReceived(position);
            assertEquals(position, pass(watch, position));
            assertEquals(0, watch.lastDoubt());
            statement.execute("CREATE ROLE from_another");
            long end = position(statement);
            awaitReceived(end);
            CatalogsDifferException differs = assertThrows(CatalogsDifferException.class, () -> pass(watch, end));
            assertTrue(String.valueOf(differs.getMessage()).contains("pg_authid from_another"), differs.getMessage());
        }
    }

    @Test
    void endsWithItsDatabaseAndWhenItIsClosed() throws Exception {
        start(TestEngines.embedded());
        master.execute("CREATE DATABASE passing");
        AtomicReference<String> reason = new AtomicReference<>();
        CatalogWatch watch = watches.watch("passing", reason::set);
        CatalogDigest digest;
        try (Connection reader = AdminConnection.open(master.cluster().address(), "postgres", "passing")) {
            digest = CatalogDigest.read(reader, List.of());
        }
        CompletableFuture<Object> before = CompletableFuture.supplyAsync(() -> {
            try {
                return pass(watch, 1);
            } catch (InterruptedException e) {
                return e;
            }
        });
        Thread.sleep(100);
        assertFalse(before.isDone());
        watch.seeded(digest, 1);
        assertEquals(1L, before.get(30, TimeUnit.SECONDS));
        master.execute("DROP DATABASE passing WITH (FORCE)");
        watch.everythingMayHaveChanged();
        assertThrows(CatalogsDifferException.class, () -> pass(watch, 2));
        TestEngines.await("the reason", () -> reason.get() != null);
        CatalogWatch another = watches.watch("postgres", found -> {});
        another.close();
        assertThrows(CancellationException.class, () -> another.await(1));
    }
}
