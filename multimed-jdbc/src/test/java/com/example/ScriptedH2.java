package com.example;

import io.multimed.jdbc.engine.JdbcEngine;
import io.multimed.jdbc.engine.Reading;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * H2 in memory as if Multimed did not know it: jdbc:multimed:scripted:shop;propagation=statements. The description gives almost no
 * information, so that the defaults for any engine are tested. Above all, the engine commits before and after definitions.
 */
public class ScriptedH2 implements JdbcEngine {
    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public Connection connect(String url, Properties properties) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:h2:mem:" + url.substring("jdbc:".length() + name().length() + 1), properties);
    }

    @Override
    public String database(String url) {
        return url;
    }

    @Override
    public boolean persistent(String url) {
        return false;
    }

    @Override
    public Reading reading() {
        return Reading.IN_MEMORY;
    }

    @Override
    public void inspect(Connection connection, Judge judge) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet columns =
                        statement.executeQuery("SELECT COLUMN_NAME, COLUMN_DEFAULT FROM INFORMATION_SCHEMA.COLUMNS"
                                + " WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA' AND COLUMN_DEFAULT IS NOT NULL")) {
            while (columns.next()) {
                judge.judge("column " + columns.getString(1), columns.getString(2));
            }
        }
    }

    @Override
    public void copy(Connection of, Path directory) throws SQLException {
        execute(of, "SCRIPT TO '" + directory.resolve("copy.sql") + "'");
    }

    @Override
    public String restore(Path copy, Path place, String like) throws SQLException {
        String url = "jdbc:" + name() + ":" + place.getFileName();
        try (Connection connection = connect(url, new Properties())) {
            // Otherwise it would end with this connection.
            execute(connection, "SET DB_CLOSE_DELAY -1");
            execute(connection, "RUNSCRIPT FROM '" + copy.resolve("copy.sql") + "'");
        }
        return url;
    }

    @Override
    public void drop(String url) {
        try (Connection connection = connect(url, new Properties())) {
            execute(connection, "SHUTDOWN");
        } catch (SQLException e) {
            // The database has ended already.
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
