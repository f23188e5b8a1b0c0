package io.multimed.server.master;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections for reading catalogs, one per database, each kept for a moment after its use.
 *
 * <p>Reads wait for a catalog that has changed, and opening a connection takes longer than everything else. It is not kept longer, since an open connection prevents DROP DATABASE;
 * PostgreSQL waits five seconds for it to close.
 *
 * <p>Used by the catalog thread alone.
 */
final class CatalogConnections {
    private static final Logger log = LoggerFactory.getLogger(CatalogConnections.class);
    /** Time for which an unused connection is kept. */
    private static final Duration KEPT = Duration.ofSeconds(1);

    /** An open connection. */
    static final class Kept {
        private final Connection connection;
        /** OID of the database, which cannot be renamed while the connection is open. */
        private final int database;

        private long usedNanos;

        private Kept(Connection connection, int database) {
            this.connection = connection;
            this.database = database;
        }

        Connection connection() {
            return connection;
        }

        /** Returns the OID of the database. */
        int database() {
            return database;
        }
    }

    private final MasterConnections connections;
    private final CatalogThread thread;
    private final Map<String, Kept> open = new HashMap<>();

    CatalogConnections(MasterConnections connections, CatalogThread thread) {
        this.connections = connections;
        this.thread = thread;
    }

    /** Returns the connection to a database; opens one if there is none. */
    Kept to(String database) throws SQLException {
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
            closeUnusedLater();
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

    private void closeUnusedLater() {
        thread.later(KEPT.toMillis(), TimeUnit.MILLISECONDS, this::closeUnused);
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
            closeUnusedLater();
        }
    }

    /** Closes the connection to a database, for instance because it has failed. */
    void close(String database) {
        Kept kept = open.remove(database);
        if (kept != null) {
            close(kept);
        }
    }

    void closeAll() {
        open.values().forEach(CatalogConnections::close);
        open.clear();
    }

    private static void close(Kept kept) {
        try {
            kept.connection.close();
        } catch (SQLException e) {
            log.debug("Closing a connection to the master's catalog: {}", e.getMessage());
        }
    }
}
