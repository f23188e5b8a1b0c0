package io.multimed.engine.postgresql.catalog;

import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.core.tasks.HeardTask;
import io.multimed.engine.postgresql.NodeAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queries the Master for the transactions it shows, on behalf of sessions that must not begin there before it shows enough.
 *
 * <p>One snapshot serves every caller that asked before it was taken. A caller that asks while one is under way is served by
 * the next, since the present one may be older than the commits the caller has seen. Has a thread and a connection of its own.
 *
 * <p>Also queries the end of the Master's log, for callers that doubt whether the relay has received all of it: {@link
 * #endDoubts}.
 */
public final class VisibilityProbe implements Consumer<Runnable>, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(VisibilityProbe.class);

    /** The query whose result {@link #observed} parses. */
    public static final String SNAPSHOT = "SELECT pg_catalog.pg_current_snapshot()::pg_catalog.text";

    private static final String END_OF_LOG =
            "SELECT (pg_catalog.pg_current_wal_flush_lsn() - '0/0'::pg_catalog.pg_lsn)::pg_catalog.text";

    private static final String NEXT_TRANSACTION = "SELECT pg_catalog.pg_current_xact_id()::pg_catalog.text";

    /** Time after which a Master that does not answer is given up. */
    private static final Duration ANSWER = Duration.ofSeconds(5);
    /**
     * Time between two snapshots while no caller requests one. Commits accumulate in that time, too; one snapshot a second
     * keeps their number small.
     */
    private static final Duration IDLE = Duration.ofSeconds(1);

    /** Pause before a Master that has not reported the end of its log is asked again: meanwhile it executes all reads. */
    private static final Duration RETRY = Duration.ofMillis(50);

    private static final int MANY = 1000;

    private final MasterVisibility visibility;
    private final MasterLog masterLog;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition asked = lock.newCondition();
    private List<Runnable> waiting = new ArrayList<>();
    private boolean doubted;
    private boolean closed;

    // Used by the probe's thread alone:
    private final LastingConnection connection;
    private long overflowEnd;
    private long overflowTransaction;

    /**
     * @param superuser any role that may log in
     * @param visibility receives every snapshot
     * @param masterLog the received part of the Master's log, and the part in doubt
     */
    public VisibilityProbe(NodeAddress master, String superuser, MasterVisibility visibility, MasterLog masterLog) {
        this.connection = new LastingConnection(() -> AdminConnection.open(master, superuser, "postgres"));
        this.visibility = visibility;
        this.masterLog = masterLog;
        this.thread = Thread.ofPlatform().name("multimed-probe").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /**
     * Requests a snapshot. Any thread; never blocks.
     *
     * @param done called by the probe's thread when the visibility has a snapshot taken after this call, or when none could be
     *     taken; it must return at once
     */
    @Override
    public void accept(Runnable done) {
        boolean refused;
        lock.lock();
        try {
            refused = closed;
            if (!refused) {
                waiting.add(done);
                asked.signal();
            }
        } finally {
            lock.unlock();
        }
        if (refused) {
            done.run();
        }
    }

    /**
     * Requests the end of the Master's log, repeatedly until the Master reports it, because there is a doubt. Any thread; never
     * blocks.
     */
    public void endDoubts() {
        lock.lock();
        try {
            doubted = true;
            asked.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread and waits for it; callbacks that still wait for a snapshot are called. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            asked.signal();
        } finally {
            lock.unlock();
        }
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        try {
            thread.join(ANSWER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean more = true;
        while (more) {
            List<Runnable> served = new ArrayList<>();
            more = await(served);
            if (more && (!served.isEmpty() || visibility.unconfirmedCount() > MANY || visibility.overflowed())) {
                heard(this::probe);
            }
            if (more && masterLog.isDoubted()) {
                heard(this::askForEndOfLog);
            }
            served.forEach(VisibilityProbe::heard);
        }
        connection.giveUp();
    }

    /** Returns false when the probe is closed. */
    private boolean await(List<Runnable> served) {
        lock.lock();
        try {
            long left = (masterLog.isDoubted() ? RETRY : IDLE).toNanos();
            while (waiting.isEmpty() && !doubted && !closed && left > 0) {
                left = asked.awaitNanos(left);
            }
            doubted = false;
            served.addAll(waiting);
            waiting = new ArrayList<>();
            return !closed;
        } catch (InterruptedException e) {
            // Only close ends this thread.
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Passes on the answer of a session of the Master to {@link #SNAPSHOT}. Any thread.
     *
     * @throws IllegalArgumentException if that is no snapshot
     */
    public void observed(String answer) {
        visibility.observed(TransactionSnapshot.parse(answer));
    }

    private void probe() {
        try {
            Connection open = connection.get();
            TransactionSnapshot snapshot = TransactionSnapshot.parse(ask(open, SNAPSHOT));
            visibility.observed(snapshot);
            if (visibility.overflowed()) {
                overflowed(open, snapshot);
            } else {
                overflowEnd = 0;
            }
        } catch (SQLException | RuntimeException e) {
            log.debug("No snapshot of the Master: {}", e.getMessage());
            connection.giveUp();
        }
    }

    private void askForEndOfLog() {
        try {
            long doubts = masterLog.doubts();
            masterLog.endDoubts(doubts, Long.parseLong(ask(connection.get(), END_OF_LOG)));
        } catch (SQLException | RuntimeException e) {
            log.debug("The Master does not say where its log ends: {}", e.getMessage());
            connection.giveUp();
        }
    }

    /**
     * Handles more unconfirmed commits than are kept one by one. All commits received before a transaction number was drawn
     * have lower numbers. They are finished once the oldest running one is not lower than it.
     */
    private void overflowed(Connection open, TransactionSnapshot snapshot) throws SQLException {
        if (overflowEnd != 0 && snapshot.allFinishedBelow(overflowTransaction)) {
            visibility.visibleUpTo(overflowEnd);
            overflowEnd = 0;
        } else if (overflowEnd == 0) {
            long end = masterLog.received();
            // The transaction is rolled back: with a number assigned, its commit would wait for the relay.
            open.setAutoCommit(false);
            overflowTransaction = Long.parseLong(ask(open, NEXT_TRANSACTION));
            open.rollback();
            open.setAutoCommit(true);
            overflowEnd = end;
        }
    }

    private static String ask(Connection connection, String query) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Runs a part of the thread's work, which goes on whatever happens: reads on the Master wait for it. */
    private static void heard(Runnable part) {
        new HeardTask(part, failure -> log.error("A part of the visibility probe's work has failed", failure)).run();
    }
}
