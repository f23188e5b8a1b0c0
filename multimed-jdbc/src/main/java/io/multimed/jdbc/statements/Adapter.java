package io.multimed.jdbc.statements;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one engine does in its own way. Without state; any thread. */
interface Adapter {
    /** @throws SQLException 0A000 if the URL names what cannot be replicated */
    void check(String url) throws SQLException;

    boolean persistent(String url);

    /** A name by which the database is known in whatever way its file is named, of a URL without settings behind semicolons. */
    String database(String url);

    /** Of the URL's settings those that change what statements mean. */
    String settings(String url);

    /** The same of properties. */
    Properties settings(Properties given);

    /** Whether the database goes on without connections. */
    boolean outlivesConnections();

    /**
     * Makes a connection ready for updates, which must be equivalent to running one after the other in the order of their
     * commits.
     */
    void makeMaster(Connection connection) throws SQLException;

    /** Whether a reader on a Satellite holds locks: then its connection never commits by itself. */
    boolean readsHold();

    /** Sees to it that a connection to a Satellite changes nothing and reads one snapshot per statement or transaction. */
    void makeReader(Connection connection) throws SQLException;

    /** Makes ready the one connection by which a Satellite is changed. */
    void makeApplier(Connection connection) throws SQLException;

    /** Has names looked up in a schema in which they were on the Master. */
    default void enter(Connection applier, @Nullable String schema) throws SQLException {
        applier.setSchema(schema);
    }

    /** @throws SQLException 0A000 if the database holds what may not mean the same everywhere */
    void inspect(Connection connection) throws SQLException;

    /** Copies what is committed, while nothing else is being changed, into an empty directory. */
    void backup(Connection of, Path directory) throws SQLException;

    /**
     * Makes a database of a copy.
     *
     * @param place an empty directory of its own
     * @param like the URL of what was copied
     * @return its URL
     */
    String restore(Path backup, Path place, String like) throws SQLException;

    /** What connections to Satellites need of the properties with which the Master was opened. */
    Properties satelliteProperties(Properties given);

    /** Ends a database made by {@link #restore}; its directory is the caller's. */
    void drop(String url);

    /**
     * How many rows the last change has changed, however it was executed.
     *
     * @param reported what its driver said
     */
    long rows(Connection connection, long reported) throws SQLException;

    /** The key that an insert has drawn last on this connection; the same if it was none, or the engine draws none. */
    long key(Connection connection) throws SQLException;

    /** Whether the error says that the engine, not the statement, has failed. */
    boolean engineFailed(SQLException error);

    /** Whether the error says that others hold what the statement needs. */
    boolean busy(SQLException error);

    /** Whether a Satellite refused a change, or could not read for what is being applied there. */
    boolean refusedChange(SQLException error);

    /** Rolls back what is open, whether or not the engine has done so by itself. */
    default void rollback(Connection connection) throws SQLException {
        connection.rollback();
    }

    /** Locks the database for a transaction that has done nothing yet. */
    default void lock(Connection connection, String mode) throws SQLException {
        throw refused("The engine has no BEGIN " + mode + ".");
    }

    /** What has become of the transaction in which a statement failed so. */
    Fate fate(SQLException error);

    /** Of a transaction. */
    enum Fate {
        /** The statement left no trace, the transaction goes on. */
        GOES_ON,
        /** Rolled back, and the application knows by the error. */
        ROLLED_BACK,
        /** It depends. */
        UNKNOWN
    }

    long lockTimeoutMillis();

    static String canonical(File file) {
        try {
            return file.getCanonicalPath();
        } catch (IOException e) {
            return file.getAbsolutePath();
        }
    }

    static Connection connect(String url, Properties properties) throws SQLException {
        return DriverManager.getConnection(url, properties);
    }

    static Properties keep(Properties given, Set<String> names) {
        Properties kept = new Properties();
        for (String name : given.stringPropertyNames()) {
            if (names.contains(name)) {
                kept.setProperty(name, given.getProperty(name));
            }
        }
        return kept;
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static SQLException refused(String sentence) {
        return new SQLFeatureNotSupportedException(sentence, "0A000");
    }
}
