package io.multimed.jdbc.conformance;

import io.multimed.jdbc.conformance.Scenarios.Scenario;
import java.sql.Array;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Scenarios of calls that few applications make. */
final class RareScenarios {
    private RareScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("savepoints in words and by calls", RareScenarios::savepoints);
        all.put("transactions in words", RareScenarios::transactionsInWords);
        all.put("what is set in a transaction", RareScenarios::setInTransaction);
        all.put("keys that are asked for by name", RareScenarios::keysByName);
        all.put("large batches", RareScenarios::largeBatches);
        all.put("several statements and results", RareScenarios::severalResults);
        all.put("changes through result sets in a transaction", RareScenarios::changesThroughRows);
        all.put("objects that connections make", RareScenarios::objects);
        all.put("client info, types, requests", RareScenarios::clientInfo);
        all.put("cancelling and closing", RareScenarios::cancelling);
        all.put("cancelling from another thread", RareScenarios::cancellingFromElsewhere);
        all.put("abort", RareScenarios::abort);
        return all;
    }

    private static void savepoints(Connection connection, Log log) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO T VALUES (1, 'one', 1)");
            Savepoint called = connection.setSavepoint("BOTH");
            statement.execute("INSERT INTO T VALUES (2, 'two', 2)");
            log.step("of a call, in words", () -> statement.execute("ROLLBACK TO SAVEPOINT BOTH"));
            log.add("rows", Scenarios.table(connection));
            log.step("in words", () -> statement.execute("SAVEPOINT WORDS"));
            statement.execute("INSERT INTO T VALUES (3, 'three', 3)");
            log.step("back to the call's", () -> {
                connection.rollback(called);
                return "rolled back";
            });
            log.add("rows then", Scenarios.table(connection));
            log.step("the later one has gone", () -> statement.execute("ROLLBACK TO SAVEPOINT WORDS"));
            Savepoint again = connection.setSavepoint("BOTH");
            statement.execute("INSERT INTO T VALUES (4, 'four', 4)");
            log.step("the same name twice", () -> {
                connection.rollback(again);
                return Scenarios.table(connection);
            });
            log.step("release in words", () -> statement.execute("RELEASE SAVEPOINT BOTH"));
            log.step("released", () -> {
                connection.rollback(again);
                return Scenarios.table(connection);
            });
        }
        connection.commit();
        log.add("committed", Scenarios.table(connection));
        connection.setAutoCommit(true);
    }

    private static void transactionsInWords(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            log.step("set", () -> statement.execute("SET AUTOCOMMIT FALSE"));
            log.add("auto-commit", connection.getAutoCommit());
            statement.execute("INSERT INTO T VALUES (1, 'one', 1)");
            log.step("rollback", () -> statement.execute("ROLLBACK"));
            log.add("rolled back", Scenarios.table(connection));
            statement.execute("INSERT INTO T VALUES (2, 'two', 2)");
            log.step("commit", () -> statement.executeUpdate("COMMIT WORK"));
            connection.rollback();
            log.add("committed", Scenarios.table(connection));
            log.step("prepared", () -> {
                try (PreparedStatement commit = connection.prepareStatement("COMMIT")) {
                    statement.execute("INSERT INTO T VALUES (3, 'three', 3)");
                    commit.execute();
                    connection.rollback();
                    return Scenarios.table(connection);
                }
            });
            log.step("set back", () -> statement.execute("SET AUTOCOMMIT TRUE"));
            log.add("auto-commit again", connection.getAutoCommit());
        }
    }

    private static void setInTransaction(Connection connection, Log log) throws SQLException {
        connection.setAutoCommit(false);
        Scenarios.fill(connection);
        log.step("isolation", () -> {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            return connection.getTransactionIsolation();
        });
        connection.rollback();
        log.add("rows after isolation", Scenarios.table(connection));
        connection.rollback();
        try (Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM T");
            connection.commit();
            Scenarios.fill(connection);
            log.step("catalog", () -> {
                connection.setCatalog(connection.getCatalog());
                return connection.getCatalog() != null;
            });
            log.step("schema", () -> {
                connection.setSchema("PUBLIC");
                return connection.getSchema();
            });
            log.step("holdability", () -> {
                connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
                return connection.getHoldability();
            });
            log.step("timeout", () -> {
                statement.setQueryTimeout(7);
                return statement.getQueryTimeout();
            });
            connection.rollback();
            log.add("rows after the others", Scenarios.table(connection));
        }
        connection.rollback();
        connection.setAutoCommit(true);
    }

    private static void keysByName(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE G(ID INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, A INT, B INT DEFAULT 5)");
            log.step("two columns", () -> {
                statement.executeUpdate("INSERT INTO G(A) VALUES (1)", new String[] {"ID", "B"});
                return Log.rows(statement.getGeneratedKeys());
            });
            log.step("no such column", () -> {
                statement.executeUpdate("INSERT INTO G(A) VALUES (2)", new String[] {"NOPE"});
                return Log.rows(statement.getGeneratedKeys());
            });
            log.step("large, by index", () -> {
                long count = statement.executeLargeUpdate("INSERT INTO G(A) VALUES (3)", new int[] {1, 3});
                return count + Log.rows(statement.getGeneratedKeys());
            });
            log.step("after a query", () -> {
                Log.rows(statement.executeQuery("SELECT COUNT(*) FROM G"));
                return statement.getGeneratedKeys() != null;
            });
        }
        log.step("prepared", () -> {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO G(A) VALUES (?)", new String[] {"B", "ID"})) {
                insert.setInt(1, 4);
                insert.executeUpdate();
                ResultSet keys = insert.getGeneratedKeys();
                keys.next();
                return keys.getInt("ID") + " " + keys.getInt("B");
            }
        });
        log.step("prepared, no such column", () -> {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO G(A) VALUES (?)", new String[] {"NOPE"})) {
                insert.setInt(1, 5);
                return insert.executeUpdate();
            }
        });
        log.step("of an update", () -> {
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE G SET A = A + ?", Statement.RETURN_GENERATED_KEYS)) {
                update.setInt(1, 1);
                return update.executeUpdate() + Log.rows(update.getGeneratedKeys());
            }
        });
    }

    private static void largeBatches(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO T(ID) VALUES (?)")) {
            statement.addBatch("INSERT INTO T(ID) VALUES (1)");
            statement.addBatch("UPDATE T SET NAME = 'x'");
            log.step("plain", statement::executeLargeBatch);
            log.step("again", statement::executeLargeBatch);
            for (int i = 1; i < 4; i++) {
                insert.setInt(1, i);
                insert.addBatch();
            }
            log.step("one that fails", insert::executeLargeBatch);
            log.step("again", insert::executeBatch);
            insert.setInt(1, 7);
            insert.addBatch();
            insert.clearBatch();
            log.step("cleared", insert::executeLargeBatch);
        }
        log.add("rows", Scenarios.table(connection));
    }

    private static void severalResults(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            log.step("several", () -> statement.execute("INSERT INTO T(ID) VALUES (1); INSERT INTO T(ID) VALUES (2)"));
            log.step("count", statement::getUpdateCount);
            log.step("more", () -> statement.getMoreResults(Statement.CLOSE_CURRENT_RESULT));
            log.step("query first", () -> statement.execute("SELECT COUNT(*) FROM T; DELETE FROM T WHERE ID = 1"));
            log.step("rows", () -> Log.rows(statement.getResultSet()));
            log.step("kept", () -> statement.getMoreResults(Statement.KEEP_CURRENT_RESULT));
            log.step("count then", statement::getUpdateCount);
            log.add("table", Scenarios.table(connection));
        }
    }

    private static void changesThroughRows(Connection connection, Log log) throws SQLException {
        connection.setAutoCommit(false);
        Scenarios.fill(connection);
        connection.commit();
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = statement.executeQuery("SELECT ID, NAME, AMOUNT FROM T WHERE ID = 1")) {
            rows.next();
            rows.updateString(2, "changed");
            log.step("cancelled", () -> {
                rows.cancelRowUpdates();
                return rows.getString(2);
            });
            log.step("changed", () -> {
                rows.updateString(2, "changed");
                rows.updateRow();
                return rows.rowUpdated();
            });
            log.step("refreshed", () -> {
                rows.refreshRow();
                return rows.getString(2);
            });
            log.step("statement", () -> rows.getStatement() == statement);
            connection.rollback();
        }
        log.add("rolled back", Scenarios.table(connection));
        connection.setAutoCommit(true);
    }

    private static void objects(Connection connection, Log log) throws SQLException {
        Scenarios.fill(connection);
        log.step("array", () -> {
            Array array = connection.createArrayOf("INTEGER", new Object[] {1, 3});
            try (PreparedStatement read =
                    connection.prepareStatement("SELECT CARDINALITY(CAST(? AS INTEGER ARRAY)) FROM T WHERE ID = 1")) {
                read.setArray(1, array);
                return Log.rows(read.executeQuery()) + Log.rows(read.executeQuery());
            }
        });
        log.step("array of a result", () -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT ARRAY[ID, 5] FROM T WHERE ID = 2")) {
                rows.next();
                Object[] values = (Object[]) rows.getArray(1).getArray();
                return values.length + " " + values[0] + " " + values[1];
            }
        });
        log.step("struct", () -> connection.createStruct("S", new Object[] {1}));
        log.step("xml", () -> {
            SQLXML xml = connection.createSQLXML();
            xml.setString("<a/>");
            try (PreparedStatement update = connection.prepareStatement("UPDATE T SET NAME = ? WHERE ID = 1")) {
                update.setSQLXML(1, xml);
                return update.executeUpdate() + Scenarios.table(connection);
            }
        });
        log.step("clob", () -> {
            Clob clob = connection.createClob();
            clob.setString(1, "text");
            try (PreparedStatement update = connection.prepareStatement("UPDATE T SET NAME = ? WHERE ID = 2")) {
                update.setClob(1, clob);
                return update.executeUpdate() + Scenarios.table(connection);
            }
        });
    }

    private static void clientInfo(Connection connection, Log log) throws SQLException {
        log.step("set", () -> {
            connection.setClientInfo("ApplicationName", "me");
            return "set";
        });
        log.step("get", () -> connection.getClientInfo("ApplicationName"));
        log.step("all", () -> {
            connection.setClientInfo(new Properties());
            return String.valueOf(connection.getClientInfo());
        });
        log.step("types", () -> {
            connection.setTypeMap(new LinkedHashMap<>());
            return connection.getTypeMap();
        });
        log.step("requests", () -> {
            connection.beginRequest();
            connection.endRequest();
            return "done";
        });
        log.step("network timeout", () -> {
            connection.setNetworkTimeout(Runnable::run, 1000);
            return connection.getNetworkTimeout();
        });
        log.step("sharding key", () -> connection.setShardingKeyIfValid(null, 1));
        try (Statement statement = connection.createStatement()) {
            log.step("literal", () -> statement.enquoteLiteral("it's"));
            log.step("identifier", () -> statement.enquoteIdentifier("a b", false));
            log.step("simple", () -> statement.isSimpleIdentifier("a b"));
        }
    }

    private static void cancelling(Connection connection, Log log) throws SQLException {
        Scenarios.fill(connection);
        Statement statement = connection.createStatement();
        log.step("nothing", () -> {
            statement.cancel();
            return "cancelled";
        });
        log.step("query afterwards", () -> Log.rows(statement.executeQuery("SELECT ID FROM T WHERE ID = 1")));
        log.step("what has ended", () -> {
            statement.cancel();
            return Log.rows(statement.executeQuery("SELECT ID FROM T WHERE ID = 2"));
        });
        ResultSet rows = statement.executeQuery("SELECT ID FROM T");
        rows.close();
        rows.close();
        log.step("closed rows", rows::next);
        log.step("their statement", () -> rows.getStatement() == statement);
        statement.close();
        log.step("cancel", () -> {
            statement.cancel();
            return "cancelled";
        });
        log.step("batch", () -> {
            statement.addBatch("DELETE FROM T");
            return "added";
        });
        log.step("warnings", statement::getWarnings);
        log.step("keys", statement::getGeneratedKeys);
        log.step("close on completion", () -> {
            statement.closeOnCompletion();
            return "set";
        });
        log.add("closed", statement.isClosed());
    }

    private static void cancellingFromElsewhere(Connection connection, Log log) throws Exception {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T(ID) VALUES (?)")) {
            for (int i = 0; i < 40; i++) {
                insert.setInt(1, i);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        // The query also ends by itself, but late.
        String query = "SELECT COUNT(*) FROM T A, T B, T C, T D, T E WHERE A.ID + B.ID + C.ID + D.ID + E.ID < 0";
        String change = "DELETE FROM T WHERE ID < (" + query + ")";
        cancelling("under auto-commit", connection, query, change, log);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            log.step("change before", () -> statement.executeUpdate("INSERT INTO T(ID) VALUES (100)"));
        }
        cancelling("in a transaction", connection, query, change, log);
        connection.commit();
        log.add("committed", count(connection));
        connection.setReadOnly(true);
        cancelling("in a read-only transaction", connection, query, query, log);
        connection.rollback();
        connection.setReadOnly(false);
        connection.setAutoCommit(true);
        log.add("in the end", count(connection));
    }

    private static void cancelling(String when, Connection connection, String query, String change, Log log)
            throws Exception {
        try (Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement(query)) {
            log.step("query " + when, () -> cancelled(statement, () -> statement.execute(query)));
            log.step("again", () -> Log.rows(statement.executeQuery("SELECT COUNT(*) FROM T")));
            log.step("change " + when, () -> cancelled(statement, () -> statement.execute(change)));
            log.step("another", () -> Log.rows(statement.executeQuery("SELECT COUNT(*) FROM T")));
            log.step("prepared " + when, () -> cancelled(prepared, prepared::execute));
            log.add("open", statement.isClosed() + " " + prepared.isClosed() + " " + connection.isValid(1));
        }
        log.add("rows", count(connection));
    }

    /**
     * Runs the work in a thread of its own and cancels it until it has ended; a cancellation that comes too early has no effect.
     */
    private static Object cancelled(Statement statement, Callable<Object> work) throws Exception {
        FutureTask<Object> running = new FutureTask<>(work);
        new Thread(running).start();
        while (true) {
            try {
                return running.get(20, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // A cancellation that comes too late may hit the next statement, with HSQLDB alone too.
                if (!running.isDone()) {
                    statement.cancel();
                }
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    private static String count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return Log.rows(statement.executeQuery("SELECT COUNT(*) FROM T"));
        }
    }

    private static void abort(Connection connection, Log log) throws SQLException {
        connection.setAutoCommit(false);
        Scenarios.fill(connection);
        connection.close();
        log.step("of a closed connection", () -> {
            connection.abort(Runnable::run);
            return connection.isClosed();
        });
        log.step("close again", () -> {
            connection.close();
            return connection.isClosed();
        });
        log.step("savepoint", connection::setSavepoint);
        log.step("read-only", connection::isReadOnly);
        log.step("metadata", connection::getMetaData);
        log.step("auto-commit", connection::getAutoCommit);
        log.step("warnings", connection::getWarnings);
        log.step("schema", connection::getSchema);
        log.step("client info", () -> connection.getClientInfo("ApplicationName"));
    }
}
