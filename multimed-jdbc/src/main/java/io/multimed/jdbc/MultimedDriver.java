package io.multimed.jdbc;

import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.jdbc.connection.LogicalConnection;
import io.multimed.jdbc.embedded.EmbeddedDriverSession;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.remote.RemoteSession;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.url.MultimedUrl;
import io.multimed.jdbc.url.OwnOptions;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC driver of Multimed. It registers itself if it is on the class path.
 *
 * <pre>
 *   jdbc:multimed:h2:mem:shop;replicas=4                  several H2 inside this process
 *   jdbc:multimed:hsqldb:mem:shop;policy=least-active     several HSQLDB
 *   jdbc:multimed://db1:7432,db2:7432/shop                a Multimed server
 * </pre>
 *
 * <p>Any thread.
 */
public final class MultimedDriver implements Driver {
    private static final int MAJOR = 0;
    private static final int MINOR = 1;

    static {
        try {
            register();
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Registers the driver. When it is deregistered, for example by a container that stops an application, its threads end too. */
    static void register() throws SQLException {
        DriverManager.registerDriver(new MultimedDriver(), EmbeddedDatabases::releaseUnused);
    }

    @Override
    public boolean acceptsURL(String url) {
        return url != null && url.startsWith(MultimedUrl.PREFIX);
    }

    /**
     * Connects. The first connection to a database inside this process creates its replicas.
     *
     * @return null if the URL is another driver's
     * @throws SQLException 08001 if there is no such engine or its driver is missing, 0A000 if it cannot be run so, 22023 if
     *     an option has no meaning, else the engine's own
     */
    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        return new LogicalConnection(open(MultimedUrl.parse(url, info == null ? new Properties() : info)), null);
    }

    static DriverSession open(MultimedUrl parsed) throws SQLException {
        if (parsed instanceof MultimedUrl.Embedded embedded) {
            embedded.engine().load();
            DriverSession session = openEmbedded(embedded);
            begin(session, embedded.initial());
            return session;
        }
        return RemoteSession.open((MultimedUrl.Remote) parsed);
    }

    private static DriverSession openEmbedded(MultimedUrl.Embedded embedded) throws SQLException {
        try {
            return EmbeddedDriverSession.open(embedded, OpenDatabases.LISTENER);
        } catch (IllegalAccessError e) {
            // HSQLDB's module does not export the classes that tell which rows a transaction has changed.
            throw Errors.cannotConnect("The module of " + embedded.engine().name()
                    + " does not export what replicas need: put it and multimed-jdbc on the class path, or use replicas=1. "
                    + e.getMessage());
        }
    }

    private static void begin(DriverSession session, List<String> initial) throws SQLException {
        if (initial.isEmpty()) {
            return;
        }
        try (Statement statement = new LogicalConnection(session, null).createStatement()) {
            for (String sql : initial) {
                statement.execute(sql);
            }
        } catch (SQLException | RuntimeException e) {
            try {
                session.close();
            } catch (SQLException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    /** Returns Multimed's own options: all of them for replicas inside this process, some for a server. */
    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        Map<String, String> given = OwnOptions.shown(url, info == null ? new Properties() : info);
        DriverPropertyInfo freshness =
                property(given, "freshness", "Which commits a read must see.", "strong", "session", "eventual");
        DriverPropertyInfo route = property(given, "route", "Where this connection's reads run.", "auto", "master");
        if (MultimedUrl.isRemote(url)) {
            return new DriverPropertyInfo[] {freshness, route};
        }
        return new DriverPropertyInfo[] {
            property(given, "replicas", "Engines inside this process in all, 1 to 64."),
            property(given, "policy", "Which satellite takes a read.", "sticky", "least-active", "round-robin"),
            property(given, "propagation", "All but H2 and HSQLDB: satellites execute statements again.", "statements"),
            freshness,
            route,
            property(given, "patience", "How long a read waits for a fresh satellite: 500ms, 2s."),
            property(given, "comparison", "Percent of a core for comparing satellites with the master, 0 for none.")
        };
    }

    private static DriverPropertyInfo property(
            Map<String, String> given, String name, String description, String... choices) {
        DriverPropertyInfo property = new DriverPropertyInfo(name, given.get(name));
        property.description = description;
        property.choices = choices.length == 0 ? null : choices;
        return property;
    }

    @Override
    public int getMajorVersion() {
        return MAJOR;
    }

    @Override
    public int getMinorVersion() {
        return MINOR;
    }

    /** Returns false, because compliance depends on the engine behind the driver. */
    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return Logger.getLogger("io.multimed.jdbc");
    }

    @Override
    public String toString() {
        return "Multimed JDBC driver " + MAJOR + "." + MINOR;
    }
}
