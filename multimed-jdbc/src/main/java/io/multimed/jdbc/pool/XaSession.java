package io.multimed.jdbc.pool;

import io.multimed.jdbc.session.DriverSession;
import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * A session whose transactions may be branches of global transactions, in H2. A branch is prepared in the engine, whose log
 * preserves it, and committed like any other transaction of the session, so that its rows reach the Satellites.
 */
public final class XaSession extends PooledSession implements XAConnection, XAResource {
    private enum Phase {
        /** The session's statements belong to the branch. */
        ACTIVE,
        /** The branch gets no more statements, unless it is resumed. */
        ENDED,
        /** Only commit or rollback of the branch can follow. */
        PREPARED
    }

    /** State of a branch. */
    private record Branch(BranchId id, Phase phase, boolean failed) {}

    private @Nullable Branch branch;

    public XaSession(DriverSession session) {
        super(session);
    }

    @Override
    public XAResource getXAResource() {
        return this;
    }

    /** Leaves the open transaction of a branch alone, because it belongs to the transaction manager. */
    @Override
    void reset() throws SQLException {
        if (branch == null) {
            super.reset();
        }
    }

    @Override
    public void checkMayEndTransaction() throws SQLException {
        if (branch != null) {
            throw new SQLException(
                    "The transaction is a branch of a global one, which the transaction manager ends: leave it to that.",
                    "2D000");
        }
    }

    @Override
    public synchronized void start(Xid xid, int flags) throws XAException {
        BranchId id = BranchId.of(xid);
        Branch known = branch;
        if (known != null) {
            boolean continues = flags == TMRESUME || flags == TMJOIN;
            if (!continues || !known.id().equals(id) || known.phase() != Phase.ENDED) {
                throw failed(XAException.XAER_PROTO, "A branch of the session is open: " + known.id(), null);
            }
            branch = new Branch(id, Phase.ACTIVE, known.failed());
            return;
        }
        if (flags != TMNOFLAGS) {
            throw failed(XAException.XAER_NOTA, "The branch is not one of this session: " + id, null);
        }
        try {
            session.inTurn(() -> {
                if (!session.autoCommit()) {
                    // Earlier work is no part of the branch.
                    session.rollback();
                }
                session.autoCommit(false);
            });
        } catch (SQLException e) {
            throw failed(XAException.XAER_RMERR, "The branch could not be begun", e);
        }
        branch = new Branch(id, Phase.ACTIVE, false);
    }

    private Branch current(Xid xid) throws XAException {
        Branch known = branch;
        if (known == null || !known.id().equals(BranchId.of(xid))) {
            throw failed(XAException.XAER_NOTA, "The branch is not one of this session: " + BranchId.of(xid), null);
        }
        return known;
    }

    @Override
    public synchronized void end(Xid xid, int flags) throws XAException {
        Branch known = current(xid);
        if (known.phase() == Phase.PREPARED) {
            throw failed(XAException.XAER_PROTO, "The branch is prepared: " + known.id(), null);
        }
        branch = new Branch(known.id(), Phase.ENDED, known.failed() || flags == TMFAIL);
    }

    @Override
    public synchronized int prepare(Xid xid) throws XAException {
        Branch known = current(xid);
        if (known.phase() != Phase.ENDED) {
            throw failed(XAException.XAER_PROTO, "The branch has not been ended: " + known.id(), null);
        }
        if (known.failed()) {
            roll(known);
            throw failed(XAException.XA_RBROLLBACK, "The branch failed: " + known.id(), null);
        }
        try {
            session.inTurn(() -> session.prepare(known.id().name()));
        } catch (SQLException e) {
            roll(known);
            throw failed(XAException.XA_RBROLLBACK, "The branch could not be prepared", e);
        }
        branch = new Branch(known.id(), Phase.PREPARED, false);
        return XA_OK;
    }

    @Override
    public synchronized void commit(Xid xid, boolean onePhase) throws XAException {
        Branch known = branch;
        if (known == null || !known.id().equals(BranchId.of(xid))) {
            complete(BranchId.of(xid), true);
            return;
        }
        if (known.phase() != (onePhase ? Phase.ENDED : Phase.PREPARED)) {
            throw failed(XAException.XAER_PROTO, "The branch is " + known.phase() + ": " + known.id(), null);
        }
        if (known.failed()) {
            roll(known);
            throw failed(XAException.XA_RBROLLBACK, "The branch failed: " + known.id(), null);
        }
        try {
            session.inTurn(() -> session.commit());
        } catch (SQLException e) {
            throw failed(
                    onePhase ? XAException.XA_RBROLLBACK : XAException.XAER_RMFAIL, "The branch did not commit", e);
        } finally {
            finished();
        }
    }

    @Override
    public synchronized void rollback(Xid xid) throws XAException {
        Branch known = branch;
        if (known == null || !known.id().equals(BranchId.of(xid))) {
            complete(BranchId.of(xid), false);
            return;
        }
        roll(known);
    }

    private void roll(Branch known) throws XAException {
        try {
            session.inTurn(() -> session.rollback());
        } catch (SQLException e) {
            throw failed(XAException.XAER_RMFAIL, "The branch was not rolled back: " + known.id(), e);
        } finally {
            finished();
        }
    }

    private void finished() throws XAException {
        branch = null;
        try {
            session.inTurn(() -> session.autoCommit(true));
        } catch (SQLException e) {
            throw failed(XAException.XAER_RMFAIL, "The session could not go on", e);
        }
    }

    /** Completes a branch of a session that has ended. */
    private void complete(BranchId id, boolean commit) throws XAException {
        try {
            if (!session.inTurn(() -> session.prepared()).contains(id.name())) {
                throw failed(XAException.XAER_NOTA, "There is no such branch: " + id, null);
            }
            session.inTurn(() -> session.complete(id.name(), commit));
        } catch (SQLException e) {
            throw failed(XAException.XAER_RMERR, "The branch could not be completed", e);
        }
    }

    /** Returns all branches at once, with the first call. */
    @Override
    public Xid[] recover(int flags) throws XAException {
        if ((flags & TMSTARTRSCAN) == 0) {
            return new Xid[0];
        }
        try {
            return session.inTurn(() -> session.prepared()).stream()
                    .map(BranchId::parse)
                    .filter(id -> id != null)
                    .toArray(Xid[]::new);
        } catch (SQLException e) {
            throw failed(XAException.XAER_RMERR, "Branches in doubt could not be found", e);
        }
    }

    /** Does nothing, because the engine completes no branch by itself. */
    @Override
    public void forget(Xid xid) {}

    /** Whether the other is this session, because another session cannot join a branch. */
    @Override
    public boolean isSameRM(XAResource other) {
        return other == this;
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }

    private static XAException failed(int code, String sentence, @Nullable Throwable cause) {
        XAException failed = new XAException(sentence + (cause == null ? "." : ": " + cause.getMessage()));
        failed.errorCode = code;
        if (cause != null) {
            failed.initCause(cause);
        }
        return failed;
    }
}
