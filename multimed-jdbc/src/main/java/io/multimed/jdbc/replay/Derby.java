package io.multimed.jdbc.replay;

import io.multimed.jdbc.backend.EngineDriver;
import io.multimed.jdbc.engine.Fate;
import io.multimed.jdbc.engine.JdbcEngine;
import io.multimed.jdbc.engine.SqlRules;
import java.io.File;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Apache Derby. Its SERIALIZABLE is two-phase locking, so the transactions could have run one after the other in the order of
 * their commits. Satellites are databases in memory. A reader there holds locks, for which the applier waits a second at a time.
 */
final class Derby implements JdbcEngine {
    private static final Pattern UNSTABLE =
            Pattern.compile("(?i)\\b(CURRENT\\w*|SESSION_USER|USER)\\b|\\bRAND(OM)?\"?\\s*\\(");
    /** Lowest severity that rolls the transaction back; {@code SQLException.getErrorCode()} is the severity. */
    private static final int TRANSACTION_SEVERITY = 30_000;

    private static final int DATABASE_SEVERITY = 45_000;
    private static final String NO_SCHEMA = "42Y07";

    private static final SqlRules SQL = SqlRules.empty()
            .withFunctions(
                    "ABS ABSVAL ACOS ASIN ATAN ATAN2 BIGINT CEIL CEILING CHAR COALESCE COS COSH COT COUNT DATE DAY DEGREES"
                            + " DOUBLE EXP FLOOR HOUR INT INTEGER LCASE LENGTH LN LOCATE LOG LOG10 LOWER LTRIM MAX MIN MINUTE MOD MONTH"
                            + " NULLIF PI RADIANS RTRIM SECOND SIGN SIN SINH SMALLINT SQRT SUBSTR SUBSTRING TAN TANH TIME TIMESTAMP"
                            + " TRIM UCASE UPPER VALUE VARCHAR YEAR")
            .withQueryFunctions("SUM AVG ROW_NUMBER STDDEV_POP STDDEV_SAMP VAR_POP VAR_SAMP")
            .withRefusedWords("CURRENT IDENTITY NEXT TRIGGER USER")
            .withDefinitions("CREATE TABLE", "CREATE INDEX", "CREATE VIEW", "CREATE SCHEMA", "CREATE ROLE")
            .withDefinitions("DROP TABLE", "DROP INDEX", "DROP VIEW", "DROP SCHEMA", "DROP ROLE")
            .withDefinitions("ALTER TABLE", "RENAME TABLE", "RENAME COLUMN", "RENAME INDEX", "TRUNCATE TABLE")
            .withDefinitions("GRANT", "REVOKE")
            // LOCK, and statements that Derby itself refuses.
            .withPassed("LOCK", "BEGIN", "EXPLAIN", "SHOW")
            .withHarmlessQueries();

    @Override
    public String name() {
        return "derby";
    }

    @Override
    public void load() throws SQLException {
        EngineDriver.load(name(), "org.apache.derby.iapi.jdbc.AutoloadedDriver", "org.apache.derby:derby");
    }

    @Override
    public SqlRules sql() {
        return SQL;
    }

    @Override
    public void check(String url) throws SQLException {
        if (url.startsWith("jdbc:derby://")) {
            throw Jdbc.refused("Replicas need an engine inside this process; " + url.split(";", 2)[0]
                    + " names a server. Use jdbc:derby:memory: or a directory, or replicas=1.");
        }
    }

    @Override
    public boolean persistent(String url) {
        return !url.startsWith("jdbc:derby:memory:");
    }

    @Override
    public String database(String url) {
        String name = url.substring("jdbc:derby:".length()).replaceFirst("^directory:", "");
        if (name.matches("(memory|jar|classpath):.*")) {
            return url;
        }
        File file = new File(name);
        String home = System.getProperty("derby.system.home", ".");
        return "jdbc:derby:" + JdbcEngine.canonical(file.isAbsolute() ? file : new File(home, name));
    }

    @Override
    public String settings(String url) {
        return "";
    }

    @Override
    public Properties settings(Properties given) {
        return new Properties();
    }

    @Override
    public boolean outlivesConnections() {
        return true;
    }

    @Override
    public boolean commitsInSerialOrder() {
        return true;
    }

    @Override
    public boolean definitionsAreTransactional() {
        return true;
    }

