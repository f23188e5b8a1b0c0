package io.multimed.jdbc.replay;

import io.multimed.jdbc.backend.EngineDriver;
import io.multimed.jdbc.engine.Fate;
import io.multimed.jdbc.engine.JdbcEngine;
import io.multimed.jdbc.engine.Reading;
import io.multimed.jdbc.engine.SqlRules;
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
 * transactions. Satellites are files in a temporary directory in WAL mode: a reader there has a snapshot and blocks nothing.
 */
final class Sqlite implements JdbcEngine {
    private static final String PREFIX = "jdbc:sqlite:";
    private static final Pattern UNSTABLE =
            Pattern.compile("(?i)\\b(CURRENT_(?:TIMESTAMP|DATE|TIME)\\b|RAISE\\s*\\(\\s*(?:ROLLBACK|FAIL)"
                    + "|(?:CONFLICT|OR)\\s+(?:ROLLBACK|FAIL)|(?:RANDOM|RANDOMBLOB|DATE|TIME|DATETIME|JULIANDAY|UNIXEPOCH|STRFTIME|CHANGES"
                    + "|TOTAL_CHANGES|LAST_INSERT_ROWID|LOAD_EXTENSION)\\s*\\()");

    /** Strings, comments, and quoted names; the pattern's group contains a name. */
    private static final Pattern QUOTED =
            Pattern.compile("(?s)'(?:[^']|'')*'|--[^\\n]*|/\\*.*?(?:\\*/|$)|[\"`\\[]([^\"`\\]]*)[\"`\\]]");

    /** Options that change the meaning of statements, or the form in which values are bound. */
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

    /** Result codes after which the transaction is unchanged: SQLITE_ERROR, READONLY, TOOBIG, CONSTRAINT, MISMATCH, RANGE. */
    private static final Set<Integer> HARMLESS = Set.of(1, 8, 18, 19, 20, 25);
    /** Result codes of a failed engine: SQLITE_IOERR, CORRUPT, CANTOPEN, NOTADB. */
    private static final Set<Integer> FATAL = Set.of(10, 11, 14, 26);

    private static final SqlRules SQL = SqlRules.empty()
            .withFunctions(
                    "ABS CHAR COALESCE COUNT GLOB HEX IFNULL IIF INSTR LENGTH LIKE LIKELIHOOD LIKELY LOWER LTRIM MAX MIN"
                            + " NULLIF PRINTF FORMAT QUOTE REPLACE ROUND RTRIM SIGN SUBSTR SUBSTRING TRIM TYPEOF UNICODE UNLIKELY UPPER"
                            + " ZEROBLOB")
            .withFunctions(
                    "ACOS ASIN ATAN ATAN2 CEIL CEILING COS DEGREES EXP FLOOR LN LOG LOG10 LOG2 MOD PI POW POWER RADIANS SIN"
                            + " SQRT TAN TRUNC")
            .withFunctions(
                    "JSON JSON_ARRAY JSON_ARRAY_LENGTH JSON_EXTRACT JSON_INSERT JSON_OBJECT JSON_PATCH JSON_QUOTE"
                            + " JSON_REMOVE JSON_REPLACE JSON_SET JSON_TYPE JSON_VALID")
            // These depend on the moment, if an argument says so, or on the order of rows.
            .withQueryFunctions(
                    "DATE TIME DATETIME JULIANDAY UNIXEPOCH STRFTIME GROUP_CONCAT ROW_NUMBER RANK DENSE_RANK NTILE LAG"
                            + " LEAD FIRST_VALUE SUM TOTAL AVG LAST_VALUE NTH_VALUE PERCENT_RANK CUME_DIST")
            .withRefusedWords("ROLLBACK FAIL RETURNING VIRTUAL TEMP.")
            .withDefinitions("CREATE TABLE", "CREATE INDEX", "CREATE VIEW", "CREATE TRIGGER")
            .withDefinitions("DROP TABLE", "DROP INDEX", "DROP VIEW", "DROP TRIGGER", "ALTER TABLE", "REINDEX")
            .withPassed("PRAGMA TABLE_INFO", "PRAGMA TABLE_XINFO", "PRAGMA TABLE_LIST", "PRAGMA INDEX_INFO")
            .withPassed("PRAGMA INDEX_XINFO", "PRAGMA INDEX_LIST", "PRAGMA FOREIGN_KEY_LIST", "PRAGMA DATABASE_LIST")
            .withPassed("PRAGMA COMPILE_OPTIONS", "PRAGMA INTEGRITY_CHECK", "PRAGMA QUICK_CHECK")
            .withPassed("PRAGMA FOREIGN_KEY_CHECK", "EXPLAIN")
            .withTransactions("IMMEDIATE", "EXCLUSIVE")
            .withEqualTextsTheSame()
            .withAnyWordAsType()
            .withHarmlessQueries();

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public void load() throws SQLException {
        EngineDriver.load(name(), "org.sqlite.JDBC", "org.xerial:sqlite-jdbc");
    }

