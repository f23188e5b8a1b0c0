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
 * Changes of the catalog, one at a time, and their order against update transactions. Any thread.
 *
 * <p>A write set names tables and means the catalog as it was at its place in the log. So a change of the catalog and its
 * place are one step for whoever commits: what was captured before is captured again if names have changed since, and the
 * contents that go with the change are what is committed at that place. Nothing else has to wait where the engine itself
 * keeps a change apart from transactions that concern the same table (H2, by locks that it waits for up to its lock
 * timeout): an update transaction that stays open hinders only changes of the tables it has changed. They still make way for
 * each other for a moment, since a table that somebody changes meanwhile is copied to the Satellites without need. Where the
 * engine waits for every transaction anyway (HSQLDB) the change waits here, so that it can give up.
 */
final class Definitions {
    /** How long update transactions and changes of the catalog make way for each other where they need not. */
    private static final long COURTESY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** A transaction of some statements takes a tenth of a millisecond, but whoever runs it may lose the processor for three. */
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How often those are looked for who have only read and are in the way all the same. */
    private static final long READERS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final System.Logger LOG = System.getLogger("io.multimed.engine.embedded");

    private final ReplicatedDatabase database;
    private volatile @Nullable Definition underWay;

    Definitions(ReplicatedDatabase database) {
        this.database = database;
    }

    /** One that may show on the Master and has no SCN yet. */
    @Nullable
    Definition underWay() {
        return underWay;
    }

    /**
     * An update transaction begins.
     *
     * @param mostNanos how long it may wait at most
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
            throw Errors.gateShut(patience);
        }
    }

    /** It has ended. */
    void leave(Epoch of) {
        of.gate().leave();
    }

    /**
     * Keeps changes of the catalog away, and update transactions as far as need be.
     *
     * @return false if it was not possible in time; else {@code of.gate().open()} ends it
     */
    static boolean shut(Epoch of, long patienceNanos) {
        return Uninterrupted.call(() -> of.master().definesBesideTransactions()
                ? of.gate().claim(patienceNanos, COURTESY_NANOS)
                : of.gate().shut(patienceNanos));
    }

    /** How long a session waits for others. */
    static long patience(MasterSession session) {
        return TimeUnit.MILLISECONDS.toNanos(session.lockTimeoutMillis());
    }

    /**
     * Runs a change of the catalog on the Master and puts it into the log.
     *
     * @param session whose it is; it has no transaction open
     */
    <T extends @Nullable Object> T run(Epoch of, MasterSession session, String sql, Work<T> onMaster)
            throws SQLException {
        long patience = patience(session);
        long deadline = System.nanoTime() + patience;
        if (!shut(of, patience)) {
            throw Errors.gateBusy(patience);
        }
        try {
            while (of.master().holdsUpDefinition(session, sql)) {
                // Here it can give up. Nobody begins anything meanwhile.
                if (System.nanoTime() - deadline >= 0) {
                    throw Errors.gateBusy(patience);
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
                    // A statement that failed half-way may have changed something.
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
            // What has happened is put into the log all the same.
            Thread.currentThread().interrupt();
        }
        if (!together) {
            // Whoever commits may itself wait for what this change has locked: H2 analyses tables then.
            session.commit();
            database.log().<SQLException>exclusively(() -> place(of, session, mark, sql));
        }
    }

    /** While nothing commits. */
    private void place(Epoch of, MasterSession session, CatalogMark mark, String sql) throws SQLException {
        if (!database.current(of)) {
            throw new SQLException("the master has been replaced");
        }
        Changes changes = of.master().changedSince(mark, sql, session.connection());
        if (changes != null) {
            database.log().append(changes, changes.rows());
        }
    }

    /**
     * Something may have been committed that no write set tells.
     *
     * @param session that has no transaction open
     */
    void checkStrayed(Epoch of, MasterSession session) throws SQLException {
        if (!session.strayed() || underWay != null) {
            // A change that is under way finds what else is new.
            return;
        }
        long patience = patience(session);
        if (!shut(of, patience)) {
            if (of.master().definesBesideTransactions()) {
                // Only other changes can be in the way, and each looks for what has strayed first.
                return;
            }
            throw Errors.gateBusy(patience);
        }
        try {
            resynchronizeIfStrayed(of, session);
        } finally {
            of.gate().open();
        }
    }

    /**
     * Something has been committed that neither a write set tells nor the catalog.
     *
     * @param session that has no transaction open
     */
    void resynchronize(Epoch of, MasterSession session) throws SQLException {
        long patience = patience(session);
        if (!shut(of, patience)) {
            throw Errors.gateBusy(patience);
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
        if (session.strayed() | session.missed()) {
            database.recovery().resynchronizeIfCurrent(of, "changed by what a statement called");
        }
    }
}
