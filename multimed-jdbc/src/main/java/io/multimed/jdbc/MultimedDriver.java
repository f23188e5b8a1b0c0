package io.multimed.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC driver of Multimed, registered by being on the class path.
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
            DriverManager.registerDriver(new MultimedDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public boolean acceptsURL(String url) {
        return url != null && url.startsWith(MultimedUrl.PREFIX);
    }

    /**
     * Connects; the first connection to a database inside this process creates its replicas.
     *
     * @return null if the URL is another driver's
     * @throws SQLException 08001 if there is no such engine or its driver is missing, 0A000 if it cannot be run so, 22023
     *     if an option has no meaning, else the engine's own
     */
    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        MultimedUrl parsed = MultimedUrl.parse(url, info == null ? new Properties() : info);
        if (parsed instanceof MultimedUrl.Embedded embedded) {
            embedded.engine().load();
            return new LogicalConnection(EmbeddedDriverSession.open(embedded));
        }
        return new LogicalConnection(RemoteSession.open((MultimedUrl.Remote) parsed));
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[] {
            property(info, "replicas", "Engines inside this process in all, 1 to 64.", null),
            property(info, "policy", "Which satellite takes a read.", new String[] {
                "sticky", "least-active", "round-robin"
            }),
            property(info, "freshness", "Which commits a read must see.", new String[] {"strong", "session", "eventual"
            }),
            property(info, "patience", "How long a read waits for a fresh satellite: 500ms, 2s.", null)
        };
    }

    private static DriverPropertyInfo property(
            @Nullable Properties info, String name, String description, String @Nullable [] choices) {
        DriverPropertyInfo property = new DriverPropertyInfo(name, info == null ? null : info.getProperty(name));
        property.description = description;
        property.choices = choices;
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

    /** As much as the engine behind it is. */
    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return Logger.getLogger("io.multimed.jdbc");
    }
}
