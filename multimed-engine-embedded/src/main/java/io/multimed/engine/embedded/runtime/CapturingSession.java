package io.multimed.engine.embedded.runtime;

import io.multimed.core.session.SessionFreshness;
import io.multimed.engine.embedded.EmbeddedDatabase;
import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.StatementRecorder;
import io.multimed.engine.embedded.TransactionErrors;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.model.Freshness;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A session on a database with Satellites. */
final class CapturingSession implements EmbeddedSession {
    private final ReplicatedDatabase database;
    private final MasterLink link;
    private final MasterTransaction transaction;
    private final SessionFreshness freshness;
    private final ReadPlacement reads;
    private final AtomicBoolean closed = new AtomicBoolean();
    private boolean autoCommit = true;

    CapturingSession(
            ReplicatedDatabase database,
            EmbeddedOptions options,
            Properties credentials,
            ReplicaListener listener,
            Epoch epoch,
            MasterSession master)
            throws SQLException {
        this.database = database;
        this.link = new MasterLink(database, credentials, listener, epoch, master);
        this.transaction = new MasterTransaction(database, link, closed::get);
        this.freshness = new SessionFreshness(options.freshness());
        this.reads = new ReadPlacement(database, this, options, credentials);
    }

    @Override
    public Connection master() {
        return link.connection();
    }

    @Override
    public Connection liveMaster() throws SQLException {
        if (link.isLost()) {
            boolean lost = transaction.begun();
            reconnect();
            if (lost) {
                throw RuntimeErrors.masterFailed(null);
            }
        }
        return master();
    }

    /** Connects to the present Master. The open transaction ended with the old one. */
    private void reconnect() throws SQLException {
        transaction.lost();
        while (link.isLost()) {
            link.replace();
            reads.masterReplaced();
        }
    }

    /** Prepares a new connection to a Satellite. */
    void setUp(Connection satellite) throws SQLException {
        link.setUp(satellite);
    }

    /** Whether a single query may run on the Master instead of waiting for a Satellite. */
    boolean readsFreely() {
        return !transaction.begun() && link.session().readsFreely();
    }

    MasterSession onMaster() {
        return link.session();
    }

    SessionFreshness sessionFreshness() {
        return freshness;
    }

    @Override
    public boolean autoCommit() {
        return autoCommit;
    }

    @Override
    public void autoCommit(boolean on) throws SQLException {
        if (on != autoCommit) {
            commit();
            autoCommit = on;
        }
    }

    @Override
    public void freshness(Freshness chosen) {
        freshness.choose(chosen);
    }

    @Override
    public Freshness freshness() {
        return freshness.chosen();
    }

    @Override
    public Replica beginRead(boolean auto, long mostNanos) throws SQLException {
        return reads.begin(auto, mostNanos);
    }

    @Override
    public void beforeUpdate(boolean mayChange, long mostNanos) throws SQLException {
        liveMaster();
        transaction.before(
                mayChange ? Turn.Wish.CHANGE : autoCommit ? Turn.Wish.READ : Turn.Wish.READ_FIRST, mostNanos);
        if (mayChange) {
            transaction.mayHoldLocks();
        }
    }

    /** Begins a read or a read-only transaction on the Master, because no Satellite could take it. */
    void beforeRead(long mostNanos) throws SQLException {
        liveMaster();
        transaction.before(Turn.Wish.READ, mostNanos);
    }

    @Override
    public void afterUpdate() throws SQLException {
        transaction.noticeEnd();
        if (autoCommit) {
            commit();
        } else {
            transaction.afterStatement();
        }
        freshness.observedOnMaster(database.log());
        reads.observedDefinition();
    }

    @Override
    public long commit() throws SQLException {
        liveMaster();
        long scn;
        try {
            scn = transaction.commit();
        } catch (SQLException e) {
            throw failedCommit(e);
        } finally {
            transaction.commitEnded();
        }
        if (closed.get()) {
            // Another thread has closed the session, and may have rolled the transaction back before the commit.
            throw RuntimeErrors.aborted();
        }
        freshness.observedOnMaster(database.log());
        transaction.checkStrayed();
        return scn;
    }

    private SQLException failedCommit(SQLException error) {
        try {
            // The commit may have failed before it reached the engine, so the transaction may still be open.
            transaction.rollback();
        } catch (SQLException e) {
            error.addSuppressed(e);
        }
        transaction.leaveGate();
        return failedOnMaster(error);
    }

    @Override
    public void rollback() throws SQLException {
        if (link.isLost()) {
            // The transaction ended with its Master.
            reconnect();
            return;
        }
        try {
            transaction.rollback();
        } catch (SQLException e) {
            transaction.leaveGate();
            throw failedOnMaster(e);
        } finally {
            transaction.ended();
        }
        transaction.checkStrayed();
    }

    @Override
    public <T extends @Nullable Object> T changeCatalog(String sql, Work<T> onMaster) throws SQLException {
        commit();
        liveMaster();
        try {
            return database.definitions().run(link.epoch(), link.session(), sql, onMaster);
        } catch (SQLException e) {
            throw failedOnMaster(e);
        } finally {
            freshness.observedOnMaster(database.log());
        }
    }

    /** Makes up for commits that no write set contains. Not inside the gate. */
    void checkStrayed() throws SQLException {
        transaction.checkStrayed();
    }

    @Override
    public SQLException failedOnMaster(SQLException error) {
        if (closed.get()) {
            // Another thread has closed the session, so the error says nothing about the engine.
            return error;
        }
        Epoch of = link.epoch();
        if (database.masters().isCurrent(of) && !of.master().engineFailed(error)) {
            transaction.statementFailed(TransactionErrors.rollback(error) != null);
            return error;
        }
        transaction.leaveGate();
        try {
            link.failed(of, error);
            reconnect();
            return RuntimeErrors.masterFailed(error);
        } catch (SQLException e) {
            return e;
        }
    }

    @Override
    public <T extends @Nullable Object> T shutDown(Work<T> onMaster) throws SQLException {
        liveMaster();
        return database.recovery().shutDown(onMaster);
    }

    @Override
    public <T extends @Nullable Object> T endOthers(Work<T> onMaster) throws SQLException {
        List<Runnable> lent = new ArrayList<>();
        database.eachReader((master, satellite) -> lent.add(master.lend(satellite)));
        try {
            return onMaster.run();
        } finally {
            lent.forEach(Runnable::run);
        }
    }

    @Override
    public boolean isClosed() throws SQLException {
        return closed.get() || link.isClosed();
    }

    @Override
    public @Nullable StatementRecorder recorder() {
        return link.session().recorder();
    }

    @Override
    public EmbeddedDatabase database() {
        return database;
    }

    @Override
    public void close() throws SQLException {
        if (closed.compareAndSet(false, true)) {
            try {
                reads.close();
                transaction.leaveGate();
                // Before the connection is closed, so that the database cannot end before its Satellites have.
                database.lifetime().sessionClosed();
            } finally {
                link.close();
                transaction.sessionClosed();
            }
        }
    }
}
