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
 * Description of an engine that runs inside this process and is reached through JDBC alone. It provides the facts that JDBC does
 * not, and those needed so that replicas that execute the Master's statements again stay equal ({@code propagation=statements}).
 *
 * <p><b>Found by</b> {@link java.util.ServiceLoader}, with the context class loader of the thread that connects and with
 * Multimed's own: a public class with a public constructor without parameters, named in
 * {@code META-INF/services/io.multimed.jdbc.engine.JdbcEngine} or provided by a module. Instances are made as needed and must be
 * exchangeable: all must give the same answers.
 *
 * <p><b>Defaults</b> are safe for any engine, at a price that each method states. A method without a safe default is abstract. A
 * wrong answer is not detected before replicas differ, so each method also states its consequence.
 *
 * <p><b>Threads</b>: several threads may call any method at a time, though never with the same connection; each method names the
 * calling thread.
 *
 * <p><b>Errors</b>: an SQLException reaches the thread that connects, or the application's present statement, unchanged. On a
 * Satellite it takes the Satellite out, which is then rebuilt. Any other exception is reported as 08001 while a database or
 * connection is opened. Later it passes to the application, and the present transaction is undone.
 */
public interface JdbcEngine {
    /**
     * Returns the word after {@code jdbc:} in the engine's URLs, in lower case. An application names its database by the same URL
     * with {@code multimed:} in between. {@code h2}, {@code hsqldb}, {@code derby} and {@code sqlite} are taken.
     */
    String name();

    /**
     * Loads the engine's driver before the first connection. Called by the thread that connects.
     *
     * @throws SQLException 08001 with advice if the driver is missing
     */
    default void load() throws SQLException {}

    /**
     * Opens a connection to a database, the Master's or one made by {@link #restore}. The default uses {@link DriverManager},
     * which knows only drivers that Multimed's own class loader sees.
     *
     * @param url without Multimed's own options
     * @param properties user, password and the application's other properties
     */
    default Connection connect(String url, Properties properties) throws SQLException {
        return DriverManager.getConnection(url, properties);
    }

    /**
     * Returns the rules that tell which statements mean the same on a copy. Constant.
     *
     * <p>The default allows plain SQL with the functions of the standard, and refuses everything else with its name. If the rules
     * allow too much, replicas differ.
     */
    default SqlRules sql() {
        return SqlRules.standard();
    }

    /**
     * Refuses a database that cannot have replicas: one on a server, or one that belongs to one connection. Called by the thread
     * that connects first.
     *
     * @throws SQLException 0A000 with advice
     */
    default void check(String url) throws SQLException {}

    /**
     * Returns a name that is the same for all URLs of a database; Multimed keeps one Master for each name. Two names for one
     * database would mean two Masters without knowledge of each other's commits. Called by the thread that connects.
     *
     * @param url up to the first semicolon
     * @see #canonical
     */
    String database(String url) throws SQLException;

    /**
     * Returns those of a URL's settings that must be the same for all connections, because they change the meaning of statements.
     * The default returns all settings after the first semicolon or question mark, except those whose names suggest secrets. A
     * connection with different settings is refused (08001), with both in the message.
     *
     * @return without secrets; empty if there are none
     */
    default String settings(String url) {
        return Stream.of(url.split("[;?&]"))
                .skip(1)
                .filter(setting -> !isSecret(setting.split("=", 2)[0]))
                .collect(Collectors.joining(";"));
    }

    /**
     * Returns those properties that must be the same for all connections. The default returns all but {@code user} and those whose
     * names suggest secrets.
     */
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
     * Whether committed data outlives the process. If so, a Master that failed is opened again, and the Satellites are rebuilt
     * from it. Otherwise a Satellite takes its place. A wrong yes loses data in memory, as would happen without Multimed. A wrong
     * no loses later commits when the process ends.
     */
    default boolean persistent(String url) {
        return true;
    }

    /**
     * Whether the database stays open when its last connection is closed; if so, the Satellites do as well. A wrong no means that
     * they must be rebuilt. After a wrong yes the database never ends by itself.
     */
    default boolean outlivesConnections() {
        return false;
    }

