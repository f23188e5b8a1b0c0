package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.EngineFamily;
import io.multimed.engine.embedded.spi.MasterEngine;
import java.sql.SQLException;
import java.util.Properties;
import org.h2.jdbc.JdbcConnection;

/** H2, the version that the application brings. */
public final class H2Family implements EngineFamily {
    @Override
    public MasterEngine open(String url, Properties credentials, boolean capture) throws SQLException {
        return H2Master.open(H2Url.parse(url), credentials);
    }

    static JdbcConnection connect(String url, Properties properties) throws SQLException {
        // Not the DriverManager: it would search all drivers, by the caller's class loader.
        return (JdbcConnection) new org.h2.Driver().connect(url, properties);
    }
}
