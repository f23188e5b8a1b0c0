package io.multimed.server.master;

import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.engine.postgresql.catalog.ChangedObjects;
import io.multimed.engine.postgresql.catalog.EngineRole;
import io.multimed.engine.postgresql.catalog.RoleReader;
import io.multimed.engine.postgresql.catalog.SchemaReader;
import io.multimed.engine.postgresql.catalog.TemporaryObjects;
import io.multimed.engine.postgresql.catalog.TransactionSnapshot;
import io.multimed.engine.postgresql.relay.CatalogChange;
import io.multimed.sql.DatabaseCatalog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the Master's databases hold and who its roles are, never older than the last commit that changed a catalog.
 *
 * <p>The relay reports such a commit before anyone can see it; from then on what was read of its database earlier counts as
 * unknown, until a snapshot that shows the commit tells otherwise. A look at the objects that the commit names is enough if
 * all of them are temporary objects of sessions ({@link TemporaryObjects}); after any other change the whole schema is read
 * again. Reads wait for that, so the connection to a database whose catalog changes is kept for a moment: opening one, and
 * planning the query, take longer than everything else. Only for a moment, since an open one keeps its database from being
 * dropped; PostgreSQL waits five seconds for it to go.
 */
public final class MasterCatalogs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MasterCatalogs.class);
    /** Databases in use are read again without being asked, but not more often than this while changes go on. */
    private static final long EAGER_MILLIS = 100;

    private static final long NOT_YET_VISIBLE_MILLIS = 1;

    /** Between the relay's report of a commit and its visibility is about the time that a process takes to wake up. */
    private static final long NOT_YET_VISIBLE_MICROS = 200;

    private static final long AWAITED_FIRST_MICROS = 500;

    /** Who a role is cannot be said while the Master starts; its client must not be told that its password is wrong. */
    private static final Duration PATIENCE_WITH_MASTER = Duration.ofSeconds(10);

    private static final long RETRY_MILLIS = 50;

    private static final String NO_SUCH_DATABASE = "3D000";

    /** What was read, and the version that it was read at. */
    private record Read<T>(T value, long version) {}

    /** The positions in {@link SchemaChanges} up to which something is known of a database. */
    private record UpTo(long own, long everything, long names) {}

    /** Contents of a database when it was read, and whether anybody has asked since. */
    private static final class Held {
        private final int database;
        private final DatabaseCatalog catalog;
        private final TemporaryObjects temporary;
        private final SchemaChanges.OfDatabase changes;
        /** Version of the schema when it was read. */
        private final long version;

        private final UpTo upTo;
        private final long readNanos;
        private volatile boolean used;

        Held(
                int database,
                SchemaReader.Schema schema,
                SchemaChanges.OfDatabase changes,
                long version,
                UpTo upTo,
                long readNanos) {
            this.database = database;
            catalog = schema.catalog();
            temporary = schema.temporary();
            this.changes = changes;
            this.version = version;
            this.upTo = upTo;
            this.readNanos = readNanos;
        }

        /** The same, looked at again. */
        Held upTo(UpTo now) {
            return new Held(database, new SchemaReader.Schema(catalog, temporary), changes, version, now, readNanos);
        }
    }

    /** How long a connection is kept that nobody has used. */
    private static final Duration KEPT = Duration.ofSeconds(1);

    /** Used by the reader's thread alone. */
    private static final class Kept {
        private final Connection connection;
        /** The database cannot be renamed while the connection is open. */
        private final int database;

        private long usedNanos;

        Kept(Connection connection, int database) {
            this.connection = connection;
            this.database = database;
        }
    }

    private final MasterConnections connections;
    private final Map<String, Kept> open = new HashMap<>();
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("multimed-catalog").factory());
    private final SchemaChanges changes = new SchemaChanges();
    private final AtomicLong rolesVersion = new AtomicLong(1);
    /** The newest transactions that changed a catalog and may not be visible yet. */
    private final Set<Long> changing = ConcurrentHashMap.newKeySet();

    private final Map<String, Held> catalogs = new ConcurrentHashMap<>();
    private final Set<String> beingRead = ConcurrentHashMap.newKeySet();
    /** Databases of which somebody waits to know. */
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    private final Map<String, Queue<Runnable>> waiting = new ConcurrentHashMap<>();
    private volatile @Nullable Read<Map<String, EngineRole>> roles;
    /** Held by those who write it: the relay's thread and the reader's. */
    private final Object sharedLock = new Object();

    private volatile SharedCatalogs sharedCatalogs = SharedCatalogs.UNCHANGED;

    public MasterCatalogs(MasterConnections connections) {
        this.connections = connections;
    }

    /**
     * The version of the database's schema: the same as long as nothing of it changes but temporary objects. While it is not
     * known whether something else has changed, a number that no schema of the database had before. Any thread.
     */
    public long version(String database) {
        Held held = catalogs.get(database);
        if (held == null) {
            return changes.last();
        }
        if (isCurrent(held)) {
            return Math.max(held.version, changes.roles());
        }
        return Math.max(
                Math.max(held.changes.last(), changes.everything()), Math.max(changes.names(), changes.roles()));
    }

    private boolean isCurrent(Held held) {
        return held.upTo.own == held.changes.last()
                && held.upTo.everything == changes.everything()
                && held.upTo.names == changes.names();
    }

    /**
     * Whether the Master's sessions see every commit that {@link #version} counts: then the database has been read since. Any thread;
     * does not block, and has it read if it has not.
     */
    public boolean isVersionVisible(String database) {
        return catalog(database) != DatabaseCatalog.UNKNOWN;
    }

    /** A commit that changed a catalog was received and is not visible to anybody yet. Called by the relay's thread. */
    public void changed(CatalogChange change) {
        ChangedObjects objects = changes.concerningOthers(change.database(), change.objects(), change.inserted());
        if (!objects.concernsSchema() && !objects.databases() && !objects.sessions()) {
            return;
        }
        changing.add(change.transaction());
        changes.changed(change.database(), objects);
        if (objects.sessions()) {
            rolesVersion.incrementAndGet();
            sharedChanged(change.scn(), change.transaction());
        }
        if (objects.concernsSchema() || objects.databases()) {
            readAgain();
        }
    }

    private void sharedChanged(long scn, long transaction) {
        SharedCatalogs changed = new SharedCatalogs(scn, false);
        synchronized (sharedLock) {
            sharedCatalogs = changed;
        }
        long giveUpNanos = System.nanoTime() + PATIENCE_WITH_MASTER.toNanos();
        later(0, () -> awaitVisible(changed, transaction, giveUpNanos));
    }

    /** What sessions that begin now begin with. Any thread. */
    public SharedCatalogs sharedCatalogs() {
        return sharedCatalogs;
    }

    private void awaitVisible(SharedCatalogs changed, long transaction, long giveUpNanos) {
        if (sharedCatalogs != changed) {
            return;
        }
        long again = NOT_YET_VISIBLE_MILLIS;
        try {
            awaitedChangesVisible(connection("postgres").connection);
        } catch (SQLException e) {
            close(open.remove("postgres"));
            again = RETRY_MILLIS;
        }
        if (changing.contains(transaction) && System.nanoTime() - giveUpNanos < 0) {
            later(again, () -> awaitVisible(changed, transaction, giveUpNanos));
        } else {
            synchronized (sharedLock) {
                if (sharedCatalogs == changed) {
                    sharedCatalogs = new SharedCatalogs(changed.scn(), true);
                }
            }
        }
    }

    /** Commits may have happened that nobody heard of, or none of those reported is still under way. Any thread. */
    public void allMayHaveChanged() {
        changing.clear();
        rolesVersion.incrementAndGet();
        changes.everythingMayHaveChanged();
        readAgain();
    }

    /** Databases in use are read again at once: what is unknown keeps reads from the Satellites. */
    private void readAgain() {
        catalogs.forEach((database, held) -> {
            if (held.used && !isCurrent(held) && beingRead.add(database)) {
                later(0, () -> readCatalog(database));
            }
        });
    }

    /**
     * What the database holds; {@link DatabaseCatalog#UNKNOWN} until that has been read, which may take a while unless somebody waits
     * ({@link #whenRead}). A session that does nothing but change the schema asks too, and does not have it read each time. Any
     * thread; does not block.
     */
    public DatabaseCatalog catalog(String database) {
        Held held = catalogs.get(database);
        if (held != null && isCurrent(held)) {
            if (!held.used) {
                held.used = true;
            }
            return held.catalog;
        }
        if (held == null) {
            asked.add(database);
        }
        if (beingRead.add(database)) {
            later(0, () -> readCatalog(database));
        }
        return DatabaseCatalog.UNKNOWN;
    }

    /** Does something when more is known of the database, or was tried to be found out in vain. Any thread; does not block. */
    public void whenRead(String database, Runnable then) {
        waiting.computeIfAbsent(database, name -> new ConcurrentLinkedQueue<>()).add(then);
        Held held = catalogs.get(database);
        if (held != null && isCurrent(held)) {
            tellWaiting(database);
            return;
        }
        asked.add(database);
        if (beingRead.add(database)) {
            later(0, () -> readCatalog(database));
        }
    }

    private void tellWaiting(String database) {
        Queue<Runnable> those = waiting.get(database);
        if (those != null) {
            for (Runnable one = those.poll(); one != null; one = those.poll()) {
                try {
                    one.run();
                } catch (RejectedExecutionException e) {
                    log.debug("Nobody waits for the catalog of {} any more", database, e);
                }
            }
        }
    }

    /**
     * Looks a role up; does not block.
     *
     * @param found given the role, or null when there is none or the Master could not be asked; any thread
     */
    public void role(String name, Consumer<@Nullable EngineRole> found) {
        Read<Map<String, EngineRole>> read = roles;
        if (read != null && read.version() == rolesVersion.get()) {
            found.accept(read.value().get(name));
            return;
        }
        long giveUpNanos = System.nanoTime() + PATIENCE_WITH_MASTER.toNanos();
        if (!later(0, () -> readRole(name, giveUpNanos, found))) {
            found.accept(null);
        }
    }

    private void readCatalog(String database) {
        if (!asked.isEmpty() && !asked.contains(database)) {
            // Somebody waits for another one; to open a connection to each that has changed may take long.
            laterMicros(AWAITED_FIRST_MICROS, () -> readCatalog(database));
            return;
        }
        // Whoever asks from here on may need a newer one.
        beingRead.remove(database);
        boolean isAwaited = asked.remove(database);
        Held before = catalogs.get(database);
        if (before == null ? !isAwaited : isCurrent(before)) {
            tellWaiting(database);
            return;
        }
        try {
            Kept master = connection(database);
            // The changes are collected, and looked at, before it is asked which are visible: a later one is not known
            // then.
            SchemaChanges.OfDatabase own = changes.of(master.database);
            long version = changes.last();
            SchemaChanges.Pending pending = own.pending();
            UpTo upTo = new UpTo(pending.last(), changes.everything(), changes.names());
            if (!awaitedChangesVisible(master.connection)) {
                if (isAwaited) {
                    asked.add(database);
                }
                retryCatalog(database);
                return;
            }
            long now = System.nanoTime();
            TemporaryObjects temporary;
            if (before != null
                    && before.database == master.database
                    && before.upTo.everything == upTo.everything
                    && before.temporary.areAll(pending.objects(), master.connection)) {
                catalogs.put(database, before.upTo(upTo));
                temporary = before.temporary;
            } else if (before != null
                    && !isAwaited
                    && now - before.readNanos < TimeUnit.MILLISECONDS.toNanos(EAGER_MILLIS)) {
                later(EAGER_MILLIS, this::readAgain);
                return;
            } else {
                SchemaReader.Schema schema = SchemaReader.read(master.connection);
                // The same contents keep the same identity, and with it all that was classified under it.
                DatabaseCatalog catalog = before != null && before.catalog.sameContents(schema.catalog())
                        ? before.catalog
                        : schema.catalog();
                SchemaReader.Schema kept = new SchemaReader.Schema(catalog, schema.temporary());
                catalogs.put(database, new Held(master.database, kept, own, version, upTo, now));
                temporary = schema.temporary();
            }
            changes.settled(own, pending.last(), upTo.everything, temporary.schemas());
            tellWaiting(database);
        } catch (SQLException e) {
            // There may be no such database; nobody can read in it then.
            close(open.remove(database));
            if (NO_SUCH_DATABASE.equals(e.getSQLState())) {
                // Nor is it looked for again at the next change, as long as nobody asks.
                catalogs.remove(database);
            }
            log.info("The catalog of database {} could not be read: {}", database, e.getMessage());
            later(RETRY_MILLIS, () -> tellWaiting(database));
        }
    }

    private Kept connection(String database) throws SQLException {
        Kept kept = open.get(database);
        if (kept == null) {
            Connection connection = connections.open(database);
            try {
                kept = new Kept(connection, oid(connection));
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
            open.put(database, kept);
            later(KEPT.toMillis(), this::closeUnused);
        }
        kept.usedNanos = System.nanoTime();
        return kept;
    }

    private static int oid(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT oid::int8 FROM pg_catalog.pg_database"
                        + " WHERE datname = pg_catalog.current_database()")) {
            row.next();
            return (int) row.getLong(1);
        }
    }

    private void closeUnused() {
        long now = System.nanoTime();
        open.values().removeIf(kept -> {
            boolean unused = now - kept.usedNanos >= KEPT.toNanos();
            if (unused) {
                close(kept);
            }
            return unused;
        });
        if (!open.isEmpty()) {
            later(KEPT.toMillis(), this::closeUnused);
        }
    }

    private static void close(@Nullable Kept kept) {
        if (kept != null) {
            try {
                kept.connection.close();
            } catch (SQLException e) {
                log.debug("Closing a connection to the master's catalog: {}", e.getMessage());
            }
        }
    }

    private void retryCatalog(String database) {
        if (beingRead.add(database)) {
            laterMicros(NOT_YET_VISIBLE_MICROS, () -> readCatalog(database));
        }
    }

    private void readRole(String name, long giveUpNanos, Consumer<@Nullable EngineRole> found) {
        Read<Map<String, EngineRole>> read = roles;
        long at = rolesVersion.get();
        if (read == null || read.version() != at) {
            try {
                Connection connection = connection("postgres").connection;
                if (!awaitedChangesVisible(connection)) {
                    if (!later(NOT_YET_VISIBLE_MILLIS, () -> readRole(name, giveUpNanos, found))) {
                        found.accept(null);
                    }
                    return;
                }
                read = new Read<>(new HashMap<>(RoleReader.read(connection)), at);
                roles = read;
            } catch (SQLException e) {
                close(open.remove("postgres"));
                if (System.nanoTime() - giveUpNanos < 0
                        && later(RETRY_MILLIS, () -> readRole(name, giveUpNanos, found))) {
                    return;
                }
                log.warn("The master's roles could not be read: {}", e.getMessage());
                found.accept(null);
                return;
            }
        }
        found.accept(read.value().get(name));
    }

    /** Whether all reported changes are visible in snapshots taken from now on. */
    private boolean awaitedChangesVisible(Connection connection) throws SQLException {
        if (changing.isEmpty()) {
            return true;
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_catalog.pg_current_snapshot()::text")) {
            rows.next();
            TransactionSnapshot snapshot = TransactionSnapshot.parse(rows.getString(1));
            changing.removeIf(snapshot::test);
        }
        return changing.isEmpty();
    }

    private boolean later(long millis, Runnable task) {
        return laterMicros(TimeUnit.MILLISECONDS.toMicros(millis), task);
    }

    private boolean laterMicros(long micros, Runnable task) {
        try {
            reader.schedule(
                    () -> {
                        try {
                            task.run();
                        } catch (RuntimeException e) {
                            log.error("Reading the master's catalogs failed", e);
                        }
                    },
                    micros,
                    TimeUnit.MICROSECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    @Override
    public void close() {
        later(0, () -> {
            open.values().forEach(MasterCatalogs::close);
            open.clear();
        });
        reader.shutdown();
    }
}
