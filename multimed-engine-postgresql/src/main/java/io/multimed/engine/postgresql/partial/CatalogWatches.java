package io.multimed.engine.postgresql.partial;

import io.multimed.core.tasks.HeardTask;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.catalog.LastingConnection;
import io.multimed.engine.postgresql.relay.CatalogChange;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watches of all partial Satellites, and the thread that reads the Master's catalogs for them.
 *
 * <p>One snapshot serves all watches of a database, with all their doubts that it shows. Between two snapshots that compared something
 * there is a pause as long as the comparison, so that changes without end take half a core of the Master's at most.
 */
public final class CatalogWatches implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogWatches.class);
    /** Time after which a Master that does not answer is given up. */
    private static final Duration ANSWER = Duration.ofSeconds(5);
    /** A commit becomes visible about as long after its report as waking a process takes. */
    private static final long NOT_YET_VISIBLE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String NO_SUCH_DATABASE = "3D000";

    private final NodeAddress master;
    private final String superuser;
    private final List<CatalogWatch> watches = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;
    private boolean closed;

    // Used by the thread alone:
    private final Map<String, LastingConnection> connections = new HashMap<>();
    private long pauseNanos;
    /** Whether the Master did not answer the last time: it is asked again and again. */
    private boolean failing;

    private long retryNanos = NOT_YET_VISIBLE_NANOS;

    /** @param superuser who sees all catalogs */
    public CatalogWatches(NodeAddress master, String superuser) {
        this.master = master;
        this.superuser = superuser;
        this.thread =
                Thread.ofPlatform().name("multimed-catalog-watch").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /**
     * Adds a watch; before its Satellite is copied.
     *
     * @param onDifference called once, by this class's thread, with the reason why the Satellite must be copied anew; it must return at
     *     once
     */
    public CatalogWatch watch(String database, Consumer<String> onDifference) {
        CatalogWatch watch = new CatalogWatch(this, database, onDifference);
        watches.add(watch);
        return watch;
    }

    /** Records a commit that may have changed catalogs. The relay's thread; returns at once. */
    public void changed(CatalogChange change) {
        watches.forEach(watch -> watch.changed(change));
    }

    /** Records that there may have been commits of which there is no report. Any thread; returns at once. */
    public void everythingMayHaveChanged() {
        watches.forEach(CatalogWatch::everythingMayHaveChanged);
    }

    void remove(CatalogWatch watch) {
        watches.remove(watch);
    }

    /** Has the thread look for work. Any thread; returns at once. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (awaitWork()) {
            new HeardTask(this::settle, failure -> LOG.error("Comparing the master's catalogs failed", failure)).run();
        }
        connections.values().forEach(LastingConnection::giveUp);
    }

    /** Waits for the end of the pause and for work; returns false when this is closed. */
    private boolean awaitWork() {
        lock.lock();
        try {
            long left = pauseNanos;
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            while (!closed && !woken) {
                changed.await();
            }
            woken = false;
            return !closed;
        } catch (InterruptedException e) {
            // Only close ends this thread.
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void settle() {
        Map<String, List<CatalogWatch>> work =
                watches.stream().filter(CatalogWatch::hasWork).collect(Collectors.groupingBy(CatalogWatch::database));
        boolean settled = true;
        long began = System.nanoTime();
        for (Map.Entry<String, List<CatalogWatch>> database : work.entrySet()) {
            settled &= settle(database.getKey(), database.getValue());
        }
        if (settled) {
            retryNanos = NOT_YET_VISIBLE_NANOS;
            pauseNanos = work.isEmpty() ? 0 : Math.min(System.nanoTime() - began, LONGEST_PAUSE_NANOS);
        } else {
            pauseNanos = retryNanos;
            retryNanos = Math.min(2 * retryNanos, RETRY_NANOS);
        }
        if (watches.stream().anyMatch(CatalogWatch::hasWork)) {
            wake();
        }
    }

    /** Returns false if a watch must be looked at again for the same doubt. */
    private boolean settle(String database, List<CatalogWatch> those) {
        LastingConnection connection = connections.computeIfAbsent(
                database, name -> new LastingConnection(() -> AdminConnection.open(master, superuser, name)));
        try {
            boolean settled = settle(connection.get(), those);
            failing = false;
            return settled;
        } catch (SQLException | RuntimeException e) {
            connection.giveUp();
            if (e instanceof SQLException refused && NO_SUCH_DATABASE.equals(refused.getSQLState())) {
                those.forEach(watch -> watch.differs("the master has no database " + database + " any more"));
                return true;
            }
            if (failing) {
                LOG.debug("The catalogs of database {} could not be compared: {}", database, e.getMessage());
            } else {
                LOG.info("The catalogs of database {} could not be compared: {}", database, e.getMessage());
            }
            failing = true;
            return false;
        }
    }

    private static boolean settle(Connection connection, List<CatalogWatch> those) throws SQLException {
        Map<CatalogWatch, Long> before = new LinkedHashMap<>();
        those.forEach(watch -> before.put(watch, watch.lastDoubt()));
        boolean settled = true;
        try (CatalogSnapshot snapshot = CatalogSnapshot.take(connection)) {
            for (Map.Entry<CatalogWatch, Long> one : before.entrySet()) {
                settled &= one.getKey().settle(snapshot, one.getValue());
            }
        }
        return settled;
    }

    /** Ends the thread, and waits for it. Any thread but that one. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        watches.forEach(CatalogWatch::close);
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        try {
            thread.join(ANSWER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
