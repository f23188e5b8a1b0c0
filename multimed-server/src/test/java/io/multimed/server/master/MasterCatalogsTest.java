package io.multimed.server.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.catalog.ChangedObjects;
import io.multimed.engine.postgresql.catalog.EngineRole;
import io.multimed.engine.postgresql.catalog.InsertedObjects;
import io.multimed.engine.postgresql.relay.CatalogChange;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.testkit.wire.ServerAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Knowledge about the Master's databases and roles, tested with a real engine. */
@Timeout(60)
class MasterCatalogsTest {
    private static PlainPostgres master;

    private static final ChangedObjects SOMETHING = changed(ChangedObjects.Builder::others);
    private static final ChangedObjects OF_SESSIONS = changed(ChangedObjects.Builder::sessions);

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

    private static ChangedObjects changed(Consumer<ChangedObjects.Builder> what) {
        ChangedObjects.Builder objects = new ChangedObjects.Builder();
        what.accept(objects);
        return objects.build();
    }

    private static CatalogChange change(Connection in, long transaction, ChangedObjects objects) throws SQLException {
        return change(in, transaction, objects, InsertedObjects.NONE);
    }

    private static CatalogChange change(
            Connection in, long transaction, ChangedObjects objects, InsertedObjects inserted) throws SQLException {
        return new CatalogChange(
                number(in, "SELECT oid FROM pg_database WHERE datname = current_database()"),
                17,
                transaction,
                objects,
                inserted);
    }

