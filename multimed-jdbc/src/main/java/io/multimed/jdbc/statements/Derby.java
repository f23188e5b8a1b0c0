package io.multimed.jdbc.statements;

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
 * Apache Derby. Its SERIALIZABLE is two-phase locking, so that the order of commits is an order in which the transactions
 * could have run one after the other. Satellites are databases in memory; a reader there holds locks, and the applier waits
 * for them a second at a time.
 */
final class Derby implements Adapter {
    private static final Pattern UNSTABLE =
            Pattern.compile("(?i)\\b(CURRENT\\w*|SESSION_USER|USER)\\b|\\bRAND(OM)?\"?\\s*\\(");
    /** {@code SQLException.getErrorCode()} is the severity: this and more rolls the transaction back. */
    private static final int TRANSACTION_SEVERITY = 30_000;

    private static final int DATABASE_SEVERITY = 45_000;
    private static final String NO_SCHEMA = "42Y07";

    @Override
    public void check(String url) throws SQLException {
        if (url.startsWith("jdbc:derby://")) {
            throw Adapter.refused("Replicas need an engine inside this process; " + url.split(";", 2)[0]
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
        return "jdbc:derby:" + Adapter.canonical(file.isAbsolute() ? file : new File(home, name));
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

    @Override
    public boolean readsHold() {
        return true;
    }

    @Override
    public void makeApplier(Connection connection) throws SQLException {
        Adapter.execute(connection, "CALL SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.locks.waitTimeout', '1')");
        connection.setAutoCommit(false);
    }

    /** A user is in a schema of his name also as long as there is none: his first table makes it. */
    @Override
    public void enter(Connection applier, @Nullable String schema) throws SQLException {
        try {
            applier.setSchema(schema);
        } catch (SQLException e) {
            if (!NO_SCHEMA.equals(e.getSQLState())) {
                throw e;
            }
            Adapter.execute(applier, "CREATE SCHEMA \"" + String.valueOf(schema).replace("\"", "\"\"") + "\"");
            applier.setSchema(schema);
        }
    }

    @Override
    public void inspect(Connection connection) throws SQLException {
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
        return Adapter.refused(
                "The database has " + what + ", which executing its statements again on replicas would not"
                        + " keep equal: remove them, or use replicas=1.");
    }

    @Override
    public void backup(Connection of, Path directory) throws SQLException {
        try (CallableStatement call = of.prepareCall("CALL SYSCS_UTIL.SYSCS_BACKUP_DATABASE(?)")) {
            call.setString(1, directory.toString());
            call.execute();
        }
    }

    @Override
    public String restore(Path backup, Path place, String like) throws SQLException {
        File[] copies = backup.toFile().listFiles();
        if (copies == null || copies.length != 1) {
            throw new SQLException("the copy is not in " + backup);
        }
        String url = "jdbc:derby:memory:multimed-" + place.getFileName();
        DriverManager.getConnection(url + ";createFrom=" + copies[0]).close();
        return url;
    }

    @Override
    public Properties satelliteProperties(Properties given) {
        return Adapter.keep(given, Set.of("user", "password"));
    }

    @Override
    public void drop(String url) {
        try {
            DriverManager.getConnection(url + ";drop=true").close();
        } catch (SQLException e) {
            // 08006: this is how Derby says that it has been done.
        }
    }

    @Override
    public long rows(Connection connection, long reported) {
        return reported;
    }

    @Override
    public long key(Connection connection) {
        return 0;
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
    public long lockTimeoutMillis() {
        return 60_000;
    }
}
