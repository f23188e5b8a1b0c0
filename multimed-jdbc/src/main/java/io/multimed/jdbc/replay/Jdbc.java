package io.multimed.jdbc.replay;

import io.multimed.jdbc.engine.JdbcEngine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;

/** Helpers for all classes that call engines. */
final class Jdbc {
    private Jdbc() {}

    /**
     * Connects.
     *
     * @throws SQLException also if the engine's driver says that the URL is not its own
     */
    static Connection connect(JdbcEngine engine, String url, Properties properties) throws SQLException {
        Connection connection = engine.connect(url, properties);
        if (connection == null) {
            throw new SQLNonTransientConnectionException(
                    "The driver of " + engine.name()
                            + " does not know its own URL: correct what is behind jdbc:multimed:.",
                    "08001");
        }
        return connection;
    }

    static Properties keep(Properties given, Set<String> names) {
        Properties kept = new Properties();
        for (String name : given.stringPropertyNames()) {
            if (names.contains(name)) {
                kept.setProperty(name, given.getProperty(name));
            }
        }
        return kept;
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static SQLException refused(String sentence) {
        return new SQLFeatureNotSupportedException(sentence, "0A000");
    }
}
