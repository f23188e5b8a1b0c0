package io.multimed.engine.embedded.runtime;

import io.multimed.engine.embedded.EmbeddedSession.Work;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterEngine.CatalogMark;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.engine.embedded.spi.Uninterrupted;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs changes of the catalog one at a time, and orders them among update transactions. Any thread.
 *
 * <p>A write set names tables and refers to the catalog as of its place in the log. So a change of the catalog and its place in
 * the log must be one step for sessions that commit. A write set that was captured before the change is captured again if names
 * have changed. The table contents that go with the change are those committed at its place.
 *
 * <p>H2 keeps a change apart from transactions on the same table by locks, for which it waits up to its lock timeout. Nothing else
 * has to wait there: an update transaction that stays open delays only changes of the tables it has changed. Changes and
 * transactions still give way to each other for a moment, since a table that another session changes meanwhile is copied to the
 * Satellites needlessly.
 *
 * <p>HSQLDB makes a change wait for every transaction. There the change waits here, so that it can time out.
 */
final class Definitions {
    /** Longest time for which update transactions and changes of the catalog give way to each other where they need not. */
    private static final long COURTESY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /**
     * Longest wait for admission in turn. A transaction of a few statements takes a tenth of a millisecond, but its thread may
     * lose the processor for three milliseconds.
     */
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Interval at which a change checks for transactions that have only read and block it nevertheless. */
    private static final long READERS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final System.Logger LOG = System.getLogger("io.multimed.engine.embedded");

    private final ReplicatedDatabase database;
    private volatile @Nullable Definition underWay;

    Definitions(ReplicatedDatabase database) {
        this.database = database;
    }

    /** Returns the change that may be visible on the Master and has no SCN yet; null if there is none. */
    @Nullable
    Definition underWay() {
        return underWay;
    }

    /**
     * Admits an update transaction.
     *
     * @param mostNanos longest time that it may wait
     * @throws SQLException HYT00 if a change of the catalog keeps it out
     */
    void enter(Epoch of, MasterSession session, long mostNanos) throws SQLException {
        if (of.master().definesBesideTransactions()) {
            Uninterrupted.call(() -> {
                of.gate().enterBeside(COURTESY_NANOS);
                return true;
            });
            return;
        }
        if (of.master().queuesTransactions() && of.gate().enterInTurn(TURN_NANOS)) {
            return;
        }
        long patience = Math.min(patience(session), mostNanos);
        if (!Uninterrupted.call(() -> of.gate().enter(patience))) {
            throw RuntimeErrors.gateShut(patience);
        }
    }

    /** Ends an update transaction's stay inside the gate. */
    void leave(Epoch of) {
        of.gate().leave();
    }

    /**
     * Keeps other changes of the catalog out, and update transactions as far as necessary.
     *
     * @return false if that was not possible in time; otherwise {@code of.gate().open()} ends it
     */
    static boolean shut(Epoch of, long patienceNanos) {
        return Uninterrupted.call(() -> of.master().definesBesideTransactions()
                ? of.gate().claim(patienceNanos, COURTESY_NANOS)
                : of.gate().shut(patienceNanos));
    }

    /** Returns the longest time that a session waits for others, in nanoseconds. */
    static long patience(MasterSession session) {
        return TimeUnit.MILLISECONDS.toNanos(session.lockTimeoutMillis());
    }

    /**
     * Runs a change of the catalog on the Master and puts it into the log.
     *
     * @param session the session that makes the change; it has no transaction open
     */
    <T extends @Nullable Object> T run(Epoch of, MasterSession session, String sql, Work<T> onMaster)
            throws SQLException {
        long patience = patience(session);
        long deadline = System.nanoTime() + patience;
        if (!shut(of, patience)) {
            throw RuntimeErrors.gateBusy(patience);
        }
        try {
            while (of.master().holdsUpDefinition(session, sql)) {
                // A wait here can time out, unlike one in the engine. No transaction begins meanwhile.
                if (System.nanoTime() - deadline >= 0) {
                    throw RuntimeErrors.gateBusy(patience);
                }
                LockSupport.parkNanos(READERS_NANOS);
            }
            resynchronizeIfStrayed(of, session);
            CatalogMark mark = of.master().mark();
            Definition definition = new Definition();
            underWay = definition;
            try {
                return onMaster.run();
            } finally {
                try {
                    // Even a statement that failed half-way may have changed something.
                    commit(of, session, mark, sql);
                } finally {
                    underWay = null;
                    definition.placed(database.log().floor());
                }
            }
        } finally {
            of.gate().open();
        }
    }

    private void commit(Epoch of, MasterSession session, CatalogMark mark, String sql) throws SQLException {
        boolean together = false;
        try {
            together = database.log().tryExclusively(COURTESY_NANOS, () -> {
                session.commit();
                place(of, session, mark, sql);
            });
        } catch (InterruptedException e) {
            // The change has happened, so it goes into the log all the same.
            Thread.currentThread().interrupt();
        }
        if (!together) {
            // A committing session may itself wait for locks of this change, because H2 analyses tables then. So this
            // commit comes
            // first, by itself.
            session.commit();
            database.log().<SQLException>exclusively(() -> place(of, session, mark, sql));
        }
    }

    /** Puts the change into the log. Call it while nothing commits. */
    private void place(Epoch of, MasterSession session, CatalogMark mark, String sql) throws SQLException {
        if (!database.masters().isCurrent(of)) {
            throw new SQLException("the master has been replaced");
        }
        Changes changes = of.master().changedSince(mark, sql, session.connection());
        if (changes != null) {
            database.log().append(changes, changes.rows());
        }
    }

    /**
     * Makes up for commits that no write set contains, if there may be any.
     *
     * @param session a session without open transaction
     */
    void checkStrayed(Epoch of, MasterSession session) throws SQLException {
        if (!session.strayed() || underWay != null) {
            // The change that is under way finds all other changes too.
            return;
        }
        long patience = patience(session);
        if (!shut(of, patience)) {
            if (of.master().definesBesideTransactions()) {
                // Only other changes of the catalog can be in the way, and each of them checks for such commits first.
                return;
            }
            throw RuntimeErrors.gateBusy(patience);
        }
        try {
            resynchronizeIfStrayed(of, session);
        } finally {
            of.gate().open();
        }
    }

    /**
     * Makes up for commits that neither a write set nor the catalog shows.
     *
     * @param session a session without open transaction
     */
    void resynchronize(Epoch of, MasterSession session) throws SQLException {
        long patience = patience(session);
        if (!shut(of, patience)) {
            throw RuntimeErrors.gateBusy(patience);
        }
        try {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Something was committed in " + database.name()
                            + " unknown to Multimed, by a trigger with a connection of its own, a procedure or a connection that bypasses"
                            + " Multimed: the replicas are made anew.");
            database.recovery().resynchronizeIfCurrent(of, "committed by what a statement called");
        } finally {
            of.gate().open();
        }
    }

    private void resynchronizeIfStrayed(Epoch of, MasterSession session) throws SQLException {
        boolean strayed = session.strayed();
        boolean missed = session.missed();
        if (strayed || missed) {
            database.recovery().resynchronizeIfCurrent(of, "changed by what a statement called");
        }
    }
}
