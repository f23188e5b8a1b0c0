package io.multimed.jdbc.history;

import io.multimed.jdbc.replay.RepeatedDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Records writes, acknowledgements, and violations that readers have seen. Any thread. */
final class History {
    private static final int KEYS = 8;
    /** Number of updates after which a writer checks its own reads. */
    private static final int LOOK_EVERY = 16;

    private static final int SQLITE_BUSY = 5;

    /**
     * The keys that the update of each number wrote, as bits. There may be several entries for a number: after a Master has ended
     * its successor assigns the number again, until the writers that did not commit have got an error.
     */
    private final Map<Integer, List<Integer>> keysOf = new ConcurrentHashMap<>();
    /** The highest number whose commit was acknowledged to any writer. */
    private final AtomicLong acknowledged = new AtomicLong();

    private final AtomicLong updates = new AtomicLong();

    private final boolean strong;

    /** A table that each update changes and that is never read; empty if there is none. */
    private final String mark;

    private final AtomicLong onSecondaries = new AtomicLong();
    private final AtomicLong declaredOnSecondaries = new AtomicLong();
    private final AtomicLong kills = new AtomicLong();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    /**
     * Makes a history.
     *
     * @param strong whether a read must see commits acknowledged to others
     */
    History(boolean strong) {
        this(strong, "");
    }

    /**
     * Makes a history.
     *
     * @param mark a table that each update changes
     */
    History(boolean strong, String mark) {
        this.strong = strong;
        this.mark = mark;
    }

    void createTables(Connection owner) throws SQLException {
        try (Statement statement = owner.createStatement()) {
            if (!mark.isEmpty()) {
                statement.execute("CREATE TABLE " + mark + "(N INT)");
                statement.execute("INSERT INTO " + mark + " VALUES (0)");
            }
            statement.execute("CREATE TABLE COUNTER(ID INT PRIMARY KEY, N INT)");
            statement.execute("CREATE TABLE ENTRIES(ID INT PRIMARY KEY, N INT)");
            statement.execute("INSERT INTO COUNTER VALUES (0, 0)");
            for (int key = 0; key < KEYS; key++) {
                statement.execute("INSERT INTO ENTRIES VALUES (" + key + ", 0)");
            }
        }
    }

    void violation(String what) {
        violations.add(what);
    }

    List<String> violations() {
        return violations.subList(0, Math.min(10, violations.size()));
    }

    void stop() {
        stopped = true;
    }

    long readsOnSecondaries() {
        return onSecondaries.get();
    }

    /** Returns the number of declared read-only transactions that ran on secondaries. */
    long transactionsOnSecondaries() {
        return declaredOnSecondaries.get();
    }

    long kills() {
        return kills.get();
    }

    /** Returns the number of acknowledged updates. */
    long updates() {
        return updates.get();
    }

    /** Returns the number of updates that the Master has. */
    long committed(Connection owner) throws SQLException {
        owner.setAutoCommit(false);
        try (Statement statement = owner.createStatement();
                ResultSet result = statement.executeQuery("SELECT N FROM COUNTER")) {
            result.next();
            return result.getLong(1);
        } finally {
            owner.rollback();
            owner.setAutoCommit(true);
        }
    }

