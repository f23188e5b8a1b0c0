package io.multimed.engine.postgresql.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.cluster.TestMaster;
import io.multimed.sql.DatabaseCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("releases")
@Tag("slow")
class MasterCatalogTest {
    private static Path temp;
    private static TestMaster master;

    MasterCatalogTest(EngineBinaries binaries) {
        assertEquals(binaries, master.binaries());
    }

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    @BeforeParameterizedClassInvocation
    static void startMaster(EngineBinaries binaries) throws Exception {
        temp = TestEngines.directory();
        master = TestMaster.start(temp, binaries);
    }

    @AfterParameterizedClassInvocation
    static void endMaster() throws Exception {
        if (master != null) {
            master.close();
        }
        TestEngines.delete(temp);
    }

    @Test
    void readsRolesWithTheirVerifiers() throws Exception {
        master.execute(
                "CREATE ROLE shop LOGIN PASSWORD 'secret' VALID UNTIL '2030-01-01 00:00:00+00' CONNECTION LIMIT 7");
        master.execute("CREATE ROLE forever LOGIN VALID UNTIL 'infinity'");
        master.execute("CREATE ROLE outer_group ROLE forever");
        master.execute("CREATE ROLE inner_group IN ROLE outer_group ROLE shop");
        try (Connection connection = master.connect()) {
            Map<String, EngineRole> roles = RoleReader.read(connection);
            EngineRole shop = roles.get("shop");
            assertTrue(shop.verifier().startsWith("SCRAM-SHA-256$4096:"), shop.verifier());
            assertEquals(Instant.parse("2030-01-01T00:00:00Z"), shop.validUntil());
            assertEquals(7, shop.connectionLimit());
            assertTrue(shop.canLogin());
            assertFalse(shop.superuser());
            assertNull(roles.get("forever").validUntil());
            assertNull(roles.get("forever").verifier());
            assertTrue(roles.get("postgres").superuser());
            assertEquals(Set.of("inner_group", "outer_group"), shop.groups());
            assertEquals(Set.of("outer_group"), roles.get("forever").groups());
            assertEquals(Set.of(), roles.get("outer_group").groups());
            assertFalse(roles.get("pg_monitor").canLogin());
            assertEquals(shop, RoleReader.find(connection, "shop").orElseThrow());
            assertTrue(RoleReader.find(connection, "Shop").isEmpty());
        }
    }

    @Test
    void readsWhatTheClassifierMustKnow() throws Exception {
        try (Connection connection = master.connect()) {
            DatabaseCatalog before = CatalogReader.read(connection);
            assertTrue(before.sameContents(CatalogReader.read(connection)));
            connection.createStatement().execute("CREATE UNLOGGED TABLE volatile_things (n int)");
            connection.createStatement().execute("CREATE VIEW seen AS SELECT pg_backend_pid()");
            DatabaseCatalog after = CatalogReader.read(connection);
            assertFalse(before.sameContents(after));
            connection.createStatement().execute("DROP TABLE volatile_things");
            connection.createStatement().execute("DROP VIEW seen");
            assertTrue(before.sameContents(CatalogReader.read(connection)));
        }
    }

    @Test
    void showsACommitOnlyOnceTheMasterDoes() throws Exception {
        MasterVisibility visibility = new MasterVisibility();
        MasterLog log = new MasterLog(visibility);
        try (VisibilityProbe probe = new VisibilityProbe(master.cluster().address(), "postgres", visibility, log);
                Connection writer = master.connect()) {
            probe.start();
            writer.setAutoCommit(false);
            long transaction = Long.parseLong(single(writer, "SELECT pg_current_xact_id()"));
            log.commit(1000, transaction & 0xffffffffL);
            probe(probe);
            assertFalse(visibility.masterShows(1000));
            writer.commit();
            probe(probe);
            assertTrue(visibility.masterShows(1000));
        }
    }

    @Test
    void findsItsWayOutOfMoreCommitsThanAreKept() throws Exception {
        MasterVisibility visibility = new MasterVisibility();
        MasterLog log = new MasterLog(visibility);
        try (VisibilityProbe probe = new VisibilityProbe(master.cluster().address(), "postgres", visibility, log);
                Connection writer = master.connect()) {
            writer.setAutoCommit(false);
            long transaction = Long.parseLong(single(writer, "SELECT pg_current_xact_id()"));
            long scn = 0;
            while (!visibility.overflowed()) {
                log.commit(++scn, transaction);
            }
            log.received(scn);
            long last = scn;
            probe.start();
            probe(probe);
            probe(probe);
            assertFalse(visibility.masterShows(1));
            writer.commit();
            TestEngines.await("all commits to be shown", () -> {
                probe(probe);
                return visibility.masterShows(last);
            });
            assertFalse(visibility.overflowed());
        }
    }

