package io.multimed.server.master;

import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.engine.postgresql.catalog.EngineRole;
import io.multimed.engine.postgresql.catalog.RoleReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Master's roles, never older than the last commit that changed one, and the state of the catalogs that all databases share. */
final class MasterRoles {
    private static final Logger log = LoggerFactory.getLogger(MasterRoles.class);
    private static final String DATABASE = "postgres";
    private static final long NOT_YET_VISIBLE_MILLIS = 1;
    private static final long RETRY_MILLIS = 50;

    /**
     * Time for which a role lookup is retried. While the Master starts, roles cannot be read, and a client must not get the error
     * that its password is wrong.
     */
    private static final Duration PATIENCE_WITH_MASTER = Duration.ofSeconds(10);

    /** The roles by name, with the version at which they were read. */
    private record Known(Map<String, EngineRole> roles, long version) {}

    private final CatalogConnections connections;
    private final CatalogThread thread;
    private final UnseenChanges unseen;
    private final AtomicLong version = new AtomicLong(1);
    private volatile @Nullable Known known;
    /** Guards writes of {@code sharedCatalogs} by the relay's thread and the catalog thread. */
    private final Object sharedLock = new Object();

    private volatile SharedCatalogs sharedCatalogs = SharedCatalogs.UNCHANGED;

    MasterRoles(CatalogConnections connections, CatalogThread thread, UnseenChanges unseen) {
        this.connections = connections;
        this.thread = thread;
        this.unseen = unseen;
    }

    /** Returns the state of the shared catalogs for sessions that begin now. Thread-safe. */
    SharedCatalogs sharedCatalogs() {
        return sharedCatalogs;
    }

    /** Records a received commit that changed roles or another shared catalog. Called by the relay's thread. */
    void changed(long scn, long transaction) {
        version.incrementAndGet();
        SharedCatalogs changed = new SharedCatalogs(scn, false);
        synchronized (sharedLock) {
            sharedCatalogs = changed;
        }
        long giveUpNanos = System.nanoTime() + PATIENCE_WITH_MASTER.toNanos();
        thread.run(() -> awaitVisible(changed, transaction, giveUpNanos));
    }

    /** Discards the roles read so far. Thread-safe. */
    void mayHaveChanged() {
        version.incrementAndGet();
    }

    private void awaitVisible(SharedCatalogs changed, long transaction, long giveUpNanos) {
        if (!sharedCatalogs.equals(changed)) {
            return;
        }
        long again = NOT_YET_VISIBLE_MILLIS;
        try {
            unseen.areVisible(connections.to(DATABASE).connection());
        } catch (SQLException e) {
            connections.close(DATABASE);
            again = RETRY_MILLIS;
        }
        if (unseen.contains(transaction) && System.nanoTime() - giveUpNanos < 0) {
            later(again, () -> awaitVisible(changed, transaction, giveUpNanos));
        } else {
            synchronized (sharedLock) {
                if (sharedCatalogs.equals(changed)) {
                    sharedCatalogs = new SharedCatalogs(changed.scn(), true);
                }
            }
        }
    }

    /**
     * Looks a role up; does not block.
     *
     * @param found receives the role, on any thread; null if there is none or the Master could not be asked
     */
    void find(String name, Consumer<@Nullable EngineRole> found) {
        Known now = known;
        if (now != null && now.version() == version.get()) {
            found.accept(now.roles().get(name));
            return;
        }
        long giveUpNanos = System.nanoTime() + PATIENCE_WITH_MASTER.toNanos();
        if (!thread.run(() -> read(name, giveUpNanos, found))) {
            found.accept(null);
        }
    }

    private void read(String name, long giveUpNanos, Consumer<@Nullable EngineRole> found) {
        Known now = known;
        long at = version.get();
        if (now == null || now.version() != at) {
            try {
                Connection connection = connections.to(DATABASE).connection();
                if (!unseen.areVisible(connection)) {
                    if (!later(NOT_YET_VISIBLE_MILLIS, () -> read(name, giveUpNanos, found))) {
                        found.accept(null);
                    }
                    return;
                }
                now = new Known(Map.copyOf(RoleReader.read(connection)), at);
                known = now;
            } catch (SQLException e) {
                connections.close(DATABASE);
                if (System.nanoTime() - giveUpNanos < 0 && later(RETRY_MILLIS, () -> read(name, giveUpNanos, found))) {
                    return;
                }
                log.warn("The master's roles could not be read: {}", e.getMessage());
                found.accept(null);
                return;
            }
        }
        found.accept(now.roles().get(name));
    }

    private boolean later(long millis, Runnable task) {
        return thread.later(millis, TimeUnit.MILLISECONDS, task);
    }
}
