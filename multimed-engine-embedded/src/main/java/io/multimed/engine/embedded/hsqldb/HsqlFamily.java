package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import org.hsqldb.DatabaseURL;
import org.hsqldb.Session;
import org.hsqldb.jdbc.JDBCConnection;
import org.hsqldb.jdbc.JDBCDriver;
import org.hsqldb.lib.FileUtil;
import org.hsqldb.persist.HsqlProperties;

/** HSQLDB, in the version that the application brings. */
public final class HsqlFamily implements EngineFamily {
    private static final String USER = "user";
    private static final String PASSWORD = "password";

    /**
     * Options that each connection has for itself, with their defaults. HSQLDB applies the other options when it opens the
     * database.
     */
    private static final Map<String, String> OF_CONNECTIONS = Map.of(
            "allow_empty_batch",
            "false",
            "close_result",
            "false",
            "default_schema",
            "false",
            "get_column_name",
            "true",
            "memory_lobs",
            "false",
            USER,
            "SA");

    @Override
    public MasterEngine open(String url, Properties credentials, boolean capture) throws SQLException {
        if (!url.startsWith("jdbc:hsqldb:mem:") && !url.startsWith("jdbc:hsqldb:file:")) {
            throw new SQLFeatureNotSupportedException(
                    "Replicas need an engine inside this process; use jdbc:hsqldb:mem: or jdbc:hsqldb:file:,"
                            + " or replicas=1.",
                    "0A000");
        }
        Internals.check();
        return HsqlMaster.open(url, credentials);
    }

    /** Returns the name by HSQLDB's own rule: names in memory ignore case, a file has one path under all its names. */
    @Override
    public String database(String url, Properties credentials) throws SQLException {
        HsqlProperties parsed = DatabaseURL.parseURL(url, true, false);
        if (parsed == null || parsed.isEmpty()) {
            // The database cannot be opened either.
            return EngineFamily.super.database(url, credentials);
        }
        String name = parsed.getProperty("database");
        String kind = parsed.getProperty("connection_type");
        return "jdbc:hsqldb:" + kind
                + (kind.equals("file:") ? FileUtil.getFileUtil().canonicalOrAbsolutePath(name) : name);
    }

    /**
     * Returns all options of connections, so that those of the URL with which the database was opened apply to no other
     * connection.
     */
    @Override
    public Properties login(String url, Properties credentials) {
        Properties login = new Properties();
        login.putAll(OF_CONNECTIONS);
        HsqlProperties parsed = DatabaseURL.parseURL(url, true, false);
        if (parsed != null) {
            for (String option : OF_CONNECTIONS.keySet()) {
                login.setProperty(option, parsed.getProperty(option, login.getProperty(option)));
            }
        }
        for (String name : credentials.stringPropertyNames()) {
            login.setProperty(name, credentials.getProperty(name));
        }
        return login;
    }

    /** Returns the part of a session's login properties with which it connects to Satellites. */
    static Properties ofReader(Properties login) {
        Properties kept = new Properties();
        for (String name : login.stringPropertyNames()) {
            if (OF_CONNECTIONS.containsKey(name) || name.equals(PASSWORD)) {
                kept.setProperty(name, login.getProperty(name));
            }
        }
        return kept;
    }

    static JDBCConnection connect(String url, Properties properties) throws SQLException {
        // The driver itself, because DriverManager would search all drivers by the caller's class loader.
        return (JDBCConnection) JDBCDriver.getConnection(url, properties);
    }

    static Session session(JDBCConnection connection) {
        return (Session) connection.getSession();
    }
}
