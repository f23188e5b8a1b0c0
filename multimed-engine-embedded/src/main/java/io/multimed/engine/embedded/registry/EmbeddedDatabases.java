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

/** Opens connections; keeps one runtime per database of this JVM. Any thread. */
public final class EmbeddedDatabases {
    private EmbeddedDatabases() {}

    /**
     * Opens one application connection to H2 or HSQLDB. The first one of a database starts its Master, creates the Satellites
     * and starts the appliers; all of it in the caller's thread.
     *
     * @param credentials user, password and whatever else the engine's driver takes
     * @param replicaReady told of every engine connection that this session gets to a Satellite, before its first use
     * @throws SQLException 08001 if a replica cannot be created, 0A000 if the engine or an option is not supported, or
     *     the engine's own
     */
    public static EmbeddedSession connect(EmbeddedOptions options, Properties credentials, ReplicaListener replicaReady)
            throws SQLException {
        if (options.replicas() == 1) {
            return alone(options, DriverManager.getConnection(options.engineUrl(), credentials));
        }
        return connect(family(options.engineUrl()), options, credentials, replicaReady);
    }

    /** An application connection to an engine alone. */
    public static EmbeddedSession alone(EmbeddedOptions options, Connection connection) {
        return new PlainSession(options, connection);
    }

    /**
     * The same for an engine of any family, with more than one replica.
     *
     * @param family whose engine the URL names
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
            // Its engine was shut down, or has ended with its last connection.
            database.close();
        }
    }

    /**
     * The names that a query on H2 may use for more than a stored table: views with their definitions, and routines, synonyms, linked
     * and temporary tables with null. Read without a statement, which could be forbidden and would be counted.
     *
     * @return null if the engine is not in this process
     */
    public static @Nullable Map<String, @Nullable String> names(Connection h2) {
        return H2Sessions.names(h2);
    }

    /** Lets statements on a connection of H2 have literals, or not, where the database forbids them. */
    public static void allowLiterals(Connection h2, boolean allow) {
        H2Sessions.allowLiterals(h2, allow);
    }

    /** How long a connection waits for another one that opens its database, unless the driver manager says how long. */
    private static final long OPENING_SECONDS = 60;

    /** Held by whoever opens the database of that name. */
    private static final Map<String, ReentrantLock> OPENING = new ConcurrentHashMap<>();

    /** Written by whoever holds the lock of the name, but for {@link #forget}. */
    private static final Map<String, ReplicatedDatabase> DATABASES = new ConcurrentHashMap<>();

    private static ReplicatedDatabase database(
            EngineFamily family, EmbeddedOptions options, Properties credentials, Properties login)
            throws SQLException {
        String url = options.engineUrl();
        String name = family.database(url, credentials);
        if (name.equals("jdbc:h2:mem:")) {
            // Without a name it is a database of its own for each connection.
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

    /** Lock of one database: a thread that opens it, however long that takes, does not delay other databases. */
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
     * Ends the Satellites of all databases without sessions, and their threads. The Masters follow the engines' own rules;
     * a session that is opened later makes Satellites anew.
     */
    public static void releaseUnused() {
        for (ReplicatedDatabase database : DATABASES.values()) {
            database.closeUnused();
        }
    }

    /** It has ended. Whoever ends one does not wait for those who open others. */
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
