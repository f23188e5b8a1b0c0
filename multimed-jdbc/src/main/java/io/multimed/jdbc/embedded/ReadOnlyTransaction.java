package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.jdbc.backend.Propagation;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A session's read-only transaction while it runs on a replica, where its first read has begun it. It sees one snapshot. */
final class ReadOnlyTransaction {
    private final EmbeddedSession runtime;
    private final Propagation propagation;
    private @Nullable Replica replica;
    /** Whether the application has received any result from that snapshot. */
    private boolean answered;

    ReadOnlyTransaction(EmbeddedSession runtime, Propagation propagation) {
        this.runtime = runtime;
        this.propagation = propagation;
    }

    /** Returns the replica on which it runs; null while there is none. */
    @Nullable
    Replica replica() {
        return replica;
    }

    /** Whether it runs on the Master, for example because no Satellite could take it. */
    boolean onMaster() {
        Replica open = replica;
        return open != null && open.onMaster();
    }

    /**
     * Begins the transaction with its first read. There must be none yet.
     *
     * @param mostNanos longest time that it may wait
     */
    Replica begin(long mostNanos) throws SQLException {
        Replica begun = runtime.beginRead(false, mostNanos);
        replica = begun;
        answered = false;
        return begun;
    }

    void answered() {
        answered = true;
    }

    /** Moves the transaction to the Master, which is possible if each statement has a snapshot of its own anyway. */
    void leaveForMaster() throws SQLException {
        if (replica == null) {
            return;
        }
        if (answered
                && (propagation.isSerializable()
                        || runtime.master().getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED)) {
            throw Errors.notSupported("This needs the Master, and the read-only transaction has its snapshot"
                    + " on a satellite: call setReadOnly(false) before the transaction begins.");
        }
        end();
    }

    /** Handles the failure of one of its statements on {@code open}, where it runs. */
    DriverSession.AfterFailure failed(Replica open, SQLException error) throws SQLException {
        // First, because an engine that ends may report any name as unknown.
        SQLException thrown = open.failed(error);
        boolean usable = open.usable();
        boolean elsewhere = open.refusedChange(error) || mayBeTheMastersOwn(error);
        if (usable && (!elsewhere || answered)) {
            return new DriverSession.Thrown(thrown);
        }
        end();
        return answered ? new DriverSession.Thrown(thrown) : new DriverSession.Again(usable);
    }

    /**
     * Whether the Master may answer differently. A Satellite does not know some names, such as those of temporary tables, and some
     * errors have no stated cause.
     */
    static boolean mayBeTheMastersOwn(SQLException error) {
        String state = error.getSQLState();
        return state != null && (state.startsWith("42") || state.equals("HY000"));
    }

    /** Ends the transaction, whether or not it has read anything. */
    void end() throws SQLException {
        Replica open = replica;
        if (open != null) {
            replica = null;
            open.endRead();
        }
    }

    /**
     * Ends the transaction as {@link #end} does. If its node failed, its snapshot cannot be trusted, so the application gets an
     * error and must begin anew.
     */
    void complete() throws SQLException {
        Replica open = replica;
        try {
            end();
        } catch (SQLException e) {
            throw open == null ? e : open.failed(e);
        }
    }
}