    @Test
    void callsEveryoneWhoAsksAlsoWithoutAMaster() throws Exception {
        MasterVisibility visibility = new MasterVisibility();
        MasterLog log = new MasterLog(visibility);
        log.commit(1000, 1);
        VisibilityProbe probe =
                new VisibilityProbe(new NodeAddress(temp.resolve("nowhere"), 5432), "postgres", visibility, log);
        probe.start();
        probe(probe);
        assertFalse(visibility.masterShows(1000));
        probe.close();
        probe(probe);
    }

    @Test
    void endsADoubtOnceTheRelayHasReceivedWhatTheMasterHasWritten() throws Exception {
        MasterVisibility visibility = new MasterVisibility();
        MasterLog log = new MasterLog(visibility);
        log.connected(0);
        try (VisibilityProbe probe = new VisibilityProbe(master.cluster().address(), "postgres", visibility, log)) {
            probe.start();
            long doubt = log.doubt();
            probe.endDoubts();
            TestEngines.await("the Master to be asked", () -> !log.isDoubted());
            assertFalse(log.isOver(doubt));
            log.received(Long.parseLong(master.text("SELECT pg_current_wal_insert_lsn() - '0/0'")));
            assertTrue(log.isOver(doubt));
        }
    }

    @Test
    void asksAgainWhereTheLogOfAMasterEndsThatWasNotThere() throws Exception {
        MasterVisibility visibility = new MasterVisibility();
        MasterLog log = new MasterLog(visibility);
        NodeAddress there = master.cluster().address();
        Path link = temp.resolve("later");
        try (VisibilityProbe probe =
                new VisibilityProbe(new NodeAddress(link, there.port()), "postgres", visibility, log)) {
            probe.start();
            log.doubt();
            probe.endDoubts();
            probe(probe);
            assertTrue(log.isDoubted());
            Files.createSymbolicLink(link, there.directory());
            TestEngines.await("the Master to be asked", () -> !log.isDoubted());
        }
    }

    @Test
    void servesManyWhoAskAtOnce() throws Exception {
        MasterVisibility visibility = new MasterVisibility();
        MasterLog log = new MasterLog(visibility);
        int askers = 2000;
        CountDownLatch served = new CountDownLatch(askers);
        try (VisibilityProbe probe = new VisibilityProbe(master.cluster().address(), "postgres", visibility, log)) {
            probe.start();
            for (int i = 0; i < askers; i++) {
                probe.accept(served::countDown);
            }
            assertTrue(served.await(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void connectsWithTimeoutsAndLargeRows() throws Exception {
        try (Connection connection = master.connect()) {
            assertEquals(
                    20_000_000,
                    single(connection, "SELECT repeat('x', 20000000)").length());
            assertTrue(connection.isValid(5));
            connection.setNetworkTimeout(Runnable::run, 200);
            SQLException late = assertThrows(SQLException.class, () -> single(connection, "SELECT pg_sleep(60)"));
            assertEquals("08006", late.getSQLState());
        }
        master.execute("CREATE DATABASE \"a b/c?d=%&\"");
        try (Connection connection = AdminConnection.open(master.cluster().address(), "postgres", "a b/c?d=%&")) {
            assertEquals("a b/c?d=%&", single(connection, "SELECT current_database()"));
        }
    }

    @Test
    void isNotSubjectToTimeoutsOfTheConfigurationOrTheRole() throws Exception {
        String timeouts = "FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout',"
                + " 'idle_session_timeout', 'idle_in_transaction_session_timeout')";
        for (String name :
                master.text("SELECT string_agg(name, ' ') " + timeouts).split(" ")) {
            master.execute("ALTER SYSTEM SET " + name + " = '1h'");
            master.execute("ALTER ROLE postgres SET " + name + " = '2h'");
        }
        master.execute("SELECT pg_reload_conf()");
        assertEquals("0 0", master.text("SELECT min(setting::int) || ' ' || max(setting::int) " + timeouts));
    }

    private static void probe(VisibilityProbe probe) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        probe.accept(() -> done.complete(null));
        done.get(30, TimeUnit.SECONDS);
    }

    private static String single(Connection connection, String query) throws SQLException {
        try (var rows = connection.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
