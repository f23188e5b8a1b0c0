package io.multimed.jdbc.conformance;

import io.multimed.jdbc.conformance.Scenarios.Scenario;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Scenarios of connections: metadata, schema, relations between objects. */
final class ConnectionScenarios {
    private ConnectionScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("metadata of the database", ConnectionScenarios::databaseMetaData);
        all.put("metadata of statements", ConnectionScenarios::statementMetaData);
        all.put("schema and catalog", ConnectionScenarios::schema);
        all.put("wrappers", ConnectionScenarios::wrappers);
        all.put("validity", ConnectionScenarios::validity);
        all.put("parents of objects", ConnectionScenarios::parents);
        return all;
    }

    private static void databaseMetaData(Connection connection, Log log) throws SQLException {
        Scenarios.fill(connection);
        DatabaseMetaData data = connection.getMetaData();
        log.add("product", data.getDatabaseProductName() + " " + data.getDatabaseProductVersion());
        log.add("driver", data.getDriverName() + " " + data.getDriverMajorVersion());
        log.add("quote", data.getIdentifierQuoteString());
        log.add("user", data.getUserName());
        log.add(
                "features",
                data.supportsBatchUpdates() + " " + data.supportsSavepoints() + " "
                        + data.supportsResultSetType(ResultSet.TYPE_SCROLL_INSENSITIVE) + data.supportsTransactions()
                        + data.getDefaultTransactionIsolation() + data.supportsMixedCaseIdentifiers());
        log.add(
                "tables",
                named(data.getTables(null, "PUBLIC", "%", new String[] {"TABLE", "BASE TABLE"}), "TABLE_NAME"));
        log.add(
                "columns",
                named(
                        data.getColumns(null, "PUBLIC", "T", "%"),
                        "COLUMN_NAME",
                        "DATA_TYPE",
                        "COLUMN_SIZE",
                        "IS_NULLABLE"));
        log.add("primary key", named(data.getPrimaryKeys(null, "PUBLIC", "T"), "COLUMN_NAME", "KEY_SEQ"));
        log.add("index", named(data.getIndexInfo(null, "PUBLIC", "T", true, false), "COLUMN_NAME", "NON_UNIQUE"));
        log.add("schemas", named(data.getSchemas(), "TABLE_SCHEM"));
        log.add("types", named(data.getTypeInfo(), "TYPE_NAME"));
        log.add("table types", named(data.getTableTypes(), "TABLE_TYPE"));
        log.add("imported", named(data.getImportedKeys(null, "PUBLIC", "T"), "FKCOLUMN_NAME"));
        log.add("procedures", named(data.getProcedures(null, "PUBLIC", "%"), "PROCEDURE_NAME"));
        log.add("read-only", data.isReadOnly());
    }

    private static void statementMetaData(Connection connection, Log log) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ID, NAME AS N FROM T WHERE AMOUNT > ?")) {
            log.add(
                    "columns",
                    prepared.getMetaData().getColumnCount() + " "
                            + prepared.getMetaData().getColumnLabel(2) + " "
                            + prepared.getMetaData().getColumnName(2) + " "
                            + prepared.getMetaData().getTableName(1));
            ParameterMetaData parameters = prepared.getParameterMetaData();
            log.add(
                    "parameters",
                    parameters.getParameterCount() + " " + parameters.getParameterTypeName(1) + " "
                            + parameters.getParameterMode(1));
        }
        try (PreparedStatement prepared = connection.prepareStatement("DELETE FROM T")) {
            log.add("no columns", prepared.getMetaData());
        }
    }

    private static void schema(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA OTHER");
            statement.execute("CREATE TABLE OTHER.ONLYTHERE(A INT)");
            log.add("schema", connection.getSchema());
            connection.setSchema("OTHER");
            log.add(
                    "other",
                    connection.getSchema() + Log.rows(statement.executeQuery("SELECT COUNT(*) FROM ONLYTHERE")));
            connection.setReadOnly(true);
            log.step("read-only", () -> Log.rows(statement.executeQuery("SELECT COUNT(*) FROM ONLYTHERE")));
            log.step(
                    "in the catalog",
                    () -> Log.rows(statement.executeQuery(
                            "SELECT COUNT(*) FROM \"" + connection.getCatalog() + "\".PUBLIC.T")));
            connection.setReadOnly(false);
            connection.setSchema("PUBLIC");
            log.step("back", () -> statement.executeQuery("SELECT COUNT(*) FROM ONLYTHERE"));
            log.step("unknown", () -> {
                connection.setSchema("NOSUCHSCHEMA");
                return "set";
            });
            statement.execute("DROP SCHEMA OTHER CASCADE");
        }
    }

    private static void wrappers(Connection connection, Log log) throws SQLException {
        log.add("is a connection", connection.isWrapperFor(Connection.class));
        log.add("is no string", connection.isWrapperFor(String.class));
        log.step("unwrap a string", () -> connection.unwrap(String.class));
        try (Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement("SELECT ID FROM T");
                ResultSet rows = prepared.executeQuery()) {
            log.add(
                    "statement",
                    statement.isWrapperFor(Statement.class) + " "
                            + statement.unwrap(Statement.class).isClosed());
            for (Wrapper wrapper : List.of(connection, statement, prepared, rows, connection.getMetaData())) {
                log.step("is nothing", () -> wrapper.isWrapperFor(null));
                log.step("unwrap nothing", () -> wrapper.unwrap(null));
            }
        }
    }

    private static void validity(Connection connection, Log log) throws SQLException {
        log.add("valid", connection.isValid(1) + " " + connection.isClosed());
        log.step("negative timeout", () -> connection.isValid(-1));
        log.add("native", connection.nativeSQL("SELECT 1"));
    }

    private static void parents(Connection connection, Log log) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ID FROM T");
                Statement statement = connection.createStatement();
                ResultSet one = prepared.executeQuery();
                ResultSet two = statement.executeQuery("SELECT ID FROM T")) {
            log.add(
                    "connections",
                    (prepared.getConnection() == connection) + " " + (statement.getConnection() == connection));
            log.add("statements", (one.getStatement() == prepared) + " " + (two.getStatement() == statement));
            log.add("metadata", connection.getMetaData().getConnection() == connection);
        }
    }

    private static String named(ResultSet result, String... columns) throws SQLException {
        StringBuilder rows = new StringBuilder();
        while (result.next()) {
            for (String column : columns) {
                rows.append(result.getString(column)).append(' ');
            }
            rows.append('|');
        }
        result.close();
        return rows.toString();
    }
}
