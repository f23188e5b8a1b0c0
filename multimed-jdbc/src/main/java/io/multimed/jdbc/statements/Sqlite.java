package io.multimed.jdbc.statements;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * SQLite. One transaction writes at a time, so the order of commits is the order of writing, and keys are drawn inside
 * transactions. Satellites are files in a temporary directory in WAL mode: there a reader has a snapshot and is in nobody's
 * way.
 */
final class Sqlite implements Adapter {
    private static final String PREFIX = "jdbc:sqlite:";
    private static final Pattern UNSTABLE =
            Pattern.compile("(?i)\\b(CURRENT_(?:TIMESTAMP|DATE|TIME)\\b|RAISE\\s*\\(\\s*(?:ROLLBACK|FAIL)"
                    + "|(?:CONFLICT|OR)\\s+(?:ROLLBACK|FAIL)|(?:RANDOM|RANDOMBLOB|DATE|TIME|DATETIME|JULIANDAY|UNIXEPOCH|STRFTIME|CHANGES"
                    + "|TOTAL_CHANGES|LAST_INSERT_ROWID|LOAD_EXTENSION)\\s*\\()");

    /** Strings, comments, and names, which are its group. */
    private static final Pattern QUOTED =
            Pattern.compile("(?s)'(?:[^']|'')*'|--[^\\n]*|/\\*.*?(?:\\*/|$)|[\"`\\[]([^\"`\\]]*)[\"`\\]]");

    /** Options that change what statements mean, or as what values are bound. */
    private static final Set<String> FOLLOWED = Set.of(
            "foreign_keys",
            "recursive_triggers",
            "case_sensitive_like",
            "defer_foreign_keys",
            "full_column_names",
            "legacy_alter_table",
            "reverse_unordered_selects",
            "short_column_names",
            "date_class",
            "date_precision",
            "date_string_format",
            "password");

    /** Result codes after which the transaction is what it was: SQLITE_ERROR, READONLY, TOOBIG, CONSTRAINT, MISMATCH, RANGE. */
    private static final Set<Integer> HARMLESS = Set.of(1, 8, 18, 19, 20, 25);
    /** SQLITE_IOERR, CORRUPT, CANTOPEN, NOTADB. */
    private static final Set<Integer> FATAL = Set.of(10, 11, 14, 26);

    @Override
    public void check(String url) throws SQLException {
        String name = url.substring(PREFIX.length());
        if (name.isEmpty() || name.startsWith(":") || name.startsWith("?") || name.contains("mode=memory")) {
            throw Adapter.refused(
                    "A database of SQLite in memory belongs to one connection: name a file, or use replicas=1.");
        }
    }

    @Override
    public boolean persistent(String url) {
        return true;
    }

    @Override
    public String database(String url) {
        String file = url.substring(PREFIX.length()).replaceFirst("\\?.*", "").replaceFirst("^file:(//)?", "");
        return PREFIX + Adapter.canonical(new File(file));
    }

    /** Without the password: the engine itself objects to another one, and it belongs in no message. */
    @Override
    public String settings(String url) {
        return options(url, option -> FOLLOWED.contains(option) && !option.equals("password"));
    }

    @Override
    public Properties settings(Properties given) {
        Properties settings = satelliteProperties(given);
        settings.remove("password");
        return settings;
    }

    @Override
    public boolean outlivesConnections() {
        return false;
    }

    @Override
    public void makeMaster(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
    }

    @Override
    public void makeReader(Connection connection) throws SQLException {
        Adapter.execute(connection, "PRAGMA query_only = true");
    }

    @Override
    public boolean readsHold() {
        return false;
    }

    @Override
    public void makeApplier(Connection connection) throws SQLException {
        Adapter.execute(connection, "PRAGMA journal_mode = WAL");
        Adapter.execute(connection, "PRAGMA synchronous = OFF");
        connection.setAutoCommit(false);
    }

    @Override
    public void inspect(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")) {
            while (rows.next()) {
                Matcher found = UNSTABLE.matcher(plain(rows.getString(2)));
                if (found.find()) {
                    throw Adapter.refused("The definition of " + rows.getString(1) + " has " + found.group()
                            + ", which does not mean the same on every replica: change it, or use replicas=1.");
                }
            }
        }
    }

    /** Without comments, strings and the quotes of names. */
    private static String plain(String sql) {
        return QUOTED.matcher(sql)
                .replaceAll(found -> found.group(1) == null ? " " : Matcher.quoteReplacement(found.group(1)));
    }

    @Override
    public void backup(Connection of, Path directory) throws SQLException {
        Adapter.execute(of, "backup to '" + directory.resolve("copy").toString().replace("'", "''") + "'");
    }

    @Override
    public String restore(Path backup, Path place, String like) throws SQLException {
        try {
            Path file = place.resolve("satellite");
            Files.copy(backup.resolve("copy"), file);
            return PREFIX + file + options(like, FOLLOWED::contains);
        } catch (IOException e) {
            throw new SQLException("the copy could not be placed in " + place, e);
        }
    }

    private static String options(String url, Predicate<String> wanted) {
        int question = url.indexOf('?');
        if (question < 0) {
            return "";
        }
        String options = Arrays.stream(url.substring(question + 1).split("&"))
                .filter(option -> wanted.test(option.split("=", 2)[0].toLowerCase(Locale.ROOT)))
                .sorted()
                .collect(Collectors.joining("&"));
        return options.isEmpty() ? "" : "?" + options;
    }

    @Override
    public Properties satelliteProperties(Properties given) {
        return Adapter.keep(given, FOLLOWED);
    }

    @Override
    public void drop(String url) {
        // Its files go with its directory.
    }

    private static int code(SQLException error) {
        return error.getErrorCode() & 0xff;
    }

    /** Its driver counts what triggers change or not, depending on the method by which a statement is executed. */
    @Override
    public long rows(Connection connection, long reported) throws SQLException {
        return ask(connection, "SELECT changes()");
    }

    /** Behind the greatest possible key SQLite draws at random. */
    @Override
    public long key(Connection connection) throws SQLException {
        return ask(connection, "SELECT last_insert_rowid()");
    }

    private static long ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public boolean engineFailed(SQLException error) {
        return FATAL.contains(code(error));
    }

    @Override
    public boolean busy(SQLException error) {
        return code(error) == 5 || code(error) == 6;
    }

    @Override
    public boolean refusedChange(SQLException error) {
        return code(error) == 8 || busy(error);
    }

    /** Of what SQLite has rolled back by itself its driver does not know, and begins nothing anew. */
    @Override
    public void rollback(Connection connection) throws SQLException {
        try {
            connection.rollback();
        } catch (SQLException e) {
            if (!begins(connection)) {
                throw e;
            }
        }
    }

    /** Its driver has begun a transaction already, one that locks nothing yet. */
    @Override
    public void lock(Connection connection, String mode) throws SQLException {
        Adapter.execute(connection, "ROLLBACK");
        Adapter.execute(connection, "BEGIN " + mode);
    }

    /** SQLite refuses it while a transaction is open. */
    private static boolean begins(Connection connection) {
        try {
            Adapter.execute(connection, "BEGIN");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public Fate fate(SQLException error) {
        return HARMLESS.contains(code(error)) ? Fate.GOES_ON : Fate.UNKNOWN;
    }

    @Override
    public long lockTimeoutMillis() {
        return 3_000;
    }
}