    private static int number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
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
        return awaitKnown(catalogs, database);
    }

    private static DatabaseCatalog awaitKnown(MasterCatalogs catalogs, String database) {
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
        long version = catalogs.version("postgres");
        catalogs.allMayHaveChanged();
        assertTrue(catalogs.version("postgres") > version);
        // It is known again only after a new read, which may happen at once.
        assertSame(before, awaitKnown("postgres"));
    }

    @Test
    void anotherSessionsTemporaryObjectsLeaveTheVersionOfTheSchema() throws Exception {
        DatabaseCatalog before = awaitKnown("postgres");
        long version = catalogs.version("postgres");
        try (Connection writer = open("postgres")) {
            writer.setAutoCommit(false);
            for (String sql : List.of(
                    "CREATE TEMP TABLE fleeting (i serial PRIMARY KEY, t text CHECK (t <> ''))",
                    "CREATE TEMP VIEW fleeting_view AS SELECT * FROM fleeting",
                    "DROP VIEW fleeting_view",
                    "CREATE TEMP TABLE other (i int) ON COMMIT DROP",
                    "DROP TABLE fleeting")) {
                Map<String, Set<Integer>> rows = rows(writer);
                execute(writer, sql);
                catalogs.changed(change(writer, transaction(writer), difference(rows, rows(writer))));
                assertNotEquals(version, catalogs.version("postgres"), sql);
                writer.commit();
                assertSame(before, awaitKnown("postgres"), sql);
                assertEquals(version, catalogs.version("postgres"), sql);
            }
            for (String sql : List.of("CREATE VIEW lasting AS SELECT 1 AS a", "DROP VIEW lasting")) {
                Map<String, Set<Integer>> rows = rows(writer);
                execute(writer, sql);
                catalogs.changed(change(writer, transaction(writer), difference(rows, rows(writer))));
                writer.commit();
                DatabaseCatalog after = awaitKnown("postgres");
                assertNotSame(before, after, sql);
                assertNotEquals(version, catalogs.version("postgres"), sql);
                before = after;
                version = catalogs.version("postgres");
            }
        }
    }

    /** Reads do not wait for changes of objects whose creation in a temporary schema the log has shown. */
    @Test
    void temporaryObjectsThatTheLogShowsChangeNothing() throws Exception {
        DatabaseCatalog before = awaitKnown("postgres");
        try (Connection writer = open("postgres")) {
            writer.setAutoCommit(false);
            // The first one may create the schemas.
            logged(writer, "CREATE TEMP TABLE first_one (i int)");
            writer.commit();
            assertSame(before, awaitKnown("postgres"));
            long version = catalogs.version("postgres");
            for (String sql : List.of(
                    "CREATE TEMP TABLE fleeting (i serial PRIMARY KEY, t text CHECK (t <> ''))",
                    "CREATE TEMP VIEW fleeting_view AS SELECT * FROM fleeting",
                    "ALTER TABLE fleeting ADD u int UNIQUE",
                    "CREATE DOMAIN pg_temp.positive AS int CHECK (VALUE > 0)",
                    "DROP VIEW fleeting_view",
                    "DROP DOMAIN pg_temp.positive",
                    "CREATE TEMP TABLE other (i int) ON COMMIT DROP",
                    "DROP TABLE fleeting")) {
                logged(writer, sql);
                assertEquals(version, catalogs.version("postgres"), sql);
                assertSame(before, catalogs.catalog("postgres"), sql);
                writer.commit();
            }
            for (String sql : List.of(
                    "CREATE TABLE lasting_one (i serial PRIMARY KEY)",
                    "CREATE TEMP TABLE one_more (); CREATE VIEW lasting_view AS SELECT 1 AS a",
                    "DROP TABLE one_more; DROP VIEW lasting_view",
                    "DROP TABLE lasting_one")) {
                logged(writer, sql);
                assertNotEquals(version, catalogs.version("postgres"), sql);
                assertSame(DatabaseCatalog.UNKNOWN, catalogs.catalog("postgres"), sql);
                writer.commit();
                awaitKnown("postgres");
                version = catalogs.version("postgres");
            }
        }
    }

    @Test
    void temporaryObjectsAreLookedUpOnceTheirSchemaOrTheCounterOfOidsHasChanged() throws Exception {
        awaitKnown("postgres");
        try (Connection writer = open("postgres")) {
            writer.setAutoCommit(false);
            logged(writer, "CREATE TEMP TABLE first_one (i int)");
            int schema = number(writer, "SELECT pg_my_temp_schema()::int8");
            writer.commit();
            for (Map.Entry<ChangedObjects, InsertedObjects> change : Map.of(
                            changed(objects -> objects.namespace(schema)),
                            InsertedObjects.NONE,
                            ChangedObjects.NONE,
                            new InsertedObjects(List.of(), true))
                    .entrySet()) {
                awaitKnown("postgres");
                long version = catalogs.version("postgres");
                logged(writer, "CREATE TEMP TABLE known (i int)");
                assertEquals(version, catalogs.version("postgres"));
                catalogs.changed(change(writer, transaction(writer), change.getKey(), change.getValue()));
                writer.commit();
                awaitKnown("postgres");
                assertEquals(version, catalogs.version("postgres"));
                logged(writer, "DROP TABLE known");
                assertNotEquals(version, catalogs.version("postgres"), () -> "after " + change);
                writer.commit();
                awaitKnown("postgres");
                assertEquals(version, catalogs.version("postgres"));
            }
        }
    }

    /** Executes SQL, and reports the changes that the log would contain. */
    private void logged(Connection writer, String sql) throws SQLException {
        Set<InsertedObjects.Row> before = objects(writer);
        execute(writer, sql);
        Set<InsertedObjects.Row> after = objects(writer);
        Set<InsertedObjects.Row> inserted = new HashSet<>(after);
        inserted.removeAll(before);
        Set<InsertedObjects.Row> gone = new HashSet<>(before);
        gone.removeAll(after);
        ChangedObjects changed = changed(objects -> Stream.concat(inserted.stream(), gone.stream())
                .forEach(row -> {
                    switch (row.kind()) {
                        case RELATION -> objects.relation(row.oid());
                        case TYPE -> objects.type(row.oid());
                        case CONSTRAINT -> objects.constraint(row.oid());
                    }
                }));
        catalogs.changed(
                change(writer, transaction(writer), changed, new InsertedObjects(List.copyOf(inserted), false)));
    }

    private static Set<InsertedObjects.Row> objects(Connection connection) throws SQLException {
        Set<InsertedObjects.Row> rows = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT o.kind, o.oid::int8, o.namespace::int8, d.oid::int8"
                        + " FROM (SELECT 'RELATION' AS kind, oid, relnamespace AS namespace FROM pg_class"
                        + " UNION ALL SELECT 'TYPE', oid, typnamespace FROM pg_type"
                        + " UNION ALL SELECT 'CONSTRAINT', oid, connamespace FROM pg_constraint) o, pg_database d"
                        + " WHERE d.datname = current_database()")) {
            while (row.next()) {
                rows.add(new InsertedObjects.Row(
                        (int) row.getLong(4),
                        InsertedObjects.Kind.valueOf(row.getString(1)),
                        (int) row.getLong(2),
                        (int) row.getLong(3)));
            }
        }
        return rows;
    }

    @Test
    void whatAnotherDatabaseDefinesConcernsNobodyHere() throws Exception {
        DatabaseCatalog before = awaitKnown("postgres");
        long version = catalogs.version("postgres");
        try (Connection writer = open("template1")) {
            writer.setAutoCommit(false);
            catalogs.changed(change(writer, transaction(writer), SOMETHING));
            assertSame(before, catalogs.catalog("postgres"));
            assertEquals(version, catalogs.version("postgres"));
        }
    }

    @Test
    void parametersThatFunctionsSetStayKnownUntilAFunctionMayHaveChanged() throws Exception {
        DatabaseCatalog before = awaitKnown("postgres");
        try (Connection writer = open("postgres")) {
            writer.setAutoCommit(false);
            catalogs.changed(change(writer, transaction(writer), changed(objects -> objects.relation(17_000))));
            assertSame(DatabaseCatalog.UNKNOWN, catalogs.catalog("postgres"));
            assertEquals(before.parametersSet(), catalogs.parametersSet("postgres"));
            catalogs.changed(change(writer, transaction(writer), SOMETHING));
            assertEquals(Optional.empty(), catalogs.parametersSet("postgres"));
            writer.commit();
            assertEquals(awaitKnown("postgres").parametersSet(), catalogs.parametersSet("postgres"));
        }
    }

    @Test
    void aChangeIsSeenByThoseWhoLookedBefore() throws Exception {
        awaitKnown("postgres");
        awaitKnown("template1");
        long before = catalogs.lastChange();
        assertFalse(catalogs.hasChangedSince("postgres", before));
        try (Connection writer = open("postgres")) {
            writer.setAutoCommit(false);
            catalogs.changed(change(writer, transaction(writer), SOMETHING));
        }
        assertTrue(catalogs.lastChange() > before);
        assertTrue(catalogs.hasChangedSince("postgres", before));
        assertFalse(catalogs.hasChangedSince("postgres", catalogs.lastChange()));
        assertFalse(catalogs.hasChangedSince("template1", before));
        assertTrue(catalogs.hasChangedSince("never read", before));
    }

    private static Map<String, Set<Integer>> rows(Connection connection) throws SQLException {
        Map<String, Set<Integer>> rows = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT 'relation', oid::int8 FROM pg_class UNION ALL"
                        + " SELECT 'type', oid::int8 FROM pg_type UNION ALL"
                        + " SELECT 'constraint', oid::int8 FROM pg_constraint")) {
            while (row.next()) {
                rows.computeIfAbsent(row.getString(1), kind -> new HashSet<>()).add((int) row.getLong(2));
            }
        }
        return rows;
    }

    private static ChangedObjects difference(Map<String, Set<Integer>> before, Map<String, Set<Integer>> after) {
        return changed(objects -> {
            difference(before, after, "relation").forEach(objects::relation);
            difference(before, after, "type").forEach(objects::type);
            difference(before, after, "constraint").forEach(objects::constraint);
        });
    }

    private static Set<Integer> difference(
            Map<String, Set<Integer>> before, Map<String, Set<Integer>> after, String kind) {
        Set<Integer> either = new HashSet<>(before.get(kind));
        either.addAll(after.get(kind));
        either.removeIf(oid -> before.get(kind).contains(oid) && after.get(kind).contains(oid));
        return either;
    }

    /** The relay reports the commit before any client can see it; a catalog read before the commit is visible would be too old. */
    @Test
    void isUnknownUntilAReportedChangeShows() throws Exception {
        DatabaseCatalog before = awaitKnown("postgres");
        try (Connection writer = open("postgres")) {
            writer.setAutoCommit(false);
            execute(writer, "CREATE UNLOGGED TABLE not_everywhere (i int)");
            catalogs.changed(change(writer, transaction(writer), SOMETHING));
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
        // Requests are answered one after the other, so this answer comes after the lookup above.
        assertEquals("postgres", role("postgres").name());
        assertSame(DatabaseCatalog.UNKNOWN, catalogs.catalog("nowhere"));
    }

    /** Databases come and go; dropped ones must not be looked up at each change for ever. */
    @Test
    void aDatabaseThatHasGoneIsLookedForOnce() throws Exception {
        List<String> opened = new CopyOnWriteArrayList<>();
        try (MasterCatalogs counting = new MasterCatalogs(database -> {
                    opened.add(database);
                    return open(database);
                });
                Connection owner = open("template1")) {
            execute(owner, "CREATE DATABASE fleeting");
            awaitKnown(counting, "fleeting");
            awaitKnown(counting, "postgres");
            counting.catalog("fleeting");
            execute(owner, "DROP DATABASE fleeting WITH (FORCE)");
            for (int i = 0; i < 5; i++) {
                owner.setAutoCommit(false);
                long transaction = transaction(owner);
                owner.commit();
                owner.setAutoCommit(true);
                counting.changed(change(owner, transaction, changed(ChangedObjects.Builder::databases)));
                awaitKnown(counting, "postgres");
            }
            // The first lookup found the database, the second one found that it was gone.
            assertTrue(opened.stream().filter("fleeting"::equals).count() <= 2, opened::toString);
        }
    }

    @Test
    void databasesThatSomebodyWaitsForAreReadFirst() throws Exception {
        Semaphore blocked = new Semaphore(0);
        Semaphore goOn = new Semaphore(0);
        List<String> databases = List.of("postgres", "template1", "third");
        try (Connection owner = open("postgres")) {
            execute(owner, "CREATE DATABASE third");
            try (MasterCatalogs ordered = new MasterCatalogs(database -> {
                if (database.equals("blocking")) {
                    blocked.release();
                    goOn.acquireUninterruptibly();
                    throw new SQLException("away");
                }
                return open(database);
            })) {
                for (String awaited : databases) {
                    databases.forEach(database -> awaitKnown(ordered, database));
                    // A catalog that was read just before is not read again at once, unless a session waits for it.
                    long known = System.nanoTime();
                    while (System.nanoTime() - known < TimeUnit.MILLISECONDS.toNanos(150)) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                    }
                    ordered.catalog("blocking");
                    blocked.acquire();
                    ordered.allMayHaveChanged();
                    CompletableFuture<List<String>> readBefore = new CompletableFuture<>();
                    ordered.whenRead(
                            awaited,
                            () -> readBefore.complete(databases.stream()
                                    .filter(other ->
                                            !other.equals(awaited) && ordered.catalog(other) != DatabaseCatalog.UNKNOWN)
                                    .toList()));
                    ordered.catalog(awaited);
                    goOn.release();
                    assertEquals(List.of(), readBefore.get(20, TimeUnit.SECONDS), awaited);
                }
            } finally {
                execute(owner, "DROP DATABASE third WITH (FORCE)");
            }
        }
    }

    @Test
    void knowsRolesAsTheyAreAfterAChange() throws Exception {
        assertNull(role("late"));
        try (Connection owner = open("postgres")) {
            owner.setAutoCommit(false);
            execute(owner, "CREATE ROLE late LOGIN PASSWORD 'late'");
            long transaction = transaction(owner);
            catalogs.changed(change(owner, transaction, OF_SESSIONS));
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
            catalogs.changed(change(owner, transaction, OF_SESSIONS));
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

    @Tag("slow")
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
