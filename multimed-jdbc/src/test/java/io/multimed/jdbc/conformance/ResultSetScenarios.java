package io.multimed.jdbc.conformance;

import io.multimed.jdbc.conformance.Scenarios.Scenario;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** Scenarios of result sets: moving in them, changing rows through them, their lifetime. */
final class ResultSetScenarios {
    private ResultSetScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("scrollable result sets", ResultSetScenarios::scrollable);
        all.put("updatable result sets", ResultSetScenarios::updatable);
        all.put("result set getters", ResultSetScenarios::getters);
        all.put("several open result sets", ResultSetScenarios::severalOpen);
        all.put("result sets over a commit", ResultSetScenarios::overCommit);
        return all;
    }

    private static void scrollable(Connection connection, Log log) throws SQLException {
        Scenarios.fill(connection);
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                ResultSet result = statement.executeQuery("SELECT ID FROM T ORDER BY ID")) {
            log.add("before first", result.isBeforeFirst());
            log.add("last", result.last() + " " + result.getInt(1) + " " + result.getRow());
            log.add("previous", result.previous() + " " + result.getInt(1));
            log.add("absolute", result.absolute(-3) + " " + result.getInt(1) + " " + result.isFirst());
            log.add("relative", result.relative(1) + " " + result.getInt(1));
            result.afterLast();
            log.add("after last", result.isAfterLast());
            log.add("type", result.getType() + " " + result.getConcurrency());
            log.step("update", () -> {
                result.updateInt(1, 5);
                return "updated";
            });
        }
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT ID FROM T")) {
            log.step("forward only", result::previous);
        }
    }

    private static void updatable(Connection connection, Log log) throws SQLException {
        Scenarios.fill(connection);
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet result = statement.executeQuery("SELECT ID, NAME, AMOUNT FROM T ORDER BY ID")) {
            log.add("concurrency", result.getConcurrency());
            log.step("update", () -> {
                result.next();
                result.updateString("NAME", "first");
                result.updateRow();
                return result.getString(2);
            });
            log.step("delete", () -> {
                result.next();
                result.deleteRow();
                return "deleted";
            });
            log.step("insert", () -> {
                result.moveToInsertRow();
                result.updateInt(1, 9);
                result.updateString(2, "nine");
                result.updateNull(3);
                result.insertRow();
                result.moveToCurrentRow();
                return "inserted";
            });
        }
        log.add("table", Scenarios.table(connection));
    }

    private static void getters(Connection connection, Log log) throws SQLException {
        Scenarios.fill(connection);
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT ID, NAME, AMOUNT FROM T ORDER BY ID")) {
            log.step("before next", () -> result.getInt(1));
            result.next();
            log.add("int", result.getInt("ID") + result.getLong(1) + result.getShort(1));
            log.add("object", result.getObject(1).getClass() + " " + result.getObject(2));
            log.add("typed object", result.getObject(1, Integer.class));
            log.add("decimal", result.getBigDecimal("AMOUNT"));
            log.add("as string", result.getString(3));
            log.add("find column", result.findColumn("name"));
            log.step("unknown column", () -> result.getInt("NOPE"));
            log.step("column 9", () -> result.getInt(9));
            log.step("not a number", () -> result.getInt(2));
            result.next();
            result.next();
            log.add("null", result.getString(2) + result.wasNull() + result.getBigDecimal(3));
            log.add("end", result.next() + " " + result.isAfterLast());
            log.step("after end", () -> result.getInt(1));
        }
    }

    private static void severalOpen(Connection connection, Log log) throws SQLException {
        Scenarios.fill(connection);
        connection.setAutoCommit(false);
        try (Statement one = connection.createStatement();
                Statement two = connection.createStatement();
                ResultSet first = one.executeQuery("SELECT ID FROM T ORDER BY ID");
                ResultSet second = two.executeQuery("SELECT ID FROM T ORDER BY ID DESC")) {
            first.next();
            second.next();
            log.add("both", first.getInt(1) + " " + second.getInt(1));
            ResultSet third = one.executeQuery("SELECT 1 FROM T");
            log.step("former one", first::isClosed);
            third.close();
            second.next();
            log.add("other one", second.getInt(1));
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private static void overCommit(Connection connection, Log log) throws SQLException {
        Scenarios.fill(connection);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT ID FROM T ORDER BY ID")) {
            result.next();
            connection.commit();
            log.step("held", () -> result.next() + " " + result.getInt(1));
            log.add("closed", result.isClosed());
        }
        connection.setAutoCommit(true);
    }
}
