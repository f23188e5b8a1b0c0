package io.multimed.jdbc.conformance;

import io.multimed.jdbc.conformance.Scenarios.Scenario;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** Scenarios of batches. */
final class BatchScenarios {
    private BatchScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("batches", BatchScenarios::batches);
        all.put("batches that fail", BatchScenarios::failingBatches);
        all.put("batches with definitions", BatchScenarios::batchesWithDefinitions);
        return all;
    }

    private static void batches(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO T VALUES (1, 'a', 1)");
            statement.addBatch("UPDATE T SET NAME = 'b'");
            statement.addBatch("DELETE FROM T WHERE ID = 9");
            log.add("plain", statement.executeBatch());
            log.add("empty", statement.executeBatch());
            statement.addBatch("DELETE FROM T");
            statement.clearBatch();
            log.add("cleared", statement.executeBatch());
            log.step("null", () -> {
                statement.addBatch(null);
                return statement.executeBatch();
            });
        }
        try (PreparedStatement prepared = connection.prepareStatement("INSERT INTO T VALUES (?, ?, 0)")) {
            for (int i = 10; i < 13; i++) {
                prepared.setInt(1, i);
                prepared.setString(2, "n" + i);
                prepared.addBatch();
            }
            log.add("prepared", prepared.executeBatch());
            log.step("large", () -> {
                prepared.setInt(1, 20);
                prepared.addBatch();
                return prepared.executeLargeBatch();
            });
        }
        log.add("table", Scenarios.table(connection));
    }

    private static void failingBatches(Connection connection, Log log) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("INSERT INTO T VALUES (?, 'x', 0)")) {
            for (int id : new int[] {1, 2, 1, 3}) {
                prepared.setInt(1, id);
                prepared.addBatch();
            }
            log.step("prepared", prepared::executeBatch);
        }
        log.add("table", Scenarios.table(connection));
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO T VALUES (7, 'x', 0)");
            statement.addBatch("INSERT INTO NOWHERE VALUES (1)");
            statement.addBatch("INSERT INTO T VALUES (8, 'x', 0)");
            log.step("plain", statement::executeBatch);
        }
        log.add("table after", Scenarios.table(connection));
    }

    private static void batchesWithDefinitions(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("CREATE TABLE U(A INT)");
            statement.addBatch("INSERT INTO U VALUES (1)");
            statement.addBatch("INSERT INTO U VALUES (2)");
            log.step("batch", statement::executeBatch);
            log.add("rows", Log.rows(statement.executeQuery("SELECT A FROM U ORDER BY A")));
            statement.addBatch("INSERT INTO U VALUES (3)");
            statement.addBatch("CREATE TABLE W(A INT)");
            log.step("large", statement::executeLargeBatch);
        }
        try (PreparedStatement prepared = connection.prepareStatement("TRUNCATE TABLE U")) {
            prepared.addBatch();
            prepared.clearBatch();
            log.step("nothing prepared", prepared::executeBatch);
            prepared.addBatch();
            prepared.addBatch();
            log.step("prepared", prepared::executeBatch);
            prepared.addBatch();
            log.step("prepared, large", prepared::executeLargeBatch);
        }
    }
}