    @Override
    public SqlRules sql() {
        return SQL;
    }

    @Override
    public void check(String url) throws SQLException {
        String name = url.substring(PREFIX.length());
        if (name.isEmpty() || name.startsWith(":") || name.startsWith("?") || name.contains("mode=memory")) {
            throw Jdbc.refused(
                    "A database of SQLite in memory belongs to one connection: name a file, or use replicas=1.");
        }
    }

    @Override
    public String database(String url) {
        String file = url.substring(PREFIX.length()).replaceFirst("\\?.*", "").replaceFirst("^file:(//)?", "");
        return PREFIX + JdbcEngine.canonical(new File(file));
    }

    /**
     * Returns the settings without the password: the engine itself refuses a different one, and a password must not be part of a
     * message.
     */
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
    public boolean commitsInSerialOrder() {
        return true;
    }

    @Override
    public boolean definitionsAreTransactional() {
        return true;
    }

    @Override
    public void makeReader(Connection connection) throws SQLException {
        Jdbc.execute(connection, "PRAGMA query_only = true");
    }

    @Override
    public Reading reading() {
        return Reading.LASTING;
    }

    @Override
    public void endRead(Connection reader) throws SQLException {
        reader.commit();
    }

    @Override
    public void makeApplier(Connection connection) throws SQLException {
        Jdbc.execute(connection, "PRAGMA journal_mode = WAL");
        Jdbc.execute(connection, "PRAGMA synchronous = OFF");
        connection.setAutoCommit(false);
    }

    @Override
    public void inspect(Connection connection, Judge judge) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")) {
            while (rows.next()) {
                Matcher found = UNSTABLE.matcher(plain(rows.getString(2)));
                if (found.find()) {
                    throw Jdbc.refused("The definition of " + rows.getString(1) + " has " + found.group()
                            + ", which does not mean the same on every replica: change it, or use replicas=1.");
                }
            }
        }
    }

    /** Returns the text without comments, strings and the quotes of names. */
    private static String plain(String sql) {
        return QUOTED.matcher(sql)
                .replaceAll(found -> found.group(1) == null ? " " : Matcher.quoteReplacement(found.group(1)));
    }

    @Override
    public void copy(Connection of, Path directory) throws SQLException {
        Jdbc.execute(of, "backup to '" + directory.resolve("copy").toString().replace("'", "''") + "'");
    }

    @Override
    public String restore(Path copy, Path place, String like) throws SQLException {
        try {
            Path file = place.resolve("satellite");
            Files.copy(copy.resolve("copy"), file);
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
        return Jdbc.keep(given, FOLLOWED);
    }

    private static int code(SQLException error) {
        return error.getErrorCode() & 0xff;
    }

    /**
     * Counts by SQL, because the driver's count includes changes by triggers or not, depending on the method that executes a
     * statement.
     */
    @Override
    public long rows(Connection connection, Reported reported) throws SQLException {
        return ask(connection, "SELECT changes()");
    }

    /** Returns the last key, because SQLite draws keys at random after the greatest possible one. */
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

    /** Rolls back. The driver does not notice that SQLite has rolled back by itself, and then does not begin a new transaction. */
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

    /** Locks the database, after ending a transaction that the driver has begun and that holds no lock yet. */
    @Override
    public void lock(Connection connection, String mode) throws SQLException {
        Jdbc.execute(connection, "ROLLBACK");
        Jdbc.execute(connection, "BEGIN " + mode);
    }

    /** Whether a transaction could be begun. SQLite refuses that while one is open. */
    private static boolean begins(Connection connection) {
        try {
            Jdbc.execute(connection, "BEGIN");
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
    public long patienceMillis() {
        return 3_000;
    }
}
