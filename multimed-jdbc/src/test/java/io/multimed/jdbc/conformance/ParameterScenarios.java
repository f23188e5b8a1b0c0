package io.multimed.jdbc.conformance;

import io.multimed.jdbc.conformance.Scenarios.Scenario;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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

/** Scenarios of parameters of prepared statements, including streams and LOBs. */
final class ParameterScenarios {
    private ParameterScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("prepared parameters of every type", ParameterScenarios::parameters);
        all.put("parameters left out and cleared", ParameterScenarios::missingParameters);
        all.put("parameters keep their values between executions", ParameterScenarios::keptParameters);
        all.put("streams as parameters", ParameterScenarios::streams);
        all.put("LOBs", ParameterScenarios::lobs);
        all.put("arrays", ParameterScenarios::arrays);
        return all;
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
            prepared.setObject(1, false);
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
        Scenarios.fill(connection);
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
        Scenarios.fill(connection);
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
        Scenarios.fill(connection);
        try (PreparedStatement prepared = connection.prepareStatement("UPDATE T SET NAME = ? WHERE ID = ?")) {
            prepared.setCharacterStream(1, new StringReader("streamed"));
            prepared.setInt(2, 1);
            log.step("reader", prepared::executeUpdate);
            prepared.setAsciiStream(1, new ByteArrayInputStream("ascii".getBytes(StandardCharsets.US_ASCII)), 5);
            prepared.setInt(2, 2);
            log.step("ascii", prepared::executeUpdate);
        }
        log.add("table", Scenarios.table(connection));
        try (PreparedStatement prepared = connection.prepareStatement("SELECT ID FROM T WHERE NAME = ?")) {
            prepared.setCharacterStream(1, new StringReader("streamed"));
            log.step("reader in a read", () -> Log.rows(prepared.executeQuery()));
            prepared.setString(1, "ascii");
            log.step("string after it", () -> Log.rows(prepared.executeQuery()));
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
}
