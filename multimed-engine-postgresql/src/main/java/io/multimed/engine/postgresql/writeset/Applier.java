package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.catalog.LastingConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the transactions of one subscription to one Satellite's engine, with a thread and a connection of its own.
 *
 * <p>What has queued is applied as one group, in one transaction: the first commit after idleness at once, under load as many as came
 * meanwhile. It becomes larger if {@link SubscriberPositions#forwarded} says that a part of it must not be shown alone.
 *
 * <p>A group is written by its net effect. If the engine refuses that, as it refuses two rows that exchange their keys, the group is
 * rolled back and written change by change. If that fails too, or finds fewer rows than the Master did, the Satellite has diverged: the
 * applier says so and ends. It never skips.
 */
public final class Applier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);
    /** Bound of a group, which readers see only whole. */
    private static final long GROUP_BYTES = 8L << 20;
    /** The time that a group waits for a reader's lock before it lets others pass and tries again. */
    private static final String LOCK_TIMEOUT = "1s";

    private static final String SESSION = "SET session_replication_role = replica; SET lock_timeout = '" + LOCK_TIMEOUT
            + "'; SET search_path = ''; SET datestyle = ISO; SET intervalstyle = postgres; SET extra_float_digits = 3;"
            + " SET bytea_output = hex; SET lc_monetary = 'C'; SET timezone = 'UTC'; SET xmloption = content;"
            + " SET row_security = off; SET plan_cache_mode = force_custom_plan; SET jit = off";

    /** Ends readers, which hold this lock mode alone. The build of an index holds another one, and is waited for. Sequences are those that TRUNCATE restarts. */
    private static final String END_READERS = """
            WITH emptied AS (SELECT pg_catalog.unnest(?::pg_catalog.text[])::pg_catalog.regclass::pg_catalog.oid AS oid)
            SELECT pg_catalog.count(pg_catalog.pg_terminate_backend(reader.pid)) FROM (
                SELECT DISTINCT l.pid FROM pg_catalog.pg_locks l
                WHERE l.locktype = 'relation' AND l.granted AND l.mode = 'AccessShareLock' AND l.pid <> pg_catalog.pg_backend_pid()
                AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
                AND l.relation IN (SELECT oid FROM emptied UNION ALL SELECT d.objid FROM pg_catalog.pg_depend d
                    WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.deptype IN ('a', 'i')
                    AND d.refclassid = d.classid AND d.refobjid IN (SELECT oid FROM emptied))) AS reader""";

    private final String name;
    private final Subscription source;
    private final LastingConnection.Opening opening;
    private final SubscriberPositions positions;
    private final Map<QualifiedName, Set<String>> columns;
    private final Duration patience;
    private final UnaryOperator<List<Transaction>> written;
    private volatile boolean closing;
    private volatile @Nullable Connection engine;
    private @Nullable Thread thread;
    private final GroupCounts counts = new GroupCounts();

    /**
     * @param name of the Satellite, for the thread
     * @param opening connects as a superuser, which may set the replication role
     * @param columns those that the Satellite has of tables that it carries without some
     * @param patience the time that a TRUNCATE, and all that follows it, waits for transactions that have read the table; then these are
     *     ended, as a hot standby ends those in the way of its recovery
     * @param written gives the transactions of a group as they are written
     */
    public Applier(
            String name,
            Subscription source,
            LastingConnection.Opening opening,
            SubscriberPositions positions,
            Map<QualifiedName, Set<String>> columns,
            Duration patience,
            UnaryOperator<List<Transaction>> written) {
        this.name = name;
        this.source = source;
        this.opening = opening;
        this.positions = positions;
        this.columns = columns;
        this.patience = patience;
        this.written = written;
    }

    /** Starts to apply, once. */
    public void start() {
        Thread started = new Thread(this::run, "multimed-applier-" + name);
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private void run() {
        Throwable cause = null;
        try (Connection connection = opening.open()) {
            engine = connection;
            prepare(connection);
            GroupWriter writer = new GroupWriter(connection, columns);
            for (Subscription.Group group = next(); group != null; group = next()) {
                if (!group.transactions().isEmpty()) {
                    apply(connection, writer, group);
                }
                positions.applied(group.position());
                source.done(group);
            }
            cause = source.ended();
        } catch (SQLException | DivergedException | InterruptedException | RuntimeException | OutOfMemoryError e) {
            cause = e;
        }
        engine = null;
        if (!closing) {
            Throwable reason = cause == null ? new IllegalStateException("the applier ended") : cause;
            source.end(reason);
            positions.lost(reason);
        }
    }

    /** Returns the next transactions that may be shown together; null if the subscription has ended. */
    private Subscription.@Nullable Group next() throws InterruptedException {
        Subscription.Group group = source.take(GROUP_BYTES);
        while (group != null) {
            long whole = positions.forwarded(group.position());
            if (whole <= group.position()) {
                return group;
            }
            group = source.takeUpTo(whole, group);
        }
        return null;
    }

    private static void prepare(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(SESSION);
        }
        connection.setAutoCommit(false);
    }

    private void apply(Connection connection, GroupWriter writer, Subscription.Group group)
            throws SQLException, DivergedException, InterruptedException {
        List<Transaction> transactions = written.apply(group.transactions());
        boolean byNetEffect = true;
        long began = System.nanoTime();
        while (true) {
            try {
                if (byNetEffect) {
                    writer.compacted(transactions);
                } else {
                    writer.oneByOne(transactions);
                }
                connection.commit();
                counts.committed(byNetEffect, writer.copied());
                return;
            } catch (SQLException | DivergedException | NetEffect.KeyTwiceException e) {
                if (closing || (e instanceof SQLException failed && isLost(failed))) {
                    throw e;
                }
                connection.rollback();
                if (e instanceof SQLException refused && passes(refused)) {
                    counts.delayed.incrementAndGet();
                    LOG.debug("{}: a group waits: {}", name, refused.getMessage());
                    if (source.ended() != null) {
                        throw new CancellationException("the subscription ended while a group waited");
                    }
                    if (System.nanoTime() - began > patience.toNanos()) {
                        endReaders(connection, transactions);
                    }
                } else if (byNetEffect) {
                    LOG.debug("{}: a group is written change by change: {}", name, e.getMessage());
                    byNetEffect = false;
                } else {
                    throw e;
                }
            }
        }
    }

    /** Ends the sessions whose transactions have read tables that the group empties: nothing else waits for readers. */
    private void endReaders(Connection connection, List<Transaction> transactions) throws SQLException {
        List<String> emptied = transactions.stream()
                .flatMap(transaction -> transaction.changes().stream())
                .filter(Change.Truncate.class::isInstance)
                .flatMap(change -> ((Change.Truncate) change).relations().stream())
                .map(relation -> relation.name().quoted())
                .distinct()
                .toList();
        if (emptied.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(END_READERS)) {
            statement.setArray(1, connection.createArrayOf("text", emptied.toArray()));
            try (ResultSet row = statement.executeQuery()) {
                long readers = row.next() ? row.getLong(1) : 0;
                counts.ended.addAndGet(readers);
                if (readers > 0) {
                    LOG.info(
                            "{}: {} transactions that have read {} for more than {} ms are ended, because the Master has emptied it",
                            name,
                            readers,
                            emptied,
                            patience.toMillis());
                }
            }
        }
        connection.commit();
    }

    /** Whether the connection is gone. */
    private static boolean isLost(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.startsWith("08") || state.startsWith("57P");
    }

    /** Whether the same group can succeed later: a lock was not free, or a deadlock was broken. */
    private static boolean passes(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("55P03") || state.equals("40P01") || state.equals("40001");
    }

    /** Returns the counts of what was applied, for tests. */
    GroupCounts counts() {
        return counts;
    }

    /** Ends the applier; the group under way is rolled back or was committed whole. Any thread. */
    @Override
    public void close() {
        closing = true;
        source.end(new CancellationException("closed"));
        Connection open = engine;
        Thread running = thread;
        try {
            if (open != null) {
                open.abort(Runnable::run);
            }
        } catch (SQLException e) {
            LOG.debug("{}: {}", name, e.getMessage());
        }
        if (running != null) {
            running.interrupt();
            try {
                running.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
