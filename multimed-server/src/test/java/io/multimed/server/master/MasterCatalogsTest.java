package io.multimed.server.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.catalog.EngineRole;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.testkit.wire.ServerAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What counts as known of the Master's databases and roles, on a real one. */
@Timeout(60)
class MasterCatalogsTest {
    private static PlainPostgres master;

    private final MasterCatalogs catalogs = new MasterCatalogs(MasterCatalogsTest::open);

    @BeforeAll
    static void start() throws Exception {
        master = PlainPostgres.start(
                EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), (copied, total) -> {})
                        .directory(),
                Map.of(),
                List.of());
    }

    @AfterAll
    static void stop() throws Exception {
        master.close();
    }

    @AfterEach
    void close() {
        catalogs.close();
    }

    private static Connection open(String database) throws SQLException {
        ServerAddress.Tcp address = (ServerAddress.Tcp) master.tcp();
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + address.port() + "/" + database + "?user=postgres");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long transaction(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_current_xact_id()::text")) {
            row.next();
            return Long.parseLong(row.getString(1));
        }
    }

    private DatabaseCatalog awaitKnown(String database) {
        DatabaseCatalog catalog = catalogs.catalog(database);
        while (catalog == DatabaseCatalog.UNKNOWN) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            catalog = catalogs.catalog(database);
        }
        return catalog;
    }

    private EngineRole role(String name) throws Exception {
        CompletableFuture<EngineRole> found = new CompletableFuture<>();
        catalogs.role(name, found::complete);
        return found.get(20, TimeUnit.SECONDS);
    }

    @Test
    void roleIsWaitedForWhileTheMasterStarts() throws Exception {
        AtomicInteger refusals = new AtomicInteger(3);
        try (MasterCatalogs starting = new MasterCatalogs(database -> {
            if (refusals.getAndDecrement() > 0) {
                throw new SQLException("the database system is starting up");
            }
            return open(database);
        })) {
            CompletableFuture<EngineRole> found = new CompletableFuture<>();
            starting.role("postgres", found::complete);
            assertNotNull(found.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void isUnknownUntilItHasBeenRead() {
        assertSame(DatabaseCatalog.UNKNOWN, catalogs.catalog("postgres"));
        assertNotSame(DatabaseCatalog.UNKNOWN, awaitKnown("postgres"));
    }

    @Test
    void staysWhatItWasWhenNothingOfItHasChanged() {
        DatabaseCatalog before = awaitKnown("postgres");
        long version = catalogs.version();
        catalogs.allMayHaveChanged();
        assertTrue(catalogs.version() > version);
        // Known again only when it has been read anew, which may be at once.
        assertSame(before, awaitKnown("postgres"));
    }

    /** The relay tells of the commit before anybody can see it: what is read before it shows would be too old. */
    @Test
    void isUnknownUntilAReportedChangeShows() throws Exception {
        DatabaseCatalog before = awaitKnown("postgres");
        try (Connection writer = open("postgres")) {
            writer.setAutoCommit(false);
            execute(writer, "CREATE UNLOGGED TABLE not_everywhere (i int)");
            catalogs.changed(transaction(writer));
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
            while (System.nanoTime() < until) {
                assertSame(DatabaseCatalog.UNKNOWN, catalogs.catalog("postgres"));
            }
            writer.commit();
            assertNotSame(before, awaitKnown("postgres"));
        }
    }

    @Test
    void aDatabaseThatDoesNotExistStaysUnknown() throws Exception {
        assertSame(DatabaseCatalog.UNKNOWN, catalogs.catalog("nowhere"));
        // Questions are answered one after the other, so the answer to this one comes after that was looked for.
        assertEquals("postgres", role("postgres").name());
        assertSame(DatabaseCatalog.UNKNOWN, catalogs.catalog("nowhere"));
    }

    @Test
    void knowsRolesAsTheyAreAfterAChange() throws Exception {
        assertNull(role("late"));
        try (Connection owner = open("postgres")) {
            owner.setAutoCommit(false);
            execute(owner, "CREATE ROLE late LOGIN PASSWORD 'late'");
            long transaction = transaction(owner);
            catalogs.changed(transaction);
            CompletableFuture<EngineRole> found = new CompletableFuture<>();
            catalogs.role("late", found::complete);
            assertFalse(found.isDone());
            owner.commit();
            EngineRole late = found.get(20, TimeUnit.SECONDS);
            assertTrue(late.canLogin());
            assertTrue(String.valueOf(late.verifier()).startsWith("SCRAM-SHA-256$"));
            execute(owner, "DROP ROLE late");
            owner.commit();
        }
    }

    @Test
    void knowsOfARolesSettingsAtOnceAndThenWhenTheyShow() throws Exception {
        assertEquals(SharedCatalogs.UNCHANGED, catalogs.sharedCatalogs());
        try (Connection owner = open("postgres")) {
            owner.setAutoCommit(false);
            execute(owner, "ALTER DATABASE postgres SET work_mem = '5MB'");
            long transaction = transaction(owner);
            catalogs.changed(transaction);
            catalogs.sharedChanged(17, transaction);
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
            while (System.nanoTime() < until) {
                assertEquals(new SharedCatalogs(17, false), catalogs.sharedCatalogs());
            }
            owner.commit();
            while (!catalogs.sharedCatalogs().visible()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            assertEquals(new SharedCatalogs(17, true), catalogs.sharedCatalogs());
            execute(owner, "ALTER DATABASE postgres RESET ALL");
            owner.commit();
        }
    }

    @Test
    void whoeverAsksAMasterThatIsAwayIsAnsweredAllTheSame() throws Exception {
        MasterCatalogs away = new MasterCatalogs(database -> {
            throw new SQLException("away");
        });
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        away.role("postgres", role -> answered.complete(role == null));
        assertTrue(answered.get(20, TimeUnit.SECONDS));
        away.close();
        CompletableFuture<Boolean> afterTheEnd = new CompletableFuture<>();
        away.role("postgres", role -> afterTheEnd.complete(role == null));
        assertTrue(afterTheEnd.get(20, TimeUnit.SECONDS));
        assertSame(DatabaseCatalog.UNKNOWN, away.catalog("postgres"));
    }
}
