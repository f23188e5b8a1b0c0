package io.multimed.jdbc.engine;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An engine that runs inside this process and is reached through JDBC alone, described: what JDBC does not tell, and what
 * has to be known so that replicas stay equal that execute the Master's statements again
 * ({@code propagation=statements}).
 *
 * <p><b>Found by</b> {@link java.util.ServiceLoader}, with the context class loader of the thread that connects and with
 * Multimed's own: a public class with a public constructor without parameters, named in
 * {@code META-INF/services/io.multimed.jdbc.engine.JdbcEngine} or provided by a module. Instances are made as they are
 * needed and must be exchangeable: what one answers, all do.
 *
 * <p><b>What is not overridden</b> is safe for any engine, at a price that each method states. What has no safe answer is
 * abstract. A wrong answer is not found out before replicas differ, so each method also says what it would do.
 *
 * <p><b>Threads</b>: all methods may be called by several threads at a time, though never with the same connection; each says
 * by whose.
 *
 * <p><b>Errors</b>: an SQLException reaches whoever connects, or the application's statement at hand, as it is; on a Satellite
 * it takes the Satellite out, which is then made anew. Any other exception while a database or connection is opened is told as
 * 08001; later it passes, and undoes the transaction at hand.
 */
public interface JdbcEngine {
    /**
     * The word behind {@code jdbc:} in the engine's URLs, in lower case: an application names its database by the same URL with
     * {@code multimed:} in between. {@code h2}, {@code hsqldb}, {@code derby} and {@code sqlite} are taken.
     */
    String name();

    /**
     * Makes the engine's driver known before the first connection. Called by whoever connects.
     *
     * @throws SQLException 08001 with what to do if it is not there
     */
    default void load() throws SQLException {}

    /**
     * Opens a connection to a database, the Master's or one made by {@link #restore}. Unless it is overridden
     * {@link DriverManager} does so, which knows only drivers that Multimed's own class loader sees.
     *
     * @param url without Multimed's own options
     * @param properties user, password and whatever else the application has given
     */
    default Connection connect(String url, Properties properties) throws SQLException {
        return DriverManager.getConnection(url, properties);
    }

    /**
     * Which statements mean the same on a copy. Constant.
     *
     * <p>Unless it is overridden: plain SQL with the functions of the standard, and all else is refused by name. Too wide a list
     * makes replicas differ.
     */
    default SqlRules sql() {
        return SqlRules.standard();
    }

    /**
     * Refuses a database that cannot have replicas: on a server, or of one connection alone. Called by the first who connects.
     *
     * @throws SQLException 0A000 with what to do
     */
    default void check(String url) throws SQLException {}

    /**
     * A name by which the database is known, however its URL is written: Multimed keeps one Master for each. Two names for one
     * database would be two Masters, which know nothing of each other's commits. Called by whoever connects.
     *
     * @param url up to the first semicolon
     * @see #canonical
     */
    String database(String url) throws SQLException;

    /**
     * Of a URL's settings those that must be the same for all connections, since statements mean something else with others:
     * unless it is overridden, all behind the first semicolon or question mark whose names do not look as if their values were
     * secrets. Whoever connects with different ones is refused (08001) and told both.
     *
     * @return without secrets; empty if there are none
     */
    default String settings(String url) {
        return Stream.of(url.split("[;?&]"))
                .skip(1)
                .filter(setting -> !isSecret(setting.split("=", 2)[0]))
                .collect(Collectors.joining(";"));
    }

    /** The same of properties: all but {@code user} and what looks like a secret, unless it is overridden. */
    default Properties settings(Properties given) {
        Properties settings = new Properties();
        for (String name : given.stringPropertyNames()) {
            if (!name.equals("user") && !isSecret(name)) {
                settings.setProperty(name, given.getProperty(name));
            }
        }
        return settings;
    }

    private static boolean isSecret(String name) {
        return name.toLowerCase(Locale.ROOT).matches(".*(password|pwd|key|secret|token|credential).*");
    }

    /**
     * Whether what is committed outlives the process: then a Master that failed is opened again, and the Satellites are made
     * anew from it. Else a Satellite takes its place. A wrong yes loses what was in memory, as it would be lost without
     * Multimed; a wrong no loses what is written from then on, when the process ends.
     */
    default boolean persistent(String url) {
        return true;
    }