    @Override
    public void makeMaster(Connection connection) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setAutoCommit(false);
    }

    @Override
    public void makeReader(Connection connection) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
    }

    /** Commits, because a rollback would close the rows. */
    @Override
    public void endRead(Connection reader) throws SQLException {
        reader.commit();
    }

    @Override
    public void makeApplier(Connection connection) throws SQLException {
        Jdbc.execute(connection, "CALL SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.locks.waitTimeout', '1')");
        connection.setAutoCommit(false);
    }

    /** Sets the schema. A user's default schema may not exist yet: the user's first table creates it. */
    @Override
    public void enter(Connection applier, @Nullable String schema) throws SQLException {
        try {
            applier.setSchema(schema);
        } catch (SQLException e) {
            if (!NO_SCHEMA.equals(e.getSQLState())) {
                throw e;
            }
            Jdbc.execute(applier, "CREATE SCHEMA \"" + String.valueOf(schema).replace("\"", "\"\"") + "\"");
            applier.setSchema(schema);
        }
    }

    @Override
    public void inspect(Connection connection, Judge judge) throws SQLException {
        Map<String, String> counted = Map.of(
                "triggers",
                "SELECT COUNT(*) FROM SYS.SYSTRIGGERS",
                "functions, procedures, types or synonyms of its own",
                "SELECT COUNT(*) FROM SYS.SYSALIASES A JOIN SYS.SYSSCHEMAS S ON A.SCHEMAID = S.SCHEMAID"
                        + " WHERE SCHEMANAME NOT LIKE 'SYS%' AND SCHEMANAME <> 'SQLJ'",
                "sequences",
                "SELECT COUNT(*) FROM SYS.SYSSEQUENCES Q JOIN SYS.SYSSCHEMAS S ON Q.SCHEMAID = S.SCHEMAID"
                        + " WHERE SCHEMANAME NOT LIKE 'SYS%'",
                "identity columns",
                "SELECT COUNT(*) FROM SYS.SYSCOLUMNS WHERE AUTOINCREMENTINC IS NOT NULL");
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> query : counted.entrySet()) {
                try (ResultSet rows = statement.executeQuery(query.getValue())) {
                    if (rows.next() && rows.getInt(1) > 0) {
                        throw holds(query.getKey());
                    }
                }
            }
            inspect(
                    statement,
                    "column",
                    "SELECT COLUMNNAME, COLUMNDEFAULT FROM SYS.SYSCOLUMNS WHERE COLUMNDEFAULT IS NOT NULL");
            inspect(
                    statement,
                    "view",
                    "SELECT TABLENAME, VIEWDEFINITION FROM SYS.SYSVIEWS V JOIN SYS.SYSTABLES T ON V.TABLEID = T.TABLEID");
        }
    }

    private static void inspect(Statement statement, String kind, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                String text = String.valueOf(rows.getObject(2));
                if (UNSTABLE.matcher(text).find()) {
                    throw holds("a " + kind + " " + rows.getString(1) + " with the default or definition " + text);
                }
            }
        }
    }

    private static SQLException holds(String what) {
        return Jdbc.refused("The database has " + what + ", which executing its statements again on replicas would not"
                + " keep equal: remove them, or use replicas=1.");
    }

    @Override
    public void copy(Connection of, Path directory) throws SQLException {
        try (CallableStatement call = of.prepareCall("CALL SYSCS_UTIL.SYSCS_BACKUP_DATABASE(?)")) {
            call.setString(1, directory.toString());
            call.execute();
        }
    }

    @Override
    public String restore(Path copy, Path place, String like) throws SQLException {
        File[] copies = copy.toFile().listFiles();
        if (copies == null || copies.length != 1) {
            throw new SQLException("the copy is not in " + copy);
        }
        String url = "jdbc:derby:memory:multimed-" + place.getFileName();
        DriverManager.getConnection(url + ";createFrom=" + copies[0]).close();
        return url;
    }

    @Override
    public Properties satelliteProperties(Properties given) {
        return Jdbc.keep(given, Set.of("user", "password"));
    }

    @Override
    public void drop(String url) {
        try {
            DriverManager.getConnection(url + ";drop=true").close();
        } catch (SQLException e) {
            // With 08006 Derby reports that the database was shut down.
        }
    }

    @Override
    public boolean engineFailed(SQLException error) {
        return error.getErrorCode() >= DATABASE_SEVERITY || "08003".equals(error.getSQLState());
    }

    @Override
    public boolean busy(SQLException error) {
        String state = String.valueOf(error.getSQLState());
        return state.equals("40XL1") || state.equals("40XL2") || state.equals("40001");
    }

    @Override
    public boolean refusedChange(SQLException error) {
        return busy(error)
                || String.valueOf(error.getSQLState()).toUpperCase(Locale.ROOT).startsWith("25");
    }

    @Override
    public Fate fate(SQLException error) {
        return error.getErrorCode() >= TRANSACTION_SEVERITY ? Fate.ROLLED_BACK : Fate.GOES_ON;
    }

    @Override
    public long patienceMillis() {
        return 60_000;
    }
}