    /**
     * Makes updates. Each counts up first: the writer that holds that row is alone until it has committed.
     *
     * @param atLeast least number of updates of this writer
     * @param enough whether the expected faults have happened meanwhile
     */
    void write(String url, int seed, int atLeast, BooleanSupplier enough) throws SQLException {
        Random random = new Random(seed);
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement();
                    PreparedStatement write = connection.prepareStatement("UPDATE ENTRIES SET N = ? WHERE ID = ?")) {
                int done = 0;
                while (done < atLeast || !enough.getAsBoolean()) {
                    try {
                        long number = update(connection, statement, write, random);
                        acknowledged.accumulateAndGet(number, Math::max);
                        updates.incrementAndGet();
                        done++;
                        if (done % LOOK_EVERY == 0) {
                            look(connection, number);
                        }
                    } catch (SQLException e) {
                        // The other writer was first: HSQLDB reports that at once, H2 and SQLite after waiting.
                        if (!String.valueOf(e.getSQLState()).startsWith("40")
                                && e.getErrorCode() != SQLITE_BUSY
                                && !"HYT00".equals(e.getSQLState())
                                && !(e instanceof SQLTransientException)) {
                            throw e;
                        }
                        connection.rollback();
                    }
                }
            }
        }
    }

    /** Checks that a session sees its own changes, whatever its freshness. */
    private void look(Connection connection, long own) throws SQLException {
        connection.setAutoCommit(true);
        try {
            int[] values = new int[KEYS];
            long floor = strong ? acknowledged.get() : 0;
            int number = statement(connection, values);
            check(number, values, floor, own);
        } finally {
            connection.setAutoCommit(false);
        }
    }

    private long update(Connection connection, Statement statement, PreparedStatement write, Random random)
            throws SQLException {
        statement.executeUpdate("UPDATE COUNTER SET N = N + 1 WHERE ID = 0");
        int number;
        try (ResultSet result = statement.executeQuery("SELECT N FROM COUNTER")) {
            result.next();
            number = result.getInt(1);
        }
        int keys = 1 + random.nextInt((1 << KEYS) - 1);
        for (int key = 0; key < KEYS; key++) {
            if ((keys & 1 << key) != 0) {
                write.setInt(1, number);
                write.setInt(2, key);
                write.executeUpdate();
            }
        }
        if (!mark.isEmpty()) {
            statement.executeUpdate("UPDATE " + mark + " SET N = N + 1");
        }
        wrote(number, keys);
        boolean committed = false;
        try {
            connection.commit();
            committed = true;
        } finally {
            if (!committed) {
                keysOf.get(number).remove((Integer) keys);
            }
        }
        return number;
    }

    /** Records an update before it is committed, because others may see it before the writer gets the acknowledgement. */
    void wrote(int number, int keys) {
        keysOf.computeIfAbsent(number, any -> new CopyOnWriteArrayList<>()).add(keys);
    }

    /**
     * Reads until the history is stopped.
     *
     * @param declared reads in read-only transactions, else in single statements under auto-commit
     */
    void read(String url, boolean declared) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setReadOnly(declared);
            connection.setAutoCommit(!declared);
            if (declared) {
                // SERIALIZABLE gives one snapshot even if no secondary serves and the Master takes the transaction.
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            }
            long seen = 0;
            while (!stopped) {
                long floor = strong ? acknowledged.get() : 0;
                int[] values = new int[KEYS];
                int number;
                try {
                    number = declared ? transaction(connection, values) : statement(connection, values);
                } catch (SQLException e) {
                    if (e instanceof SQLTransientException || e.getErrorCode() == SQLITE_BUSY) {
                        if (declared) {
                            connection.rollback();
                        }
                        continue;
                    }
                    throw e;
                }
                check(number, values, floor, seen);
                seen = number;
            }
        }
    }

    private int transaction(Connection connection, int[] values) throws SQLException {
        int number;
        try (Statement statement = connection.createStatement()) {
            try (ResultSet result = statement.executeQuery("SELECT N FROM COUNTER")) {
                result.next();
                number = result.getInt(1);
            }
            try (ResultSet result = statement.executeQuery("SELECT ID, N FROM ENTRIES")) {
                while (result.next()) {
                    values[result.getInt(1)] = result.getInt(2);
                }
            }
        }
        connection.commit();
        if (ranOnSecondary(connection)) {
            declaredOnSecondaries.incrementAndGet();
        }
        connection.commit();
        return number;
    }

    private int statement(Connection connection, int[] values) throws SQLException {
        int number = 0;
        try (Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT ID, N, 0 FROM ENTRIES UNION ALL SELECT ID, N, 1 FROM COUNTER")) {
            while (result.next()) {
                if (result.getInt(3) == 1) {
                    number = result.getInt(2);
                } else {
                    values[result.getInt(1)] = result.getInt(2);
                }
            }
        }
        if (ranOnSecondary(connection)) {
            onSecondaries.incrementAndGet();
        }
        return number;
    }

    /** Whether the read ran on a secondary. Checked only in some cases, because the check is a statement of its own. */
    private static boolean ranOnSecondary(Connection connection) throws SQLException {
        if (ThreadLocalRandom.current().nextInt(4) != 0) {
            return false;
        }
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SHOW multimed.route")) {
            result.next();
            return result.getString(1).startsWith("satellite");
        }
    }

    /** Checks the result of a session that began to read when {@code floor} was acknowledged and had seen {@code seen} before. */
    void check(int number, int[] values, long floor, long seen) {
        if (number < floor) {
            violation("stale: saw " + number + " after " + floor + " was acknowledged");
        }
        if (number < seen) {
            violation("went back: saw " + number + " after " + seen);
        }
        if (!isPrefix(number, values, (1 << KEYS) - 1)) {
            violation("no prefix: at " + number + " saw " + Arrays.toString(values) + " after " + latest(number));
        }
    }

    /** Whether each of {@code keys} has the value left by the last update up to {@code number} that wrote it. */
    private boolean isPrefix(int number, int[] values, int keys) {
        if (keys == 0 || number == 0) {
            return hold(0, values, keys);
        }
        for (int wrote : keysOf.getOrDefault(number, List.of())) {
            if (hold(number, values, keys & wrote) && isPrefix(number - 1, values, keys & ~wrote)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hold(int number, int[] values, int keys) {
        for (int key = 0; key < KEYS; key++) {
            if ((keys & 1 << key) != 0 && values[key] != number) {
                return false;
            }
        }
        return true;
    }

    private String latest(int number) {
        StringBuilder latest = new StringBuilder();
        for (int n = number; n > 0 && n > number - KEYS; n--) {
            latest.append(n).append(' ').append(keysOf.get(n)).append(", ");
        }
        return latest.toString();
    }

    /** Ends the engine of a secondary again and again, as an internal failure would. */
    void killSecondaries(String url, String engine) throws SQLException, InterruptedException {
        try (Connection connection = DriverManager.getConnection(url)) {
            while (!stopped) {
                LockSupport.parkNanos(50_000_000);
                try (PreparedStatement read = connection.prepareStatement("SELECT N FROM COUNTER");
                        ResultSet result = read.executeQuery()) {
                    result.next();
                    Connection node = physical(read, engine);
                    if (!node.getMetaData().getURL().contains(name(url))) {
                        EngineKiller.kill(node);
                        kills.incrementAndGet();
                    }
                } catch (SQLTransientException e) {
                    // This connection was hit by the fault that it caused.
                }
            }
        }
    }

    /**
     * Deletes rows from replicas that are never read, again and again, so that their next update changes another number of rows.
     * Waits each time until every place has a replica again.
     */
    void damageReplicas(String url, RepeatedDatabase engine, int atOnce) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            while (!stopped) {
                LockSupport.parkNanos(50_000_000);
                try {
                    // The list comes first: a replica that is being made is no database yet.
                    List<String> replicas = engine.replicas();
                    if (allServe(connection)) {
                        Collections.shuffle(replicas);
                        replicas.stream().limit(atOnce).forEach(replica -> damage(replica, engine));
                    }
                } catch (SQLException e) {
                    // This connection was hit by the fault that it caused, or the database is busy.
                }
            }
        }
    }

    private void damage(String replica, RepeatedDatabase engine) {
        try (Connection connection = DriverManager.getConnection(replica, engine.ofReplicas());
                Statement statement = connection.createStatement()) {
            if (statement.executeUpdate("DELETE FROM " + mark) > 0) {
                kills.incrementAndGet();
            }
        } catch (SQLException e) {
            // The replica belongs to another test, or is busy.
            return;
        }
    }

    /** Ends the Master's engine again and again. Waits each time until every place has a secondary again. */
    void killMasters(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            while (!stopped) {
                LockSupport.parkNanos(50_000_000);
                try {
                    if (allServe(connection)) {
                        EngineKiller.kill(EngineKiller.physical(connection));
                        kills.incrementAndGet();
                    }
                } catch (SQLTransientException e) {
                    // This connection was hit by the fault that it caused.
                }
            }
        }
    }

    private static boolean allServe(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
            boolean all = true;
            while (nodes.next()) {
                all &= nodes.getString("STATE").equals("serving");
            }
            return all;
        }
    }

    private static String name(String url) {
        String rest = url.substring(url.indexOf(":mem:") + 5);
        return rest.substring(0, rest.indexOf(';'));
    }

    /** Returns the engine's own connection of a statement. */
    private static Connection physical(PreparedStatement read, String engine) throws SQLException {
        return engine.equals("h2")
                ? read.unwrap(org.h2.jdbc.JdbcPreparedStatement.class).getConnection()
                : read.unwrap(org.hsqldb.jdbc.JDBCPreparedStatement.class).getConnection();
    }
}
