package io.multimed.server.master;

import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.engine.postgresql.catalog.CatalogReader;
import io.multimed.engine.postgresql.catalog.EngineRole;
import io.multimed.engine.postgresql.catalog.RoleReader;
import io.multimed.engine.postgresql.catalog.TransactionSnapshot;
import io.multimed.sql.DatabaseCatalog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the Master's databases hold and who its roles are, never older than the last commit that changed a catalog.
 *
 * <p>The relay reports such a commit before anyone can see it; from then on everything read earlier counts as unknown,
 * until it has been read again by a snapshot that shows the commit. Reads wait for that, so the connection to a database
 * whose catalog changes is kept for a moment: opening one, and planning the query, take longer than everything else. Only
 * for a moment, since an open one keeps its database from being dropped; PostgreSQL waits five seconds for it to go.
 */
public final class MasterCatalogs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MasterCatalogs.class);
    /** Databases in use are read again without being asked, but not more often than this while changes go on. */
    private static final long EAGER_MILLIS = 100;

    private static final long NOT_YET_VISIBLE_MILLIS = 1;

    /** Who a role is cannot be said while the Master starts; its client must not be told that its password is wrong. */
    private static final Duration PATIENCE_WITH_MASTER = Duration.ofSeconds(10);

    private static final long RETRY_MILLIS = 50;

    /** What was read, and the version that it was read at. */
    private record Read<T>(T value, long version) {}

    /** What a database held at a version, and whether anybody has asked since. */
    private static final class Held {
        private final DatabaseCatalog catalog;
        private final long version;
        private volatile boolean used;

        Held(DatabaseCatalog catalog, long version) {
            this.catalog = catalog;
            this.version = version;
        }
    }

    /** How long a connection is kept that nobody has used. */
    private static final Duration KEPT = Duration.ofSeconds(1);

    /** Used by the reader's thread alone. */
    private static final class Kept {
        private final Connection connection;
        private long usedNanos;

        Kept(Connection connection) {
            this.connection = connection;
        }
    }

    private final MasterConnections connections;
    private final Map<String, Kept> open = new HashMap<>();
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("multimed-catalog").factory());
    private final AtomicLong version = new AtomicLong(1);
    /** The newest transactions that changed a catalog and may not be visible yet. */
    private final Set<Long> changing = ConcurrentHashMap.newKeySet();

    private final Map<String, Held> catalogs = new ConcurrentHashMap<>();
    private final Set<String> beingRead = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean eager = new AtomicBoolean();
    private volatile @Nullable Read<Map<String, EngineRole>> roles;
    /** Held by those who write it: the relay's thread and the reader's. */
    private final Object sharedLock = new Object();

    private volatile SharedCatalogs sharedCatalogs = SharedCatalogs.UNCHANGED;

    public MasterCatalogs(MasterConnections connections) {
        this.connections = connections;
    }

    /** Rises with every commit that changed a catalog. Any thread. */
    public long version() {
        return version.get();
    }

    /** A commit that changed a catalog was received and is not visible to anybody yet. Called by the relay's thread. */
    public void changed(long transaction) {
        changing.add(transaction);
        version.incrementAndGet();
        readAgain();
    }

    /**
     * What {@link #changed} tells of, when roles, databases, or what these set for their sessions are among it. Called by the
     * relay's thread.
     */
    public void sharedChanged(long scn, long transaction) {
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
            awaitedChangesVisible(connection("postgres"));
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
        version.incrementAndGet();
        readAgain();
    }

    /** Databases in use are read again at once: what is unknown keeps reads from the Satellites. */
    private void readAgain() {
        if (eager.compareAndSet(false, true)) {
            later(0, this::readUsed);
        }
    }

    private void readUsed() {
        long at = version.get();
        catalogs.forEach((database, held) -> {
            if (held.used && beingRead.add(database)) {
                readCatalog(database);
            }
        });
        later(EAGER_MILLIS, () -> {
            eager.set(false);
            if (version.get() != at) {
                readAgain();
            }
        });
    }

    /** What the database holds; {@link DatabaseCatalog#UNKNOWN} until that has been read. Any thread; does not block. */
    public DatabaseCatalog catalog(String database) {
        Held held = catalogs.get(database);
        if (held != null && held.version == version.get()) {
            if (!held.used) {
                held.used = true;
            }
            return held.catalog;
        }
        if (beingRead.add(database)) {
            later(0, () -> readCatalog(database));
        }
        return DatabaseCatalog.UNKNOWN;
    }

    /**
     * Looks a role up; does not block.
     *
     * @param found given the role, or null when there is none or the Master could not be asked; any thread
     */
    public void role(String name, Consumer<@Nullable EngineRole> found) {
        Read<Map<String, EngineRole>> read = roles;
        if (read != null && read.version() == version.get()) {
            found.accept(read.value().get(name));
            return;
        }
        long giveUpNanos = System.nanoTime() + PATIENCE_WITH_MASTER.toNanos();
        if (!later(0, () -> readRole(name, giveUpNanos, found))) {
            found.accept(null);
        }
    }

    private void readCatalog(String database) {
        // Whoever asks from here on may need a newer one.
        beingRead.remove(database);
        long at = version.get();
        Held before = catalogs.get(database);
        if (before != null && before.version == at) {
            return;
        }
        try {
            Connection connection = connection(database);
            if (!awaitedChangesVisible(connection)) {
                retryCatalog(database, NOT_YET_VISIBLE_MILLIS);
                return;
            }
            DatabaseCatalog catalog = CatalogReader.read(connection);
            // The same contents keep the same identity, and with it all that was classified under it.
            DatabaseCatalog kept = before != null && before.catalog.sameContents(catalog) ? before.catalog : catalog;
            catalogs.put(database, new Held(kept, at));
        } catch (SQLException e) {
            // There may be no such database; nobody can read in it then.
            close(open.remove(database));
            log.info("The catalog of database {} could not be read: {}", database, e.getMessage());
        }
    }

    private Connection connection(String database) throws SQLException {
        Kept kept = open.get(database);
        if (kept == null) {
            kept = new Kept(connections.open(database));
            open.put(database, kept);
            later(KEPT.toMillis(), this::closeUnused);
        }
        kept.usedNanos = System.nanoTime();
        return kept.connection;
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

    private void retryCatalog(String database, long millis) {
        if (beingRead.add(database)) {
            later(millis, () -> readCatalog(database));
        }
    }

    private void readRole(String name, long giveUpNanos, Consumer<@Nullable EngineRole> found) {
        Read<Map<String, EngineRole>> read = roles;
        long at = version.get();
        if (read == null || read.version() != at) {
            try {
                Connection connection = connection("postgres");
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
        try {
            reader.schedule(
                    () -> {
                        try {
                            task.run();
                        } catch (RuntimeException e) {
                            log.error("Reading the master's catalogs failed", e);
                        }
                    },
                    millis,
                    TimeUnit.MILLISECONDS);
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