    /**
     * Inspects a database before its first copy is made, for code that runs with statements and does not appear in their text:
     * defaults of columns, generated columns, triggers, views, functions, sequences and keys that are drawn outside transactions.
     * Code that is overlooked makes replicas differ once it runs. Called by the thread that connects first.
     *
     * @param judge refuses text that does not mean the same on every copy
     * @throws SQLException 0A000 with the name of the obstacle
     */
    void inspect(Connection connection, Judge judge) throws SQLException;

    /** Judges texts by the {@link #sql} of the engine. */
    @FunctionalInterface
    interface Judge {
        /**
         * Judges a text.
         *
         * @param what the object of the text, for the message: {@code column T.A}
         * @param text an expression or query
         * @throws SQLException 0A000 if it might not mean the same on every copy
         */
        void judge(String what, String text) throws SQLException;
    }

    /**
     * Copies all committed data. Nothing is changed meanwhile. Called by the thread that connects first, or by the thread that
     * rebuilds a lost Satellite, on a new connection to the Master or to a Satellite.
     *
     * @param directory an empty directory; deleted once the copies are restored
     */
    void copy(Connection of, Path directory) throws SQLException;

    /**
     * Makes a database from a copy, with the same rows, definitions and, as far as the engine has them, users. Several databases
     * may be made from one copy. Called by the same thread as {@link #copy}.
     *
     * @param place an empty directory with a unique name, for this database alone; deleted after {@link #drop}
     * @param like the URL of the database that was copied
     * @return the new database's URL
     */
    String restore(Path copy, Path place, String like) throws SQLException;

    /**
     * Returns those of an application's connection properties with which its connections to Satellites are opened. The default
     * returns all.
     */
    default Properties satelliteProperties(Properties given) {
        return given;
    }

    /**
     * Ends a database made by {@link #restore}, if it does not end with its connections. Multimed deletes its directory. Any
     * thread.
     */
    default void drop(String url) {}

    /**
     * Whether the transactions could have run one after the other in the order of their commits, on connections prepared by
     * {@link #makeMaster}. That is so with strict two-phase locking, or if one transaction writes at a time and reads nothing
     * older. Snapshots do not guarantee it, even if they are called serializable.
     *
     * <p>If not, Multimed runs update transactions one at a time, from the first statement that may change something. A
     * transaction that has waited for its turn longer than {@link #patienceMillis} gets a transient error (HYT00). A transaction
     * that has read data on the Master which has changed since gets another one (40001). A wrong yes makes replicas differ.
     */
    default boolean commitsInSerialOrder() {
        return false;
    }

    /**
     * Prepares a connection for updates: it must not commit by itself, nor see uncommitted changes of others. Called by the thread
     * that connects.
     */
    default void makeMaster(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
    }

    /**
     * Whether a definition is part of its transaction, and is undone with it. If not, Multimed makes each definition a transaction
     * of its own, as many engines do by themselves. It rebuilds the Satellites after a definition that failed and may have left
     * something behind. After a wrong yes, changes that were made before a definition and rolled back after it stay on the Master
     * alone.
     */
    default boolean definitionsAreTransactional() {
        return false;
    }

    /**
     * Locks the database for a transaction that has done nothing yet, where {@link SqlRules#withTransactions} names lock modes.
     *
     * @param mode one of these modes
     */
    default void lock(Connection connection, String mode) throws SQLException {
        throw new SQLFeatureNotSupportedException("The engine has no BEGIN " + mode + ".", "0A000");
    }

    /** Result of {@link #rows} if the number is unknown. */
    long UNKNOWN_ROWS = -1;

    /**
     * The driver's own count for the statement that it has executed. The driver is asked only when this is called, because some
     * drivers then fail.
     */
    @FunctionalInterface
    interface Reported {
        long rows() throws SQLException;
    }

    /**
     * Returns the number of rows that the last change has changed. It must be the same on the Master and on an equal copy,
     * whatever the way of execution. A Satellite with another number has diverged, and is rebuilt; an unreliable number would
     * cause that again and again. Called by the session that changes, or by the applying thread.
     *
     * @param reported the driver's count, which is the default
     * @return {@link #UNKNOWN_ROWS} if the number is unknown: then only errors show that a Satellite has diverged
     */
    default long rows(Connection connection, Reported reported) throws SQLException {
        return reported.rows();
    }