    /**
     * Whether the database goes on when its last connection is closed: then the Satellites do as well. A wrong no costs making them
     * anew; after a wrong yes the database never ends by itself.
     */
    default boolean outlivesConnections() {
        return false;
    }

    /**
     * Looks at a database before its first copy is made, for what runs when statements do and does not show in their
     * text: defaults of columns, generated columns, triggers, views, functions, sequences and keys that are drawn outside
     * transactions. Whatever is overlooked makes replicas differ once it runs. Called by the first who connects.
     *
     * @param judge refuses text that does not mean the same on every copy
     * @throws SQLException 0A000 by what is in the way
     */
    void inspect(Connection connection, Judge judge) throws SQLException;

    /** Judges by the {@link #sql} of the engine. */
    @FunctionalInterface
    interface Judge {
        /**
         * @param what it is about, to be told: {@code column T.A}
         * @param text an expression or query
         * @throws SQLException 0A000 if it might not mean the same on every copy
         */
        void judge(String what, String text) throws SQLException;
    }

    /**
     * Copies everything that is committed. Nothing is being changed meanwhile. Called by the first who connects, or by the thread
     * that makes a lost Satellite anew, on a new connection to the Master or to a Satellite.
     *
     * @param directory empty; deleted once the copies are restored
     */
    void copy(Connection of, Path directory) throws SQLException;

    /**
     * Makes a database of a copy: the same rows, definitions and, as far as the engine has them, users. Several may be made
     * of one copy. By the same thread as {@link #copy}.
     *
     * @param place an empty directory of its own, whose name no other has; deleted after {@link #drop}
     * @param like the URL of what was copied
     * @return its URL
     */
    String restore(Path copy, Path place, String like) throws SQLException;

    /** Of the properties with which an application connects, what its connections to Satellites are opened with: all. */
    default Properties satelliteProperties(Properties given) {
        return given;
    }

    /** Ends a database made by {@link #restore}, if it does not end with its connections; its directory is Multimed's. Any thread. */
    default void drop(String url) {}

    /**
     * Whether the order of commits is an order in which the transactions could have run one after the other, on connections made
     * ready by {@link #makeMaster}: by strict two-phase locking, or since one transaction writes at a time and reads nothing older.
     * Snapshots do not do that, be they called serializable.
     *
     * <p>If not, Multimed lets update transactions run one at a time, from the first statement that may change
     * something; who has waited for that for as long as {@link #patienceMillis} says gets a transient error (HYT00), and who has read
     * before on the Master what somebody has changed since, another one (40001). A wrong yes makes replicas differ.
     */
    default boolean commitsInSerialOrder() {
        return false;
    }

    /**
     * Makes a connection ready for updates: it must not commit by itself, nor see what others have not committed. Called by whoever
     * connects.
     */
    default void makeMaster(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
    }

    /**
     * Whether a definition is part of its transaction, and is undone with it. If not, Multimed makes each a transaction of its
     * own, as many engines do by themselves, and makes the Satellites anew after one that failed and may have left something behind.
     * A wrong yes leaves on the Master alone what was changed before a definition and rolled back after it.
     */
    default boolean definitionsAreTransactional() {
        return false;
    }

    /**
     * Locks the database for a transaction that has done nothing yet, where {@link SqlRules#withTransactions} names ways to do so.
     *
     * @param mode one of them
     */
    default void lock(Connection connection, String mode) throws SQLException {
        throw new SQLFeatureNotSupportedException("The engine has no BEGIN " + mode + ".", "0A000");
    }

    /** What {@link #rows} returns if nobody knows. */
    long UNKNOWN_ROWS = -1;

    /** What the driver says of the statement that it has executed; asked only when this is called, as some drivers fail then. */
    @FunctionalInterface
    interface Reported {
        long rows() throws SQLException;
    }

    /**
     * How many rows the last change has changed: the same on the Master and on a copy that is equal, however each was executed.
     * A Satellite with another number has diverged, and is made anew; where the number is not to be trusted that would be again and
     * again. Called by the session that changes, or by who applies.
     *
     * @param reported is the answer unless this is overridden
     * @return {@link #UNKNOWN_ROWS} if nobody knows: then only errors tell that a Satellite has diverged
     */
    default long rows(Connection connection, Reported reported) throws SQLException {
        return reported.rows();
    }

