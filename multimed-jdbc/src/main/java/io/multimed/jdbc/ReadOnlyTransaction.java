package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A session's read-only transaction while it runs on a replica, where its first read has begun it: one snapshot. */
final class ReadOnlyTransaction {
    private final EmbeddedSession runtime;
    private @Nullable Replica replica;
    /** Whether the application has been given something of that snapshot. */
    private boolean answered;

    ReadOnlyTransaction(EmbeddedSession runtime) {
        this.runtime = runtime;
    }

    /** Where it runs; null while there is none. */
    @Nullable
    Replica replica() {
        return replica;
    }

    /** Whether it runs on the Master, as when no Satellite could take it. */
    boolean onMaster() {
        Replica open = replica;
        return open != null && open.onMaster();
    }

    /**
     * The first read: there must be none yet.
     *
     * @param mostNanos how long it may wait
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

    /** It needs the Master: possible where each statement has a snapshot of its own anyway. */
    void leaveForMaster() throws SQLException {
        if (replica == null) {
            return;
        }
        boolean serializable = runtime.recorder() != null;
        if (answered
                && (serializable
                        || runtime.master().getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED)) {
            throw Errors.notSupported("This needs the Master, and the read-only transaction has its snapshot"
                    + " on a satellite: call setReadOnly(false) before the transaction begins.");
        }
        end();
    }

    /** A statement of it has failed on {@code open}, where it runs. */
    Session.AfterFailure failed(Replica open, SQLException error) throws SQLException {
        // First: an engine that ends may say of any name that it does not know it.
        SQLException thrown = open.failed(error);
        boolean usable = open.usable();
        boolean elsewhere = open.refusedChange(error) || mayBeTheMastersOwn(error);
        if (usable && (!elsewhere || answered)) {
            return new Session.Thrown(thrown);
        }
        end();
        return answered ? new Session.Thrown(thrown) : new Session.Again(usable);
    }

    /** Names that a Satellite does not know: a temporary table, say; or an error for no reason. The Master has the last word. */
    static boolean mayBeTheMastersOwn(SQLException error) {
        String state = error.getSQLState();
        return state != null && (state.startsWith("42") || state.equals("HY000"));
    }

    /** Ends it, whatever it has read. */
    void end() throws SQLException {
        Replica open = replica;
        if (open != null) {
            replica = null;
            open.endRead();
        }
    }

    /** As {@link #end}, but a snapshot that ended with its node cannot be vouched for: the application must begin anew. */
    void complete() throws SQLException {
        Replica open = replica;
        try {
            end();
        } catch (SQLException e) {
            throw open == null ? e : open.failed(e);
        }
    }
}