    /**
     * Returns the key that an insert has drawn last on this connection, where keys are drawn inside transactions; a constant for
     * an engine that draws none. Called as {@link #rows} is. A Satellite that has drawn another key has diverged.
     */
    default long key(Connection connection) throws SQLException {
        return 0;
    }

    /**
     * Returns the state of a transaction after one of its statements failed with this error. With {@link Fate#UNKNOWN}
     * applications lose their transaction whatever has failed in it. Any other wrong answer makes replicas differ. Called by the
     * session.
     */
    default Fate fate(SQLException error) {
        return Fate.UNKNOWN;
    }

    /**
     * Rolls back the open transaction, even if the engine has already done so by itself. Settings of the connection must stay.
     * Called by the session, which also begins its transactions with it where they run one at a time.
     */
    default void rollback(Connection connection) throws SQLException {
        connection.rollback();
    }

    /** Returns the longest time in milliseconds that an update waits for others, where Multimed makes it wait. */
    default long patienceMillis() {
        return 10_000;
    }

    /** Returns the way in which rows are read. */
    default Reading reading() {
        return Reading.SCROLLED;
    }

    /**
     * Prepares a new connection to a Satellite. It must read one snapshot in each transaction, or hold locks until its end, and
     * should refuse changes if possible. Called by the session that reads.
     *
     * <p>The default makes the connection read-only and serializable as far as the driver allows. That gives one snapshot only if
     * the engine has one above READ COMMITTED; a wrong answer shows in transactions of several queries.
     */
    default void makeReader(Connection connection) throws SQLException {
        try {
            connection.setReadOnly(true);
        } catch (SQLException e) {
            // The rollback after each read prevents changes too.
        }
        if (connection.getMetaData().supportsTransactionIsolationLevel(Connection.TRANSACTION_SERIALIZABLE)) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        }
        connection.setAutoCommit(reading() == Reading.LASTING);
    }

    /**
     * Ends a reader's transaction. Also called before a read, for a transaction that the driver may have begun for another
     * purpose. A rollback undoes a change that was mistaken for a read. Override it where a rollback would close rows that were
     * read, or undo {@code SET SCHEMA}. Called by the session that reads.
     */
    default void endRead(Connection reader) throws SQLException {
        reader.rollback();
    }

    /** Prepares the one connection through which a Satellite is changed; it must not commit by itself. */
    default void makeApplier(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
    }

    /** Returns the schema in which names are looked up; null if the engine has none. */
    default @Nullable String schema(Connection connection) throws SQLException {
        try {
            return connection.getSchema();
        } catch (SQLFeatureNotSupportedException e) {
            return null;
        }
    }

    /** Sets the schema in which names are looked up to the one that was used on the Master. Called by the applying thread. */
    default void enter(Connection applier, @Nullable String schema) throws SQLException {
        applier.setSchema(schema);
    }

    /**
     * Whether the error says that the engine, not the statement, has failed. The default checks for standard SQL's class of
     * connection errors (08). After a wrong no, readers stay on an unusable Satellite until it has to apply something; a wrong yes
     * causes a rebuild.
     */
    default boolean engineFailed(SQLException error) {
        return isOfClass("08", error);
    }

    /**
     * Whether the error says that readers and the applier block each other; the applier then tries again. The default checks for
     * standard SQL's class of transaction rollbacks (40). A wrong no causes a rebuild of the Satellite.
     */
    default boolean busy(SQLException error) {
        return isOfClass("40", error);
    }

    /**
     * Whether a Satellite refused a change, or could not read because of changes being applied. The Master then executes the
     * statement. After a wrong no, the application gets the error.
     */
    default boolean refusedChange(SQLException error) {
        return isOfClass("25", error) || busy(error);
    }

    private static boolean isOfClass(String state, SQLException error) {
        return error.getSQLState() != null && error.getSQLState().startsWith(state);
    }

    /** Returns the unique name of a file, for {@link #database}. */
    static String canonical(File file) {
        try {
            return file.getCanonicalPath();
        } catch (IOException e) {
            return file.getAbsolutePath();
        }
    }
}
