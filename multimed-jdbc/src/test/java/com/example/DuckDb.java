package com.example;

import io.multimed.jdbc.engine.JdbcEngine;
import io.multimed.jdbc.engine.Reading;
import io.multimed.jdbc.engine.SqlRules;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Properties;

/** DuckDB: jdbc:multimed:duckdb:/var/shop/shop.db;propagation=statements, or duckdb:memory:shop. */
public final class DuckDb implements JdbcEngine {
    private static final String PREFIX = "jdbc:duckdb:";
    private static final String MEMORY = "memory:";

    @Override
    public String name() {
        return "duckdb";
    }

    /** No statement reads files, which may hold something else when it is executed again; copies are temporary files. */
    @Override
    public Connection connect(String url, Properties given) throws SQLException {
        Properties properties = new Properties();
        properties.putAll(given);
        properties.setProperty("allowed_directories", "['" + System.getProperty("java.io.tmpdir") + "/']");
        properties.setProperty("enable_external_access", "false");
        return DriverManager.getConnection(url, properties);
    }

    @Override
    public SqlRules sql() {
        return SqlRules.standard().withTransactions();
    }

    @Override
    public void check(String url) throws SQLException {
        if (file(url).isEmpty() || file(url).startsWith(":")) {
            throw new SQLFeatureNotSupportedException(
                    "Without a name it is a database of one connection: name it, duckdb:memory:shop say.", "0A000");
        }
    }

    @Override
    public String database(String url) {
        return persistent(url) ? JdbcEngine.canonical(new File(file(url))) : url;
    }

    @Override
    public boolean persistent(String url) {
        return !file(url).startsWith(MEMORY);
    }

    @Override
    public boolean definitionsAreTransactional() {
        return true;
    }

    @Override
    public Reading reading() {
        return Reading.IN_MEMORY;
    }

    @Override
    public void inspect(Connection connection, Judge judge) throws SQLException {
        String runs = "SELECT 'column ' || column_name, column_default FROM duckdb_columns() WHERE NOT internal"
                + " UNION ALL SELECT 'view ' || view_name, sql FROM duckdb_views() WHERE NOT internal"
                + " UNION ALL SELECT 'macro ' || function_name, function_name || '()' FROM duckdb_functions()"
                + " WHERE NOT internal UNION ALL SELECT 'sequence ' || sequence_name, 'NEXTVAL' FROM duckdb_sequences()";
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(runs)) {
            while (found.next()) {
                if (found.getString(2) != null) {
                    judge.judge(found.getString(1), found.getString(2));
                }
            }
        }
    }

    @Override
    public void copy(Connection of, Path directory) throws SQLException {
        try (Statement statement = of.createStatement()) {
            statement.execute("ATTACH '" + directory.resolve("copy") + "' AS multimed_copy");
            statement.execute("COPY FROM DATABASE \"" + of.getCatalog() + "\" TO multimed_copy");
            statement.execute("DETACH multimed_copy");
        }
    }

    /** With the name of the file, which in statements stands for the database, and its settings. */
    @Override
    public String restore(Path copy, Path place, String like) throws SQLException {
        String file = file(like);
        Path restored = place.resolve(file.startsWith(MEMORY) ? "memory" : new File(file).getName());
        try {
            Files.copy(copy.resolve("copy"), restored);
        } catch (IOException e) {
            throw new SQLException("the copy could not be placed in " + place, e);
        }
        return PREFIX + restored + like.substring(PREFIX.length() + file.length());
    }

    private static String file(String url) {
        return url.substring(PREFIX.length()).replaceFirst(";.*", "");
    }
}
