package io.multimed.jdbc.conformance;

import io.multimed.jdbc.conformance.Scenarios.Scenario;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** Scenarios of transactions, and of a connection's settings for them. */
final class TransactionScenarios {
    private TransactionScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("auto-commit and transactions", TransactionScenarios::transactions);
        all.put("changing auto-commit in a transaction", TransactionScenarios::autoCommitChange);
        all.put("savepoints", TransactionScenarios::savepoints);
        all.put("isolation and holdability", TransactionScenarios::isolation);
        return all;
    }

    private static void transactions(Connection connection, Log log) throws SQLException {
        log.add("auto-commit", connection.getAutoCommit());
        connection.setAutoCommit(false);
        Scenarios.fill(connection);
        log.add("own changes", Scenarios.table(connection));
        connection.rollback();
        log.add("rolled back", Scenarios.table(connection));
        Scenarios.fill(connection);
        connection.commit();
        log.add("committed", Scenarios.table(connection));
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM T WHERE ID = 1");
            log.step("failing", () -> statement.executeUpdate("INSERT INTO T VALUES (2, 'dup', 0)"));
        }
        log.add("after failure", Scenarios.table(connection));
        connection.commit();
        connection.setAutoCommit(true);
        log.step("commit under auto-commit", () -> {
            connection.commit();
            return "done";
        });
        log.step("rollback under auto-commit", () -> {
            connection.rollback();
            return "done";
        });
        log.add("finally", Scenarios.table(connection));
    }

    private static void autoCommitChange(Connection connection, Log log) throws SQLException {
        connection.setAutoCommit(false);
        Scenarios.fill(connection);
        connection.setAutoCommit(true);
        connection.setAutoCommit(false);
        connection.rollback();
        log.add("committed by the change", Scenarios.table(connection));
        connection.setAutoCommit(false);
        connection.rollback();
        connection.setAutoCommit(true);
    }

    private static void savepoints(Connection connection, Log log) throws SQLException {
        log.step("under auto-commit", () -> {
            connection.setSavepoint();
            return "set";
        });
        connection.setAutoCommit(false);
        Scenarios.fill(connection);
        Savepoint named = connection.setSavepoint("HERE");
        log.add("name", named.getSavepointName());
        log.step("id of a named one", named::getSavepointId);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM T");
            connection.rollback(named);
            log.add("rolled back to", Scenarios.table(connection));
            Savepoint unnamed = connection.setSavepoint();
            log.step("name of an unnamed one", unnamed::getSavepointName);
            statement.executeUpdate("DELETE FROM T WHERE ID = 1");
            log.step("release", () -> {
                connection.releaseSavepoint(unnamed);
                return "released";
            });
            log.step("rollback to a released one", () -> {
                connection.rollback(unnamed);
                return "rolled back";
            });
        }
        connection.commit();
        log.step("rollback to one of before", () -> {
            connection.rollback(named);
            return "rolled back";
        });
        connection.rollback();
        connection.setAutoCommit(true);
        log.add("table", Scenarios.table(connection));
    }

    private static void isolation(Connection connection, Log log) throws SQLException {
        log.add("isolation", connection.getTransactionIsolation());
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        log.add("serializable", connection.getTransactionIsolation());
        log.add("rows", Scenarios.table(connection));
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        log.step("unknown", () -> {
            connection.setTransactionIsolation(77);
            return "set";
        });
        log.add("holdability", connection.getHoldability());
    }
}
