package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import java.sql.SQLException;
import java.util.Properties;
import org.h2.engine.ConnectionInfo;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;

/** H2, in the version that the application brings. */
public final class H2Family implements EngineFamily {
    @Override
    public MasterEngine open(String url, Properties credentials, boolean capture) throws SQLException {
        return H2Master.open(H2Url.parse(url, credentials), credentials);
    }

    /** Returns the name by H2's own rule: a file has one real path under all its names. */
    @Override
    public String database(String url, Properties credentials) throws SQLException {
        try {
            return "jdbc:h2:" + new ConnectionInfo(url, credentials, null, null).getName();
        } catch (RuntimeException e) {
            // The database cannot be opened either, whether it is open or not. H2 throws the JDK's own errors for a
            // wrong time
            // zone.
            throw DbException.toSQLException(e);
        }
    }

    /** Returns the settings of the URL too: H2 applies them at each connect, both the session's and the database's. */
    @Override
    public Properties login(String url, Properties credentials) throws SQLException {
        return H2Url.parse(url, credentials).login(credentials);
    }

    /** Connects to a database that exists. Never creates a database that has ended meanwhile. */
    static JdbcConnection connectToExisting(String url, Properties properties) throws SQLException {
        Properties existing = new Properties();
        existing.putAll(properties);
        existing.setProperty("IFEXISTS", "TRUE");
        return connect(url, existing);
    }

    static JdbcConnection connect(String url, Properties properties) throws SQLException {
        // The driver itself, because DriverManager would search all drivers by the caller's class loader.
        return (JdbcConnection) new org.h2.Driver().connect(url, properties);
    }
}
