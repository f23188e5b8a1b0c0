package io.multimed.engine.embedded;

import io.multimed.engine.embedded.h2.H2Family;
import io.multimed.engine.embedded.hsqldb.HsqlFamily;
import io.multimed.engine.embedded.runtime.PlainSession;
import io.multimed.engine.embedded.runtime.ReplicatedDatabase;
import io.multimed.engine.embedded.spi.EngineFamily;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;

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

    /** Written under its monitor, but for {@link #forget}. */
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
        synchronized (DATABASES) {
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
