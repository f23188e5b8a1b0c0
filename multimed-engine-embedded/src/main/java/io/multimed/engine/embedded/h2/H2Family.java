package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import java.sql.SQLException;
import java.util.Properties;
import org.h2.engine.ConnectionInfo;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;

/** H2, the version that the application brings. */
public final class H2Family implements EngineFamily {
    @Override
    public MasterEngine open(String url, Properties credentials, boolean capture) throws SQLException {
        return H2Master.open(H2Url.parse(url), credentials);
    }

    /** By H2's own rule: a file has one real path under all its names. */
    @Override
    public String database(String url) {
        try {
            return "jdbc:h2:" + new ConnectionInfo(url, new Properties(), null, null).getName();
        } catch (DbException e) {
            // It cannot be opened either.
            return EngineFamily.super.database(url);
        }
    }

    /** The schema in which sessions begin: all are opened with the URL of the first one. */
    @Override
    public String settings(String url) {
        H2Url all = new H2Url("", url);
        return all.kept("SCHEMA") + all.kept("SCHEMA_SEARCH_PATH");
    }

    static JdbcConnection connect(String url, Properties properties) throws SQLException {
        // Not the DriverManager: it would search all drivers, by the caller's class loader.
        return (JdbcConnection) new org.h2.Driver().connect(url, properties);
    }
}
