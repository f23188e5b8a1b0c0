package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import org.hsqldb.DatabaseURL;
import org.hsqldb.Session;
import org.hsqldb.jdbc.JDBCConnection;
import org.hsqldb.jdbc.JDBCDriver;
import org.hsqldb.lib.FileUtil;
import org.hsqldb.persist.HsqlProperties;

/** HSQLDB, the version that the application brings. */
public final class HsqlFamily implements EngineFamily {
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

    /** By HSQLDB's own rule: names in memory have no case, a file has one path under all its names. */
    @Override
    public String database(String url, Properties credentials) throws SQLException {
        HsqlProperties parsed = DatabaseURL.parseURL(url, true, false);
        if (parsed == null || parsed.isEmpty()) {
            // It cannot be opened either.
            return EngineFamily.super.database(url, credentials);
        }
        String name = parsed.getProperty("database");
        String kind = parsed.getProperty("connection_type");
        return "jdbc:hsqldb:" + kind
                + (kind.equals("file:") ? FileUtil.getFileUtil().canonicalOrAbsolutePath(name) : name);
    }

    static JDBCConnection connect(String url, Properties properties) throws SQLException {
        // Not the DriverManager: it would search all drivers, by the caller's class loader.
        return (JDBCConnection) JDBCDriver.getConnection(url, properties);
    }

    static Session session(JDBCConnection connection) {
        return (Session) connection.getSession();
    }
}
