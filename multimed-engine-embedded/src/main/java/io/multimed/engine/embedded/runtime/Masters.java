package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The Masters of a database, one after the other, each with its {@link Epoch}. */
final class Masters {
    private final ReplicatedDatabase database;
    private final ComputationalNode node = new ComputationalNode(NodeId.MASTER, Role.MASTER);
    private final AtomicInteger count = new AtomicInteger(1);
    /** The present epoch; null while there is no Master. */
    private volatile @Nullable Epoch epoch;

    Masters(ReplicatedDatabase database, MasterEngine first) {
        this.database = database;
        this.epoch = epochOf(first);
        node.serving(true);
    }

    ComputationalNode node() {
        return node;
    }

    /** Returns the number of Masters so far. */
    int count() {
        return count.get();
    }

    /**
     * An engine connection to the Master.
     *
     * @param epoch the epoch of that Master
     */
    record Connected(Epoch epoch, MasterSession session) {}

    /** Connects to the present Master; looks for another one if it has ended. */
    Connected connect(Properties credentials) throws SQLException {
        while (true) {
            Epoch to = epochFor(credentials);
            MasterSession session = connect(to.master(), credentials);
            if (session != null) {
                return new Connected(to, session);
            }
            database.recovery().masterFailed(to, null, credentials);
        }
    }

    /** Connects to a Master. Returns null if it has ended: the database that has its name then is another, empty one. */
    private static @Nullable MasterSession connect(MasterEngine to, Properties credentials) throws SQLException {
        if (to.ended()) {
            return null;
        }
        try {
            MasterSession session = to.connect(credentials);
            if (to.sameEngine(session)) {
                return session;
            }
            session.connection().close();
        } catch (SQLException e) {
            if (!to.engineFailed(e)) {
                throw e;
            }
        }
        return null;
    }

    /**
     * Returns the present epoch.
     *
     * @param by credentials of the caller, for finding a Master
     */
    Epoch epochFor(Properties by) throws SQLException {
        Epoch now = epoch;
        // A Master is being looked for, or none was found.
        return now == null ? database.recovery().findMaster(null, by) : now;
    }

    /** Returns the present epoch; null while there is no Master. */
    @Nullable
    Epoch epochIfAny() {
        return epoch;
    }

    /** Returns the epoch of a new Master. */
    Epoch epochOf(MasterEngine master) {
        Epoch begins = new Epoch(master);
        master.watch(new Unannounced(database, begins), database::eachReader);
        return begins;
    }

    /** Whether transactions of that epoch may still commit. */
    @SuppressWarnings("ReferenceEquality") // Each epoch is one object.
    boolean isCurrent(Epoch of) {
        return epoch == of;
    }

    void epoch(@Nullable Epoch now) {
        epoch = now;
        if (now != null) {
            count.incrementAndGet();
        }
        node.serving(now != null);
    }
}
