package io.multimed.server.master;

import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.engine.postgresql.catalog.ChangedObjects;
import io.multimed.engine.postgresql.catalog.EngineRole;
import io.multimed.engine.postgresql.catalog.SchemaReader;
import io.multimed.engine.postgresql.catalog.TemporaryObjects;
import io.multimed.engine.postgresql.relay.CatalogChange;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.PartialTables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalogs of the Master's databases, and its roles, never older than the last commit that changed a catalog.
 *
 * <p>The relay reports such a commit before any client can see it. From then on the catalog read earlier counts as unknown, until a
 * snapshot that shows the commit has been checked. If all objects named by the commit are temporary objects of sessions
 * ({@link TemporaryObjects}), looking these up is enough; after any other change the whole schema is read again, and reads wait for
 * that.
 */
public final class MasterCatalogs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MasterCatalogs.class);
    /** Database from which catalogs are read that all databases share. */
    private static final String SHARED = "postgres";

    /** Shortest pause between two reads of a database that no session waits for, while changes continue. */
    private static final long EAGER_MILLIS = 100;
    /** The pause in proportion to the duration of the read before it, so that reads without a request take 2 % of a core. */
    private static final long PAUSE_FOR_EACH_READ = 50;

    /**
     * Time until the next check for a commit's visibility: from the relay's report to the visibility it takes about as long as
     * waking a process.
     */
    private static final long NOT_YET_VISIBLE_MICROS = 200;

    private static final long AWAITED_FIRST_MICROS = 500;

    private static final long RETRY_MILLIS = 50;

    private static final String NO_SUCH_DATABASE = "3D000";

    private final Supplier<PartialTables> partial;
    private final CatalogThread thread = new CatalogThread();
    private final CatalogConnections connections;
    private final UnseenChanges unseen = new UnseenChanges();
    private final MasterRoles roles;
    private final SchemaChanges changes = new SchemaChanges();
    private final Map<String, HeldCatalog> catalogs = new ConcurrentHashMap<>();
    private final Set<String> beingRead = ConcurrentHashMap.newKeySet();
    /** Databases whose catalog a session waits for. */
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    private final Map<String, Queue<Runnable>> waiting = new ConcurrentHashMap<>();

    public MasterCatalogs(MasterConnections connections) {
        this(connections, () -> PartialTables.NONE);
    }

    /**
     * Makes the catalogs of a Master that has partial Satellites.
     *
     * @param partial the tables that these carry; when they change, call {@link #carriedTablesChanged}
     */
    public MasterCatalogs(MasterConnections connections, Supplier<PartialTables> partial) {
        this.partial = partial;
        this.connections = new CatalogConnections(connections, thread);
        this.roles = new MasterRoles(this.connections, thread, unseen);
    }

    /**
     * Returns the version of the database's schema, which stays the same as long as only temporary objects change. While it is
     * unknown whether anything else has changed, returns a number that no schema of the database had before. Thread-safe.
     */
    public long version(String database) {
        HeldCatalog held = catalogs.get(database);
        if (held == null) {
            return changes.last();
        }
        if (held.isCurrent(changes)) {
            return Math.max(held.version(), changes.roles());
        }
        return Math.max(
                Math.max(held.ownChanges().last(), changes.everything()), Math.max(changes.names(), changes.roles()));
    }

    /** Returns the number of the last change of any schema. Thread-safe. */
    public long lastChange() {
        return changes.published();
    }

    /** Whether the database's schema may have changed after the change of this number. Thread-safe. */
    public boolean hasChangedSince(String database, long change) {
        HeldCatalog held = catalogs.get(database);
        return held == null
                || held.ownChanges().last() > change
                || changes.everything() > change
                || changes.names() > change;
    }

    /**
     * Returns the parameters with a qualified name that functions of the database set; empty if not known now. They stay known while
     * nothing but relations, types, constraints and schemas changes. Thread-safe.
     */
    public Optional<Set<String>> parametersSet(String database) {
        HeldCatalog held = catalogs.get(database);
        return held != null && held.knowsFunctions(changes) ? held.catalog().parametersSet() : Optional.empty();
    }

    /**
     * Whether the Master's sessions see every commit that {@link #version} counts. This holds once the database has been read
     * since; otherwise reading is started. Thread-safe; does not block.
     */
    public boolean isVersionVisible(String database) {
        return catalog(database) != DatabaseCatalog.UNKNOWN;
    }

    /**
     * Records a received commit that changed a catalog and is not visible to any client yet. Called by the relay's thread.
     *
     * @return the changed objects that may concern sessions other than that of the commit
     */
    public ChangedObjects changed(CatalogChange change) {
        ChangedObjects objects = changes.concerningOthers(change.database(), change.objects(), change.inserted());
        if (!objects.concernsSchema() && !objects.databases() && !objects.sessions()) {
            return objects;
        }
        unseen.add(change.transaction());
        changes.changed(change.database(), objects);
        if (objects.sessions()) {
            roles.changed(change.scn(), change.transaction());
        }
        if (objects.concernsSchema() || objects.databases()) {
            readAgain();
        }
        return objects;
    }

    /** Returns the state of the shared catalogs for sessions that begin now. Thread-safe. */
    public SharedCatalogs sharedCatalogs() {
        return roles.sharedCatalogs();
    }

    /**
     * Discards all knowledge, because commits may have happened that Multimed did not receive. The reported transactions count as
     * finished. Thread-safe.
     */
    public void allMayHaveChanged() {
        unseen.clear();
        roles.mayHaveChanged();
        changes.everythingMayHaveChanged();
        readAgain();
    }

    /**
     * Records that partial Satellites carry other tables than before, while they do not serve, or have other indexes. Until a database's catalog has been read again,
     * it is unknown, and none of its reads is placed. Thread-safe.
     */
    public void carriedTablesChanged() {
        changes.carriedTablesChanged();
        readAgain();
    }

    /** Reads the catalogs of databases in use again at once: unknown catalogs keep reads from the Satellites. */
    private void readAgain() {
        catalogs.forEach((database, held) -> {
            if (held.isUsed() && !held.isCurrent(changes) && !held.isPostponed() && beingRead.add(database)) {
                thread.run(() -> readCatalog(database));
            }
        });
    }

    /**
     * Returns the database's catalog; {@link DatabaseCatalog#UNKNOWN} until it has been read, which may take a while unless a
     * session waits ({@link #whenRead}). A session that only changes the schema calls this too, without causing a read each time.
     * Thread-safe; does not block.
     */
    public DatabaseCatalog catalog(String database) {
        HeldCatalog held = catalogs.get(database);
        if (held != null && held.isCurrent(changes)) {
            held.use();
            return held.catalog();
        }
        if (held == null) {
            asked.add(database);
        } else if (held.isPostponed()) {
            return DatabaseCatalog.UNKNOWN;
        }
        if (beingRead.add(database)) {
            thread.run(() -> readCatalog(database));
        }
        return DatabaseCatalog.UNKNOWN;
    }

    /** Runs an action when the database has been read, or reading it has failed. Thread-safe; does not block. */
    public void whenRead(String database, Runnable then) {
        waiting.computeIfAbsent(database, name -> new ConcurrentLinkedQueue<>()).add(then);
        HeldCatalog held = catalogs.get(database);
        if (held != null && held.isCurrent(changes)) {
            tellWaiting(database);
            return;
        }
        asked.add(database);
        if (beingRead.add(database)) {
            thread.run(() -> readCatalog(database));
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
     * @param found receives the role, on any thread; null if there is none or the Master could not be asked
     */
    public void role(String name, Consumer<@Nullable EngineRole> found) {
        roles.find(name, found);
    }

    /** Reads the names of the databases to which clients may connect; empty if the Master cannot be asked. Does not block. */
    public CompletableFuture<Optional<Set<String>>> databases() {
        CompletableFuture<Optional<Set<String>>> names = new CompletableFuture<>();
        if (!thread.run(() -> names.complete(readDatabases()))) {
            names.complete(Optional.empty());
        }
        return names;
    }

    private Optional<Set<String>> readDatabases() {
        try (Statement statement = connections.to(SHARED).connection().createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT datname FROM pg_catalog.pg_database WHERE datallowconn")) {
            Set<String> names = new HashSet<>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return Optional.of(names);
        } catch (SQLException e) {
            connections.close(SHARED);
            log.info("The names of the databases could not be read: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private void readCatalog(String database) {
        if (!asked.isEmpty() && !asked.contains(database)) {
            // A session waits for another database. Opening a connection to each changed database first might take
            // long.
            thread.later(AWAITED_FIRST_MICROS, TimeUnit.MICROSECONDS, () -> readCatalog(database));
            return;
        }
        // Requests from here on may need a newer catalog.
        beingRead.remove(database);
        boolean isAwaited = asked.remove(database);
        HeldCatalog before = catalogs.get(database);
        if (before == null ? !isAwaited : before.isCurrent(changes)) {
            tellWaiting(database);
            return;
        }
        try {
            CatalogConnections.Kept master = connections.to(database);
            // The changes are collected before the snapshot is checked for visibility, because nothing is known of
            // later changes then.
            SchemaChanges.OfDatabase own = changes.of(master.database());
            long version = changes.last();
            SchemaChanges.Pending pending = own.pending();
            HeldCatalog.UpTo upTo = new HeldCatalog.UpTo(pending.last(), changes.everything(), changes.names());
            if (!unseen.areVisible(master.connection())) {
                if (isAwaited) {
                    asked.add(database);
                }
                retryCatalog(database);
                return;
            }
            long began = System.nanoTime();
            TemporaryObjects temporary;
            if (before != null
                    && before.isOf(master.database())
                    && before.upTo().everything() == upTo.everything()
                    && before.temporary().areAll(pending.objects(), master.connection())) {
                catalogs.put(database, before.checkedUpTo(upTo));
                temporary = before.temporary();
            } else if (before != null && !isAwaited && before.mustRest(began)) {
                thread.later(before.postpone(began), TimeUnit.NANOSECONDS, this::readAgain);
                return;
            } else {
                SchemaReader.Schema schema =
                        SchemaReader.read(master.connection(), partial.get().in(database));
                // If the contents are the same, the same object is kept, so that statements classified with it stay
                // valid.
                DatabaseCatalog catalog = before != null && before.catalog().sameContents(schema.catalog())
                        ? before.catalog()
                        : schema.catalog();
                SchemaReader.Schema kept = new SchemaReader.Schema(catalog, schema.temporary());
                long ended = System.nanoTime();
                long pause =
                        Math.max(TimeUnit.MILLISECONDS.toNanos(EAGER_MILLIS), PAUSE_FOR_EACH_READ * (ended - began));
                catalogs.put(database, new HeldCatalog(master.database(), kept, own, version, upTo, ended + pause));
                temporary = schema.temporary();
            }
            changes.settled(own, pending.last(), upTo.everything(), temporary.schemas());
            tellWaiting(database);
        } catch (SQLException e) {
            // There may be no such database; then no session can read in it.
            connections.close(database);
            if (NO_SUCH_DATABASE.equals(e.getSQLState())) {
                // Then the next change does not cause another attempt, unless a session requests it.
                catalogs.remove(database);
            }
            log.info("The catalog of database {} could not be read: {}", database, e.getMessage());
            thread.later(RETRY_MILLIS, TimeUnit.MILLISECONDS, () -> tellWaiting(database));
        }
    }

    private void retryCatalog(String database) {
        if (beingRead.add(database)) {
            thread.later(NOT_YET_VISIBLE_MICROS, TimeUnit.MICROSECONDS, () -> readCatalog(database));
        }
    }

    @Override
    public void close() {
        thread.run(connections::closeAll);
        thread.shutdown();
    }
}
