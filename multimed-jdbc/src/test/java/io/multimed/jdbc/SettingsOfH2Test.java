package io.multimed.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.h2.api.JavaObjectSerializer;
import org.h2.command.dml.SetTypes;
import org.h2.engine.ConnectionInfo;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests each setting of this version of H2, in the URL and as a statement: the driver opens databases and answers as H2 alone
 * does.
 */
@Tag("slow")
public class SettingsOfH2Test {
    /** Java's own serialization, as a class of the application with which H2 reads and writes objects. */
    public static final class Serializer implements JavaObjectSerializer {
        @Override
        public byte[] serialize(Object value) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(value);
            }
            return bytes.toByteArray();
        }

        @Override
        public Object deserialize(byte[] bytes) throws Exception {
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
                return in.readObject();
            }
        }
    }

    private static final String SERIALIZER = "'" + Serializer.class.getName() + "'";

    /** Values of settings that are statements. Every setting of H2 must be here. */
    private static final Map<String, List<String>> STATEMENTS = new TreeMap<>(Map.ofEntries(
            Map.entry("@VARIABLE", List.of("1")),
            Map.entry("ALLOW_LITERALS", List.of("NONE", "NUMBERS", "ALL")),
            Map.entry("AUTHENTICATOR", List.of("FALSE")),
            Map.entry("BUILTIN_ALIAS_OVERRIDE", List.of("TRUE", "FALSE")),
            Map.entry("CACHE_SIZE", List.of("1000")),
            Map.entry("CATALOG", List.of("'X'", "CURRENT_CATALOG")),
            Map.entry("CLUSTER", List.of("''")),
            Map.entry("COLLATION", List.of("ENGLISH", "OFF")),
            Map.entry("CREATE_BUILD", List.of("1")),
            Map.entry("DATABASE_EVENT_LISTENER", List.of("''")),
            Map.entry("DB_CLOSE_DELAY", List.of("0", "1", "-1")),
            Map.entry("DEFAULT_LOCK_TIMEOUT", List.of("500")),
            Map.entry("DEFAULT_NULL_ORDERING", List.of("HIGH", "LAST", "FIRST", "LOW")),
            Map.entry("DEFAULT_TABLE_TYPE", List.of("MEMORY", "CACHED")),
            Map.entry("EXCLUSIVE", List.of("0", "1")),
            Map.entry("IGNORECASE", List.of("TRUE", "FALSE")),
            Map.entry("IGNORE_CATALOGS", List.of("TRUE", "FALSE")),
            Map.entry("JAVA_OBJECT_SERIALIZER", List.of(SERIALIZER)),
            Map.entry("LAZY_QUERY_EXECUTION", List.of("1", "0")),
            Map.entry("LOCK_MODE", List.of("0", "1", "3")),
            Map.entry("LOCK_TIMEOUT", List.of("500")),
            Map.entry("MAX_LENGTH_INPLACE_LOB", List.of("1", "1000")),
            Map.entry("MAX_LOG_SIZE", List.of("4")),
            Map.entry("MAX_MEMORY_ROWS", List.of("2", "1000")),
            Map.entry("MAX_MEMORY_UNDO", List.of("2")),
            Map.entry("MAX_OPERATION_MEMORY", List.of("100")),
            Map.entry(
                    "MODE",
                    List.of(
                            "REGULAR",
                            "STRICT",
                            "LEGACY",
                            "DB2",
                            "DERBY",
                            "HSQLDB",
                            "MSSQLSERVER",
                            "MARIADB",
                            "MYSQL",
                            "ORACLE",
                            "POSTGRESQL")),
            Map.entry("NON_KEYWORDS", List.of("VALUE, KEY", "DAY")),
            Map.entry("OPTIMIZE_REUSE_RESULTS", List.of("0", "1")),
            Map.entry("QUERY_STATISTICS", List.of("TRUE", "FALSE")),
            Map.entry("QUERY_STATISTICS_MAX_ENTRIES", List.of("10")),
            Map.entry("QUERY_TIMEOUT", List.of("60000")),
            Map.entry("READONLY", List.of("TRUE")),
            Map.entry("REDO_LOG_BINARY", List.of("1")),
            Map.entry("REFERENTIAL_INTEGRITY", List.of("FALSE", "TRUE")),
            Map.entry("RETENTION_TIME", List.of("100")),
            Map.entry("SCHEMA", List.of("PUBLIC", "INFORMATION_SCHEMA", "NOWHERE")),
            Map.entry("SCHEMA_SEARCH_PATH", List.of("INFORMATION_SCHEMA, PUBLIC")),
            Map.entry("THROTTLE", List.of("1")),
            Map.entry("TIME ZONE", List.of("'+05:00'", "LOCAL", "'Nowhere/None'")),
            Map.entry("TRACE_LEVEL_FILE", List.of("0")),
            Map.entry("TRACE_LEVEL_SYSTEM_OUT", List.of("0")),
            Map.entry("TRACE_MAX_FILE_SIZE", List.of("1")),
            Map.entry("TRUNCATE_LARGE_LENGTH", List.of("TRUE", "FALSE")),
            Map.entry("VARIABLE_BINARY", List.of("TRUE", "FALSE")),
            Map.entry("WRITE_DELAY", List.of("100"))));

    /** Values of settings that are options of URLs only. Every option of H2 must be here or among the settings above. */
    private static final Map<String, List<String>> OPTIONS = new TreeMap<>(Map.ofEntries(
            Map.entry("ACCESS_MODE_DATA", List.of("rw", "r")),
            Map.entry("AUTHREALM", List.of("")),
            Map.entry("AUTHZPWD", List.of("")),
            Map.entry("NO_UPGRADE", List.of("TRUE", "FALSE")),
            Map.entry("AUTOCOMMIT", List.of("TRUE", "FALSE")),
            Map.entry("AUTO_RECONNECT", List.of("FALSE")),
            Map.entry("AUTO_SERVER", List.of("FALSE")),
            Map.entry("AUTO_SERVER_PORT", List.of("0")),
            Map.entry("CACHE_TYPE", List.of("LRU", "TQ", "SOFT_LRU")),
            Map.entry("DB_CLOSE_ON_EXIT", List.of("TRUE", "FALSE")),
            Map.entry("FILE_LOCK", List.of("FS", "NO")),
            Map.entry("FORBID_CREATION", List.of("FALSE", "TRUE")),
            Map.entry("IFEXISTS", List.of("FALSE", "TRUE")),
            Map.entry("IGNORE_UNKNOWN_SETTINGS", List.of("TRUE", "FALSE")),
            Map.entry("INIT", List.of("CREATE TABLE I(A INT)", "CREATE TABLE I(A INT)\\;INSERT INTO I VALUES(1)")),
            Map.entry("JMX", List.of("TRUE", "FALSE")),
            Map.entry("NETWORK_TIMEOUT", List.of("1000")),
            Map.entry("OLD_INFORMATION_SCHEMA", List.of("TRUE", "FALSE")),
            Map.entry("OPEN_NEW", List.of("TRUE", "FALSE")),
            Map.entry("PAGE_SIZE", List.of("4096")),
            Map.entry("PASSWORD_HASH", List.of("FALSE")),
            Map.entry("RECOVER", List.of("0")),
            Map.entry("RECOVER_TEST", List.of("FALSE")),
            Map.entry("TIME ZONE", List.of("+05:00", "Nowhere/None")),
            Map.entry("UNKNOWN_ONE", List.of("1"))));

    /** Settings that the test itself gives, or that are for other databases: of two files, encrypted, in archives. */
    private static final List<String> ELSEWHERE = List.of(
            "USER", "PASSWORD", "CIPHER", "DATABASE_TO_LOWER", "DATABASE_TO_UPPER", "PAGE_STORE", "@", "CREATE");

    private static final List<String> WORK = List.of(
            "CREATE TABLE T(ID INT PRIMARY KEY, V VARCHAR(20), N INT, O JAVA_OBJECT, C CLOB, W TIMESTAMP WITH TIME ZONE)",
            "INSERT INTO T(ID, V, N, C) SELECT X, CASE WHEN MOD(X, 2) = ? THEN ? ELSE ? END, NULLIF(X, ?), REPEAT(?, 10)"
                    + " FROM SYSTEM_RANGE(?, ?)",
            "SELECT * FROM T ORDER BY N",
            "SELECT ID FROM T ORDER BY V, ID",
            "SELECT V, COUNT(*) FROM T GROUP BY V ORDER BY V",
            "SELECT 'literal' FROM T WHERE ID = 1",
            "SELECT ID FROM T WHERE V = 'A' OR ID = 3 ORDER BY ID",
            "SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = ?",
            "SELECT CAST(TIMESTAMP '2026-01-01 00:00:00' AS TIMESTAMP WITH TIME ZONE) FROM T WHERE ID = 2",
            "SELECT 1 AS DAY FROM T WHERE ID = 2",
            "SELECT ID VALUE FROM T WHERE ID = 2",
            "SELECT @VARIABLE FROM T WHERE ID = 2",
            "SELECT CURRENT_SCHEMA FROM T WHERE ID = 2",
            "UPDATE T SET V = LOWER(V) WHERE ID > ?",
            "SELECT ID FROM X.PUBLIC.T WHERE ID = 2",
            "CREATE VIEW VW AS SELECT ID, V FROM T WHERE N > ID",
            "SELECT * FROM PUBLIC.VW",
            "ALTER TABLE T ADD COLUMN E INT DEFAULT ID",
            "SELECT * FROM PUBLIC.T ORDER BY ID",
            "CREATE TABLE R(A INT REFERENCES PUBLIC.T(ID))",
            "INSERT INTO R VALUES(?)",
            "SELECT * FROM R",
            "SELECT * FROM I",
            "DELETE FROM T WHERE ID = ?",
            "SELECT COUNT(*) FROM T");

    private static final Object[] PARAMETERS = {1, "a", "B", 2, "c", 1, 6};

    private static List<String> work(Connection connection) throws SQLException {
        List<String> answers = new ArrayList<>();
        for (String sql : WORK) {
            answers.add(sql + ": " + answer(connection, sql));
        }
        return answers;
    }

    private static String answer(Connection connection, String sql) {
        try (var statement = connection.prepareStatement(sql)) {
            int parameters = (int) sql.chars().filter(c -> c == '?').count();
            for (int i = 0; i < parameters; i++) {
                statement.setObject(
                        i + 1, parameters == 1 ? (sql.contains("TABLE_NAME") ? "T" : (Object) 3) : PARAMETERS[i]);
            }
            if (!statement.execute()) {
                return String.valueOf(statement.getUpdateCount());
            }
            StringBuilder rows = new StringBuilder();
            try (ResultSet result = statement.getResultSet()) {
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    for (int i = 1; i <= columns; i++) {
                        rows.append(result.getString(i)).append('|');
                    }
                    rows.append('/');
                }
            }
            return rows.toString();
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    /** Returns the results of opening a database and working with it, as text. */
    private static List<String> life(String url, String setting) {
        try (Connection connection = DriverManager.getConnection(url, "SA", "")) {
            if (!setting.isEmpty()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(setting);
                } catch (SQLException e) {
                    return List.of(e.getSQLState());
                }
            }
            List<String> answers = work(connection);
            if (url.startsWith("jdbc:multimed:")) {
                // The driver's own statement is answered with any setting.
                Sql.value(connection, "SHOW multimed.route");
            }
            return answers;
        } catch (SQLException e) {
            return List.of("not opened: " + e.getSQLState());
        }
    }

    private static void compare(String options, String setting) {
        String name = UUID.randomUUID() + "/X";
        List<String> alone = life("jdbc:h2:mem:a" + name + options, setting);
        List<String> replicated = life("jdbc:multimed:h2:mem:m" + name + ";replicas=3" + options, setting);
        assertEquals(String.join("\n", alone), String.join("\n", replicated), options + setting);
    }

    static Stream<String> statements() {
        return STATEMENTS.entrySet().stream()
                .flatMap(setting -> setting.getValue().stream().map(value -> "SET " + setting.getKey() + " " + value));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void asAStatement(String setting) {
        compare("", setting);
    }

    private static Map<String, String> engineSettings() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
            return ((SessionLocal) connection.unwrap(JdbcConnection.class).getSession())
                    .getDatabase()
                    .getSettings()
                    .getSettings();
        }
    }

    static Stream<String> options() throws SQLException {
        List<String> options = new ArrayList<>();
        OPTIONS.forEach((name, values) -> values.forEach(value -> options.add(";" + name + "=" + value)));
        STATEMENTS.forEach((name, values) -> {
            if (!name.startsWith("@") && !name.equals("TIME ZONE")) {
                values.forEach(value -> options.add(";" + name + "=" + value.replace(", ", ",")));
            }
        });
        engineSettings().forEach((name, value) -> {
            if (value == null) {
                return;
            }
            options.add(";" + name + "=" + value);
            if (value.equals("true") || value.equals("false")) {
                options.add(";" + name + "=" + !Boolean.parseBoolean(value));
            }
        });
        return new TreeSet<>(options).stream();
    }

    @ParameterizedTest
    @MethodSource("options")
    void inTheUrl(String option) {
        compare(option, "");
    }

    @Test
    void noSettingOfThisH2IsLeftOut() throws Exception {
        TreeSet<String> known = new TreeSet<>(STATEMENTS.keySet());
        known.addAll(OPTIONS.keySet());
        known.addAll(ELSEWHERE);
        known.addAll(engineSettings().keySet());
        TreeSet<String> all = new TreeSet<>();
        for (Field type : SetTypes.class.getFields()) {
            all.add(SetTypes.getTypeName(type.getInt(null)).replace("TIME_ZONE", "TIME ZONE"));
        }
        Field settings = ConnectionInfo.class.getDeclaredField("KNOWN_SETTINGS");
        settings.setAccessible(true);
        for (Object name : (Collection<?>) settings.get(null)) {
            all.add(name.toString().toUpperCase(Locale.ROOT));
        }
        all.removeAll(known);
        assertEquals(new TreeSet<String>(), all);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void statisticsOfQueriesShowTheApplicationsAlone(int replicas) throws SQLException {
        String url = "jdbc:multimed:h2:mem:" + UUID.randomUUID() + ";replicas=" + replicas;
        try (Connection connection = DriverManager.getConnection(url, "SA", "")) {
            Sql.execute(
                    connection,
                    "SET QUERY_STATISTICS TRUE",
                    "CREATE TABLE T(A INT)",
                    "CREATE VIEW V AS SELECT * FROM T");
            Sql.value(connection, "SELECT COUNT(*) FROM V");
            List<String> shown = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery("SELECT SQL_STATEMENT FROM INFORMATION_SCHEMA.QUERY_STATISTICS")) {
                while (rows.next()) {
                    shown.add(rows.getString(1));
                }
            }
            shown.removeIf(sql -> !sql.contains("INFORMATION_SCHEMA") || sql.contains("QUERY_STATISTICS"));
            assertEquals(List.of(), shown);
        }
    }
}
