package io.multimed.jdbc.conformance;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Calendar;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TimeZone;

/** What applications do with JDBC, area by area; each works on an empty database with a table T(ID, NAME, AMOUNT). */
final class Scenarios {
    @FunctionalInterface
    interface Scenario {
        void run(Connection connection, Log log) throws Exception;
    }

    private Scenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("plain statements", Scenarios::plainStatements);
        all.put("wrong method for a statement", Scenarios::wrongMethods);
        all.put("prepared parameters of every type", Scenarios::parameters);
        all.put("parameters left out and cleared", Scenarios::missingParameters);
        all.put("parameters keep their values between executions", Scenarios::keptParameters);
        all.put("streams as parameters", Scenarios::streams);
        all.put("generated keys", Scenarios::generatedKeys);
        all.put("batches", Scenarios::batches);
        all.put("batches that fail", Scenarios::failingBatches);
        all.put("batches with definitions", Scenarios::batchesWithDefinitions);
        all.put("scrollable result sets", Scenarios::scrollable);
        all.put("updatable result sets", Scenarios::updatable);
        all.put("result set getters", Scenarios::getters);
        all.put("several open result sets", Scenarios::severalOpen);
        all.put("result sets over a commit", Scenarios::overCommit);
        all.put("auto-commit and transactions", Scenarios::transactions);
        all.put("changing auto-commit in a transaction", Scenarios::autoCommitChange);
        all.put("savepoints", Scenarios::savepoints);
        all.put("closed objects", Scenarios::closedObjects);
        all.put("limits and hints of statements", Scenarios::limits);
        all.put("warnings", Scenarios::warnings);
        all.put("LOBs", Scenarios::lobs);
        all.put("arrays", Scenarios::arrays);
        all.put("calls", Scenarios::calls);
        all.put("metadata of the database", Scenarios::databaseMetaData);
        all.put("metadata of statements", Scenarios::statementMetaData);
        all.put("schema and catalog", Scenarios::schema);
        all.put("wrappers", Scenarios::wrappers);
        all.put("validity", Scenarios::validity);
        all.put("parents of objects", Scenarios::parents);
        all.put("close on completion", Scenarios::closeOnCompletion);
        all.put("isolation and holdability", Scenarios::isolation);
        all.put("escapes", Scenarios::escapes);
        all.put("large counts", Scenarios::largeCounts);
        all.put("statements prepared before a definition", Scenarios::preparedBeforeDefinition);
        return all;
    }

    private static String table(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return Log.rows(statement.executeQuery("SELECT ID, NAME, AMOUNT FROM T ORDER BY ID"));
        }
    }

    private static void fill(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO T VALUES (1, 'one', 1.50), (2, 'two', 2.50), (3, NULL, NULL)");
        }
    }

    private static void plainStatements(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            log.add("insert", statement.executeUpdate("INSERT INTO T VALUES (1, 'a', 1)"));
            log.add("update of nothing", statement.executeUpdate("UPDATE T SET NAME = 'b' WHERE ID = 7"));
            log.add("execute update", statement.execute("UPDATE T SET NAME = 'b'"));
            log.add("count", statement.getUpdateCount());
            log.add("result set", statement.getResultSet());
            log.add("more", statement.getMoreResults());
            log.add("count after", statement.getUpdateCount());
            log.add("execute query", statement.execute("SELECT NAME FROM T"));
            log.add("count of query", statement.getUpdateCount());
            ResultSet result = statement.getResultSet();
            log.add("same result set", result == statement.getResultSet());
            log.add("rows", Log.rows(result));
            log.add("more after query", statement.getMoreResults());
            log.add("query", Log.rows(statement.executeQuery("SELECT COUNT(*) FROM T")));
            log.add("definition", statement.executeUpdate("CREATE TABLE U(A INT)"));
            log.add("count of definition", statement.getUpdateCount());
        }
    }

    private static void wrongMethods(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            log.step("query as update", () -> statement.executeUpdate("SELECT ID FROM T"));
            log.step("update as query", () -> Log.rows(statement.executeQuery("UPDATE T SET NAME = 'x'")));
            log.step("null", () -> statement.execute(null));
            log.step("syntax", () -> statement.execute("SELEC"));
            // Of HSQLDB they are one object for all, which who reads them closes for all.
            log.step("generated keys of nothing", () -> statement.getGeneratedKeys() != null);
        }
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ID FROM T")) {
            log.step("prepared query as update", prepared::executeUpdate);
            log.step("text on prepared", () -> prepared.executeQuery("SELECT 1"));
            log.step("text update on prepared", () -> prepared.executeUpdate("DELETE FROM T"));
            log.step("text batch on prepared", () -> {
                prepared.addBatch("DELETE FROM T");
                return "added";
            });
        }
        log.step("prepare nonsense", () -> connection.prepareStatement("SELEC 1"));
        log.step("prepare unknown table", () -> connection.prepareStatement("SELECT * FROM NOWHERE"));
    }

    private static void parameters(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE P(B BOOLEAN, S SMALLINT, I INT, L BIGINT, D DOUBLE PRECISION, N DECIMAL(10, 2),"
                            + " V VARCHAR(20), X VARBINARY(10), DT DATE, TM TIME, TS TIMESTAMP)");
        }
        String insert = "INSERT INTO P VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        try (PreparedStatement prepared = connection.prepareStatement(insert)) {
            prepared.setBoolean(1, true);
            prepared.setShort(2, (short) 2);
            prepared.setInt(3, 3);
            prepared.setLong(4, 4L);
            prepared.setDouble(5, 5.5);
            prepared.setBigDecimal(6, new BigDecimal("6.25"));
            prepared.setString(7, "seven");
            prepared.setBytes(8, new byte[] {8, 9});
            prepared.setDate(9, Date.valueOf("2024-02-29"));
            prepared.setTime(10, Time.valueOf("10:11:12"));
            prepared.setTimestamp(11, Timestamp.valueOf("2024-02-29 10:11:12"));
            log.add("inserted", prepared.executeUpdate());
            for (int i = 1; i <= 11; i++) {
                prepared.setNull(i, Types.NULL);
            }
            log.step("nulls", prepared::executeUpdate);
            prepared.setObject(1, Boolean.FALSE);
            prepared.setObject(2, 7, Types.SMALLINT);
            prepared.setObject(3, 7, JDBCType.INTEGER);
            prepared.setObject(4, 7L);
            prepared.setObject(5, 7.5);
            prepared.setObject(6, new BigDecimal("7.5"), Types.DECIMAL, 2);
            prepared.setObject(7, "x");
            prepared.setObject(8, new byte[] {1});
            prepared.setObject(9, LocalDate.of(2024, 1, 1));
            prepared.setDate(9, Date.valueOf("2024-01-01"), Calendar.getInstance(TimeZone.getDefault()));
            prepared.setTime(10, Time.valueOf("00:00:01"), Calendar.getInstance(TimeZone.getDefault()));
            prepared.setObject(11, LocalDateTime.of(2024, 1, 1, 2, 3));
            log.step("objects", prepared::executeUpdate);
            log.step("impossible", () -> {
                prepared.setString(3, "not a number");
                return prepared.executeUpdate();
            });
        }
        try (PreparedStatement prepared = connection.prepareStatement(
                "SELECT COUNT(*) FROM P WHERE B = ? AND I = ? AND L = ? AND D = ? AND N = ? AND V = ? AND DT = ? AND TS = ?")) {
            prepared.setBoolean(1, true);
            prepared.setInt(2, 3);
            prepared.setLong(3, 4);
            prepared.setDouble(4, 5.5);
            prepared.setBigDecimal(5, new BigDecimal("6.25"));
            prepared.setString(6, "seven");
            prepared.setDate(7, Date.valueOf("2024-02-29"));
            prepared.setTimestamp(8, Timestamp.valueOf("2024-02-29 10:11:12"));
            log.add("found", Log.rows(prepared.executeQuery()));
        }
        try (Statement statement = connection.createStatement()) {
            log.add("all", Log.rows(statement.executeQuery("SELECT * FROM P ORDER BY I")));
        }
    }

    private static void missingParameters(Connection connection, Log log) throws SQLException {
        fill(connection);
        try (PreparedStatement prepared =
                connection.prepareStatement("SELECT ID FROM T WHERE ID = ? OR ID = ? ORDER BY ID")) {
            prepared.setInt(1, 1);
            log.step("one missing", () -> Log.rows(prepared.executeQuery()));
            prepared.setInt(2, 2);
            log.step("both", () -> Log.rows(prepared.executeQuery()));
            prepared.clearParameters();
            log.step("cleared", () -> Log.rows(prepared.executeQuery()));
            log.step("index too high", () -> {
                prepared.setInt(3, 1);
                return "set";
            });
            log.step("index zero", () -> {
                prepared.setInt(0, 1);
                return "set";
            });
        }
    }

    private static void keptParameters(Connection connection, Log log) throws SQLException {
        fill(connection);
        try (PreparedStatement read = connection.prepareStatement("SELECT NAME FROM T WHERE ID = ?");
                PreparedStatement write = connection.prepareStatement("UPDATE T SET NAME = ? WHERE ID = ?")) {
            read.setInt(1, 2);
            log.add("first", Log.rows(read.executeQuery()));
            write.setString(1, "changed");
            write.setInt(2, 2);
            log.add("write", write.executeUpdate());
            log.add("again", Log.rows(read.executeQuery()));
            connection.setAutoCommit(false);
            log.add("in a transaction", Log.rows(read.executeQuery()));
            write.setString(1, "again");
            log.add("write in it", write.executeUpdate());
            log.add("own change", Log.rows(read.executeQuery()));
            connection.rollback();
            connection.setAutoCommit(true);
            log.add("rolled back", Log.rows(read.executeQuery()));
            connection.setReadOnly(true);
            log.add("read-only", Log.rows(read.executeQuery()));
            connection.setReadOnly(false);
            log.add("and back", Log.rows(read.executeQuery()));
        }
    }

    private static void streams(Connection connection, Log log) throws SQLException {
        fill(connection);
        try (PreparedStatement prepared = connection.prepareStatement("UPDATE T SET NAME = ? WHERE ID = ?")) {
            prepared.setCharacterStream(1, new StringReader("streamed"));
            prepared.setInt(2, 1);
            log.step("reader", prepared::executeUpdate);
            prepared.setAsciiStream(1, new ByteArrayInputStream("ascii".getBytes(StandardCharsets.US_ASCII)), 5);
            prepared.setInt(2, 2);
            log.step("ascii", prepared::executeUpdate);
        }
        log.add("table", table(connection));
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ID FROM T WHERE NAME = ?")) {
            prepared.setCharacterStream(1, new StringReader("streamed"));
            log.step("reader in a read", () -> Log.rows(prepared.executeQuery()));
            prepared.setString(1, "ascii");
            log.step("string after it", () -> Log.rows(prepared.executeQuery()));
        }
    }

    private static void generatedKeys(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE G(ID INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, A INT)");
            log.add(
                    "insert",
                    statement.executeUpdate("INSERT INTO G(A) VALUES (10), (20)", Statement.RETURN_GENERATED_KEYS));
            log.add("keys", Log.rows(statement.getGeneratedKeys()));
            log.step("by name", () -> {
                statement.executeUpdate("INSERT INTO G(A) VALUES (30)", new String[] {"ID"});
                return Log.rows(statement.getGeneratedKeys());
            });
            log.step("by index", () -> {
                statement.execute("INSERT INTO G(A) VALUES (40)", new int[] {1});
                return Log.rows(statement.getGeneratedKeys());
            });
            log.step("not asked for", () -> {
                statement.executeUpdate("INSERT INTO G(A) VALUES (50)");
                return statement.getGeneratedKeys() != null;
            });
        }
        try (PreparedStatement prepared =
                connection.prepareStatement("INSERT INTO G(A) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            prepared.setInt(1, 60);
            prepared.executeUpdate();
            log.add("prepared", Log.rows(prepared.getGeneratedKeys()));
            prepared.setInt(1, 70);
            prepared.addBatch();
            prepared.setInt(1, 80);
            prepared.addBatch();
            log.add("batch", prepared.executeBatch());
            log.step("batch keys", () -> Log.rows(prepared.getGeneratedKeys()));
        }
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
        log.add("table", table(connection));
    }

    private static void failingBatches(Connection connection, Log log) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("INSERT INTO T VALUES (?, 'x', 0)")) {
            for (int id : new int[] {1, 2, 1, 3}) {
                prepared.setInt(1, id);
                prepared.addBatch();
            }
            log.step("prepared", prepared::executeBatch);
        }
        log.add("table", table(connection));
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO T VALUES (7, 'x', 0)");
            statement.addBatch("INSERT INTO NOWHERE VALUES (1)");
            statement.addBatch("INSERT INTO T VALUES (8, 'x', 0)");
            log.step("plain", statement::executeBatch);
        }
        log.add("table after", table(connection));
    }

    private static void batchesWithDefinitions(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("CREATE TABLE U(A INT)");
            statement.addBatch("INSERT INTO U VALUES (1)");
            statement.addBatch("INSERT INTO U VALUES (2)");
            log.step("batch", statement::executeBatch);
            log.add("rows", Log.rows(statement.executeQuery("SELECT A FROM U ORDER BY A")));
        }
    }

    private static void scrollable(Connection connection, Log log) throws SQLException {
        fill(connection);
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
        fill(connection);
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
        log.add("table", table(connection));
    }

    private static void getters(Connection connection, Log log) throws SQLException {
        fill(connection);
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
        fill(connection);
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
        fill(connection);
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

    private static void transactions(Connection connection, Log log) throws SQLException {
        log.add("auto-commit", connection.getAutoCommit());
        connection.setAutoCommit(false);
        fill(connection);
        log.add("own changes", table(connection));
        connection.rollback();
        log.add("rolled back", table(connection));
        fill(connection);
        connection.commit();
        log.add("committed", table(connection));
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM T WHERE ID = 1");
            log.step("failing", () -> statement.executeUpdate("INSERT INTO T VALUES (2, 'dup', 0)"));
        }
        log.add("after failure", table(connection));
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
        log.add("finally", table(connection));
    }

    private static void autoCommitChange(Connection connection, Log log) throws SQLException {
        connection.setAutoCommit(false);
        fill(connection);
        connection.setAutoCommit(true);
        connection.setAutoCommit(false);
        connection.rollback();
        log.add("committed by the change", table(connection));
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
        fill(connection);
        Savepoint named = connection.setSavepoint("HERE");
        log.add("name", named.getSavepointName());
        log.step("id of a named one", named::getSavepointId);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM T");
            connection.rollback(named);
            log.add("rolled back to", table(connection));
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
        log.add("table", table(connection));
    }

    private static void closedObjects(Connection connection, Log log) throws SQLException {
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT ID FROM T");
        statement.close();
        statement.close();
        log.add("closed", statement.isClosed() + " " + result.isClosed());
        log.step("execute", () -> statement.execute("SELECT 1"));
        log.step("next", result::next);
        log.step("max rows", statement::getMaxRows);
        log.step("connection", statement::getConnection);
        PreparedStatement prepared = connection.prepareStatement("SELECT ID FROM T WHERE ID = ?");
        prepared.close();
        log.step("set", () -> {
            prepared.setInt(1, 1);
            return "set";
        });
        log.step("execute prepared", prepared::executeQuery);
    }

    private static void limits(Connection connection, Log log) throws SQLException {
        fill(connection);
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(2);
            log.add(
                    "max rows",
                    statement.getMaxRows() + " " + Log.rows(statement.executeQuery("SELECT ID FROM T ORDER BY ID")));
            log.step("negative", () -> {
                statement.setMaxRows(-1);
                return "set";
            });
            statement.setMaxRows(0);
            statement.setFetchSize(1);
            log.add("fetch size", statement.getFetchSize());
            statement.setQueryTimeout(5);
            log.add("timeout", statement.getQueryTimeout());
            log.step("direction", () -> {
                statement.setFetchDirection(ResultSet.FETCH_FORWARD);
                return statement.getFetchDirection();
            });
            log.step("poolable", () -> {
                statement.setPoolable(true);
                return statement.isPoolable();
            });
            log.add("all", Log.rows(statement.executeQuery("SELECT ID FROM T ORDER BY ID")));
            log.step("timeout below zero", () -> {
                statement.setQueryTimeout(-1);
                return "set";
            });
        }
    }

    private static void warnings(Connection connection, Log log) throws SQLException {
        log.add("connection", connection.getWarnings());
        connection.clearWarnings();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT ID FROM T")) {
            log.add("statement", statement.getWarnings());
            log.add("result", result.getWarnings());
            statement.clearWarnings();
            result.clearWarnings();
        }
    }

    private static void lobs(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE L(ID INT PRIMARY KEY, C CLOB, B BLOB)");
        }
        String text = "long text ".repeat(2_000);
        try (PreparedStatement prepared = connection.prepareStatement("INSERT INTO L VALUES (?, ?, ?)")) {
            Clob clob = connection.createClob();
            clob.setString(1, text);
            Blob blob = connection.createBlob();
            blob.setBytes(1, new byte[] {1, 2, 3});
            prepared.setInt(1, 1);
            prepared.setClob(2, clob);
            prepared.setBlob(3, blob);
            log.step("lobs", prepared::executeUpdate);
            prepared.setInt(1, 2);
            prepared.setClob(2, new StringReader(text));
            prepared.setBinaryStream(3, new ByteArrayInputStream(new byte[5_000]), 5_000);
            log.step("streams", prepared::executeUpdate);
        }
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT C, B FROM L ORDER BY ID")) {
            while (result.next()) {
                Clob clob = result.getClob(1);
                Blob blob = result.getBlob(2);
                log.add("lengths", clob.length() + " " + blob.length());
                log.add("part", clob.getSubString(1, 9) + " " + blob.getBytes(1, 3)[2]);
                log.step("stream", () -> clob.getCharacterStream().read());
            }
        }
    }

    private static void arrays(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE A(V INT ARRAY)");
        }
        try (PreparedStatement prepared = connection.prepareStatement("INSERT INTO A VALUES (?)")) {
            prepared.setArray(1, connection.createArrayOf("INTEGER", new Object[] {1, 2}));
            log.step("insert", prepared::executeUpdate);
        }
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT V FROM A")) {
            result.next();
            log.step("read", () -> ((Object[]) result.getArray(1).getArray()).length);
            log.step("base type", () -> result.getArray(1).getBaseTypeName());
        }
        try (PreparedStatement prepared = connection.prepareStatement("SELECT CARDINALITY(V) FROM A WHERE V = ?")) {
            prepared.setArray(1, connection.createArrayOf("INTEGER", new Object[] {1, 2}));
            log.step("as a parameter", () -> Log.rows(prepared.executeQuery()));
        }
    }

    private static void calls(Connection connection, Log log) throws SQLException {
        try (CallableStatement call = connection.prepareCall("CALL ABS(-5)")) {
            log.step("execute", call::execute);
            log.step("rows", () -> Log.rows(call.getResultSet()));
        }
        log.step("escape", () -> {
            try (CallableStatement call = connection.prepareCall("{? = call ABS(?)}")) {
                call.registerOutParameter(1, Types.INTEGER);
                call.setInt(2, -6);
                call.execute();
                return call.getInt(1);
            }
        });
    }

    private static void databaseMetaData(Connection connection, Log log) throws SQLException {
        fill(connection);
        java.sql.DatabaseMetaData data = connection.getMetaData();
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
        try (Statement statement = connection.createStatement()) {
            log.add(
                    "statement",
                    statement.isWrapperFor(Statement.class) + " "
                            + statement.unwrap(Statement.class).isClosed());
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

    private static void closeOnCompletion(Connection connection, Log log) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            log.step("set", () -> {
                statement.closeOnCompletion();
                return statement.isCloseOnCompletion();
            });
            log.step("query", () -> Log.rows(statement.executeQuery("SELECT ID FROM T")));
            log.add("closed", statement.isClosed());
        }
    }

    private static void isolation(Connection connection, Log log) throws SQLException {
        log.add("isolation", connection.getTransactionIsolation());
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        log.add("serializable", connection.getTransactionIsolation());
        log.add("rows", table(connection));
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        log.step("unknown", () -> {
            connection.setTransactionIsolation(77);
            return "set";
        });
        log.add("holdability", connection.getHoldability());
    }

    private static void escapes(Connection connection, Log log) throws SQLException {
        fill(connection);
        try (Statement statement = connection.createStatement()) {
            log.step("date", () -> Log.rows(statement.executeQuery("SELECT {d '2024-01-02'} FROM T WHERE ID = 1")));
            log.step("function", () -> Log.rows(statement.executeQuery("SELECT {fn UCASE(NAME)} FROM T WHERE ID = 1")));
            log.step(
                    "like",
                    () -> Log.rows(statement.executeQuery("SELECT ID FROM T WHERE NAME LIKE 'o%' {escape '!'}")));
            log.step("broken", () -> statement.executeQuery("SELECT {fn UCASE(NAME FROM T"));
        }
    }

    private static void largeCounts(Connection connection, Log log) throws SQLException {
        fill(connection);
        try (Statement statement = connection.createStatement()) {
            log.step("update", () -> statement.executeLargeUpdate("UPDATE T SET AMOUNT = 1"));
            log.step("count", statement::getLargeUpdateCount);
            log.step("max rows", () -> {
                statement.setLargeMaxRows(1);
                return statement.getLargeMaxRows();
            });
        }
        try (PreparedStatement prepared = connection.prepareStatement("DELETE FROM T WHERE ID > ?")) {
            prepared.setInt(1, 1);
            log.step("prepared", prepared::executeLargeUpdate);
        }
    }

    private static void preparedBeforeDefinition(Connection connection, Log log) throws SQLException {
        fill(connection);
        try (PreparedStatement prepared = connection.prepareStatement("SELECT * FROM T WHERE ID = ?");
                Statement statement = connection.createStatement()) {
            prepared.setInt(1, 1);
            log.add("before", Log.rows(prepared.executeQuery()));
            statement.execute("CREATE TABLE UNRELATED(A INT)");
            log.add("after another table", Log.rows(prepared.executeQuery()));
            statement.execute("ALTER TABLE T ADD COLUMN EXTRA INT DEFAULT 4");
            log.step("after its own", () -> Log.rows(prepared.executeQuery()));
            statement.execute("DROP TABLE T CASCADE");
            log.step("after it is gone", () -> Log.rows(prepared.executeQuery()));
        }
    }
}