    /**
     * The key that an insert has drawn last on this connection, where keys are drawn inside transactions; always the same
     * where engines draw none. Called as {@link #rows} is. A Satellite that has drawn another one has diverged.
     */
    default long key(Connection connection) throws SQLException {
        return 0;
    }

    /**
     * What has become of the transaction in which a statement failed so. {@link Fate#UNKNOWN} costs applications the rest of
     * their transaction whatever has failed in it; any other answer that is wrong makes replicas differ. Called by the session.
     */
    default Fate fate(SQLException error) {
        return Fate.UNKNOWN;
    }

    /**
     * Rolls back what is open, whether or not the engine has done so by itself; what was set on the connection must stay. Called by
     * the session, which also begins its transactions so where they run one at a time.
     */
    default void rollback(Connection connection) throws SQLException {
        connection.rollback();
    }

    /** For how many milliseconds an update waits for others at most, where Multimed makes it wait. */
    default long patienceMillis() {
        return 10_000;
    }

    /** How rows are read. */
    default Reading reading() {
        return Reading.SCROLLED;
    }

    /**
     * Sees to it that a new connection to a Satellite reads one snapshot in each transaction, or holds locks until its end, and as
     * far as possible refuses changes. Called by the session that reads.
     *
     * <p>Unless it is overridden: the connection is read-only and serializable as far as the driver allows. That is one snapshot only
     * if the engine has one above READ COMMITTED; a wrong answer shows in transactions of several queries.
     */
    default void makeReader(Connection connection) throws SQLException {
        try {
            connection.setReadOnly(true);
        } catch (SQLException e) {
            // What is rolled back after each read has not changed anything either.
        }
        if (connection.getMetaData().supportsTransactionIsolationLevel(Connection.TRANSACTION_SERIALIZABLE)) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        }
        connection.setAutoCommit(reading() == Reading.LASTING);
    }

    /**
     * Ends a transaction of a reader; before a read, too, one that the driver may have begun for something else. A rollback undoes
     * what was mistaken for a read; override it where a rollback would close rows that were read, or undo {@code SET SCHEMA}. Called
     * by the session that reads.
     */
    default void endRead(Connection reader) throws SQLException {
        reader.rollback();
    }

    /** Makes ready the one connection by which a Satellite is changed; it must not commit by itself. */
    default void makeApplier(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
    }

    /** The schema in which names are looked up; null if the engine has none. */
    default @Nullable String schema(Connection connection) throws SQLException {
        try {
            return connection.getSchema();
        } catch (SQLFeatureNotSupportedException e) {
            return null;
        }
    }

    /** Has names looked up in a schema in which they were on the Master. Called by who applies. */
    default void enter(Connection applier, @Nullable String schema) throws SQLException {
        applier.setSchema(schema);
    }

    /**
     * Whether the error says that the engine, not the statement, has failed. Unless it is overridden: what standard SQL says of
     * connections (class 08). A wrong no leaves readers on a Satellite that is of no use until it is to apply something;
     * a wrong yes costs making it anew.
     */
    default boolean engineFailed(SQLException error) {
        return isOfClass("08", error);
    }

    /**
     * Whether the error says that readers hold what an applier needs, or the other way round: then it tries again.
     * Unless it is overridden: what standard SQL says of transactions that were rolled back (class 40). A wrong no costs making
     * the Satellite anew.
     */
    default boolean busy(SQLException error) {
        return isOfClass("40", error);
    }

    /**
     * Whether a Satellite refused a change, or could not read for what is being applied there: then the Master is asked. A wrong no
     * reaches the application as an error.
     */
    default boolean refusedChange(SQLException error) {
        return isOfClass("25", error) || busy(error);
    }

    private static boolean isOfClass(String state, SQLException error) {
        return error.getSQLState() != null && error.getSQLState().startsWith(state);
    }

    /** The one name of a file, for {@link #database}. */
    static String canonical(File file) {
        try {
            return file.getCanonicalPath();
        } catch (IOException e) {
            return file.getAbsolutePath();
        }
    }
}
