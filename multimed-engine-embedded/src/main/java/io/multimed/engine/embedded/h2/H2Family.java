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
        return H2Master.open(H2Url.parse(url, credentials), credentials);
    }

    /** By H2's own rule: a file has one real path under all its names. */
    @Override
    public String database(String url, Properties credentials) throws SQLException {
        try {
            return "jdbc:h2:" + new ConnectionInfo(url, credentials, null, null).getName();
        } catch (RuntimeException e) {
            // It cannot be opened either, whether it is open or not. H2 reads a time zone with the JDK's own errors.
            throw DbException.toSQLException(e);
        }
    }

    /** H2 makes a connection's settings whenever one is opened, be they the session's or the database's. */
    @Override
    public Properties login(String url, Properties credentials) throws SQLException {
        return H2Url.parse(url, credentials).login(credentials);
    }

    /** Never makes one that has ended meanwhile anew. */
    static JdbcConnection connectToExisting(String url, Properties properties) throws SQLException {
        Properties existing = new Properties();
        existing.putAll(properties);
        existing.setProperty("IFEXISTS", "TRUE");
        return connect(url, existing);
    }

    static JdbcConnection connect(String url, Properties properties) throws SQLException {
        // Not the DriverManager: it would search all drivers, by the caller's class loader.
        return (JdbcConnection) new org.h2.Driver().connect(url, properties);
    }
}
