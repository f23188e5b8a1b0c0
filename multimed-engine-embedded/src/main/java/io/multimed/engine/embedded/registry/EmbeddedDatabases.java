package io.multimed.engine.embedded.registry;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.h2.H2Family;
import io.multimed.engine.embedded.h2.H2Sessions;
import io.multimed.engine.embedded.hsqldb.HsqlFamily;
import io.multimed.engine.embedded.runtime.PlainSession;
import io.multimed.engine.embedded.runtime.ReplicatedDatabase;
import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.Uninterrupted;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Opens connections and keeps one runtime per database of this JVM. Any thread. */
public final class EmbeddedDatabases {
    private EmbeddedDatabases() {}

    /**
     * Opens one application connection to H2 or HSQLDB. The first connection to a database starts its Master, creates the
     * Satellites and starts the appliers, all in the caller's thread.
     *
     * @param credentials user, password and other properties for the engine's driver
     * @param replicaReady receives every engine connection of this session to a Satellite, before its first use
     * @throws SQLException 08001 if a replica cannot be created, 0A000 if the engine or an option is not supported, or the
     *     engine's own
     */
    public static EmbeddedSession connect(EmbeddedOptions options, Properties credentials, ReplicaListener replicaReady)
            throws SQLException {
        if (options.replicas() == 1) {
            return alone(options, DriverManager.getConnection(options.engineUrl(), credentials));
        }
        return connect(family(options.engineUrl()), options, credentials, replicaReady);
    }

    /** Returns a session for an application connection to an engine without replicas. */
    public static EmbeddedSession alone(EmbeddedOptions options, Connection connection) {
        return new PlainSession(options, connection);
    }

    /**
     * Opens one application connection to an engine of any family, with more than one replica.
     *
     * @param family the family of the engine that the URL names
     */
    public static EmbeddedSession connect(
            EngineFamily family, EmbeddedOptions options, Properties credentials, ReplicaListener replicaReady)
            throws SQLException {
        Properties login = family.login(options.engineUrl(), credentials);
        while (true) {
            ReplicatedDatabase database = database(family, options, credentials, login);
            EmbeddedSession session = database.connect(options, login, replicaReady);
            if (session != null) {
                return session;
            }
            // The database was shut down, or has ended with its last connection.
            database.close();
        }
    }

    /**
     * Returns the names that a query on H2 may use for anything but a stored table: views with their definitions, and routines,
     * synonyms, linked and temporary tables with null. They are read without a statement, which could be forbidden and would be
     * counted.
     *
     * @return null if the engine is not in this process
     */
    public static @Nullable Map<String, @Nullable String> names(Connection h2) {
        return H2Sessions.names(h2);
    }

    /** Allows or forbids literals in statements on a connection of H2, where the database forbids them. */
    public static void allowLiterals(Connection h2, boolean allow) {
        H2Sessions.allowLiterals(h2, allow);
    }

    /** Longest time that a connection waits while another one opens its database, unless DriverManager's login timeout is set. */
    private static final long OPENING_SECONDS = 60;

    /** Locks by database name. The thread that opens a database holds its lock. */
    private static final Map<String, ReentrantLock> OPENING = new ConcurrentHashMap<>();

    /** Open databases by name. Entries are written under the lock of the name, except by {@link #forget}. */
    private static final Map<String, ReplicatedDatabase> DATABASES = new ConcurrentHashMap<>();

    private static ReplicatedDatabase database(
            EngineFamily family, EmbeddedOptions options, Properties credentials, Properties login)
            throws SQLException {
        String url = options.engineUrl();
        String name = family.database(url, credentials);
        if (name.equals("jdbc:h2:mem:")) {
            // A database without a name belongs to one connection.
            return ReplicatedDatabase.open(family, options, login, EmbeddedDatabases::forget);
        }
        ReentrantLock opening = lock(name);
        try {
            ReplicatedDatabase known = DATABASES.get(name);
            if (known == null || known.closed()) {
                known = ReplicatedDatabase.open(family, options, login, EmbeddedDatabases::forget);
                DATABASES.put(name, known);
            } else if (known.options().replicas() != options.replicas()) {
                throw new SQLException(
                        "The database " + name + " is open with replicas="
                                + known.options().replicas() + ", not " + options.replicas()
                                + ": give all of its connections the same number.",
                        "08001");
            } else if (!family.settings(known.options().engineUrl()).equals(family.settings(url))) {
                throw new SQLException(
                        "The database " + name + " is open with other settings: \""
                                + family.settings(known.options().engineUrl()) + "\", not \"" + family.settings(url)
                                + "\": give all of its connections the same.",
                        "08001");
            }
            return known;
        } finally {
            if (!opening.hasQueuedThreads()) {
                OPENING.remove(name, opening);
            }
            opening.unlock();
        }
    }

    /** Locks one database. A thread that opens a database, however long that takes, does not delay other databases. */
    private static ReentrantLock lock(String name) throws SQLException {
        int given = DriverManager.getLoginTimeout();
        long seconds = given > 0 ? given : OPENING_SECONDS;
        while (true) {
            ReentrantLock lock = OPENING.computeIfAbsent(name, unknown -> new ReentrantLock());
            if (!Uninterrupted.call(() -> lock.tryLock(seconds, TimeUnit.SECONDS))) {
                throw new SQLTransientConnectionException(
                        "The database " + name + " is being opened by another connection, which was not done within "
                                + seconds + " s; try again.",
                        "08001");
            }
            if (OPENING.get(name) == lock) {
                return lock;
            }
            lock.unlock();
        }
    }

    /**
     * Ends the Satellites of all databases without sessions, and their threads. The Masters follow the engines' own rules. A
     * session that is opened later creates new Satellites.
     */
    public static void releaseUnused() {
        for (ReplicatedDatabase database : DATABASES.values()) {
            database.closeUnused();
        }
    }

    /** Removes a database that has ended. Takes no lock, so ending a database does not wait for threads that open others. */
    private static void forget(ReplicatedDatabase database) {
        DATABASES.values().remove(database);
    }

    private static EngineFamily family(String url) throws SQLException {
        if (url.startsWith("jdbc:h2:")) {
            return new H2Family();
        }
        if (url.startsWith("jdbc:hsqldb:")) {
            return new HsqlFamily();
        }
        throw new SQLFeatureNotSupportedException(
                "Replicas of " + url + " need an engine that tells which rows have changed: H2 or HSQLDB.", "0A000");
    }
}
