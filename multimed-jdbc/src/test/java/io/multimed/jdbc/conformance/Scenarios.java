package io.multimed.jdbc.conformance;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** Typical uses of JDBC, by area. Each works on an empty database with a table T(ID, NAME, AMOUNT). */
final class Scenarios {
    @FunctionalInterface
    interface Scenario {
        void run(Connection connection, Log log) throws Exception;
    }

    private Scenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.putAll(StatementScenarios.all());
        all.putAll(ParameterScenarios.all());
        all.putAll(BatchScenarios.all());
        all.putAll(ResultSetScenarios.all());
        all.putAll(TransactionScenarios.all());
        all.putAll(ConnectionScenarios.all());
        all.putAll(RareScenarios.all());
        all.putAll(GetterScenarios.all());
        return all;
    }

    static String table(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return Log.rows(statement.executeQuery("SELECT ID, NAME, AMOUNT FROM T ORDER BY ID"));
        }
    }

    static void fill(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO T VALUES (1, 'one', 1.50), (2, 'two', 2.50), (3, NULL, NULL)");
        }
    }
}
