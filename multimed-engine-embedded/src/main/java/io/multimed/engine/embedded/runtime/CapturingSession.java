package io.multimed.engine.embedded.runtime;

import io.multimed.core.session.SessionFreshness;
import io.multimed.core.writeset.WriteSetLog;
import io.multimed.engine.embedded.EmbeddedDatabase;
import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.StatementRecorder;
import io.multimed.engine.embedded.TransactionErrors;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.model.Freshness;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A session on a database with Satellites. */
final class CapturingSession implements EmbeddedSession {
    private final ReplicatedDatabase database;
    private final Properties credentials;
    private final ReplicaListener listener;
    /** In which the engine began; null if it knows none. */
    private final @Nullable String schema;

    private final SessionFreshness freshness;
    private final ReadPlacement reads;
    private final Definitions definitions;
    private final AtomicBoolean closed = new AtomicBoolean();
    private Epoch epoch;
    private MasterSession master;
    private boolean autoCommit = true;
    /**
     * Whether the open transaction is inside the gate: it has changed something, or a statement that may is running. Another
     * thread may end that.
     */
    private final AtomicBoolean inside = new AtomicBoolean();

    /**
     * Whether the open transaction has done something for which the engine may have others wait, changed rows or not: outside the gate it
     * would have to wait for whoever shuts that, who waits for those that it keeps waiting.
     */
    private boolean mayHold;

    private final Turn turn = new Turn();
    /** The transaction is being committed: whoever closes the session meanwhile leaves its turn to that. */
    private volatile boolean committing;

    /** Whether anything has run on the Master in the open transaction: then it ends with that Master. */
    private boolean begun;
    /** Stands for the open transaction as long as it has changes: it must not end without anybody being told. */
    private @Nullable Object changed;
    /** It has, and not since the engine rolled it back: what it had changed is on the Master alone. */
    private boolean missed;
    /** The statement that is running has failed, and the transaction with it. */
    private boolean rolledBack;
    /** Why no other Master lets the session in: its password has changed since. */
    private @Nullable SQLException lockedOut;

    CapturingSession(
            ReplicatedDatabase database,
            EmbeddedOptions options,
            Properties credentials,
            ReplicaListener listener,
            Epoch epoch,
            MasterSession master)
            throws SQLException {
        this.database = database;
        this.definitions = database.definitions();
        this.credentials = credentials;
        this.listener = listener;
        this.epoch = epoch;
        this.master = master;
        this.freshness = new SessionFreshness(options.freshness());
        this.reads = new ReadPlacement(database, this, options, credentials);
        this.schema = master.schema();
    }

    @Override
    public Connection master() {
        return master.connection();
    }

    @Override
    public Connection liveMaster() throws SQLException {
        if (masterLost()) {
            boolean lost = begun;
            reconnect();
            if (lost) {
                throw Errors.masterFailed(null);
            }
        }
        return master();
    }

    private boolean masterLost() {
        return !database.current(epoch) || epoch.master().ended();
    }

    /** A new connection is to be in the schema in which the session began: the URL, or H2's INIT, may say which. */
    private void begin(Connection connection) throws SQLException {
        if (schema != null && !schema.equals(connection.getSchema())) {
            connection.setSchema(schema);
        }
    }

    /** A new connection to a Satellite. */
    void setUp(Connection satellite) throws SQLException {
        begin(satellite);
        listener.ready(satellite);
    }

    /** Whether a query by itself may as well run on the Master as wait for a Satellite. */
    boolean readsFreely() {
        return !begun && master.readsFreely();
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
        before(mayChange ? Turn.Wish.CHANGE : autoCommit ? Turn.Wish.READ : Turn.Wish.READ_FIRST, mostNanos);
        mayHold |= mayChange && epoch.master().queuesTransactions();
    }

    /** A read, or a read-only transaction, begins on the Master since no Satellite could take it. */
    void beforeRead(long mostNanos) throws SQLException {
        before(Turn.Wish.READ, mostNanos);
    }

    private void before(Turn.Wish wish, long mostNanos) throws SQLException {
        liveMaster();
        takeTurn(wish, mostNanos);
        boolean entered = false;
        try {
            enter(mostNanos);
            entered = true;
        } finally {
            if (!entered && !begun) {
                // Nobody ends a transaction that has not begun.
                turn.leave();
            }
        }
        begun = true;
    }

    /** Before the gate: who waits for the turn is not inside, where a change of the catalog would wait for it. */
    private void takeTurn(Turn.Wish wish, long mostNanos) throws SQLException {
        if (!epoch.master().takesTurns()) {
            return;
        }
        boolean current;
        try {
            current = turn.before(epoch, master, wish, begun, Math.min(Definitions.patience(master), mostNanos));
        } catch (SQLException | RuntimeException e) {
            turn.leave();
            throw e;
        }
        if (!current) {
            try {
                master.rollback();
            } finally {
                ended();
            }
            throw Errors.overtaken();
        }
    }

    private void enter(long mostNanos) throws SQLException {
        if (!inside.get()) {
            definitions.enter(epoch, master, mostNanos);
            inside.set(true);
            if (closed.get()) {
                // Nobody else would.
                leave();
                turn.leave();
                throw Errors.aborted();
            }
        }
    }

    private void leave() {
        if (inside.getAndSet(false)) {
            definitions.leave(epoch);
        }
    }

    @Override
    public void afterUpdate() throws SQLException {
        noticeEnd();
        if (autoCommit) {
            commit();
        } else if (inside.get() && !master.hasChanges() && (!mayHold || master.strayed())) {
            leave();
            // Committed by what it called, or nothing happened.
            checkStrayed();
        } else if (master.missed()) {
            // By a trigger with a connection of its own, say: not by this transaction, which stays open.
            resynchronize();
        }
        freshness.observedOnMaster(database.log());
        reads.observedDefinition();
    }

    /** What a statement calls may commit, or the statement itself in a way that is not known here. */
    private void noticeEnd() {
        Object before = changed;
        changed = master.hasChanges() ? master.transaction() : null;
        if (before != null && before != changed && !rolledBack && !master.isOpen(before)) {
            missed = true;
        }
        rolledBack = false;
    }

    @Override
    public long commit() throws SQLException {
        liveMaster();
        long scn = NOTHING;
        committing = true;
        try {
            if (master.hasChanges()) {
                turn.committing();
                scn = commitChanges(epoch, master);
            } else {
                master.commit();
            }
        } catch (SQLException e) {
            throw failedCommit(e);
        } finally {
            ended();
            committing = false;
        }
        if (closed.get()) {
            // By another thread, which may have rolled back what was to be committed.
            throw Errors.aborted();
        }
        freshness.observedOnMaster(database.log());
        checkStrayed();
        return scn;
    }

    private void ended() {
        begun = false;
        changed = null;
        rolledBack = false;
        mayHold = false;
        leave();
        turn.leave();
    }

    private long commitChanges(Epoch of, MasterSession session) throws SQLException {
        while (true) {
            long names = of.master().names();
            Changes changes = session.capture();
            WriteSetLog.Commit<SQLException> commit = () -> {
                if (!database.current(of)) {
                    throw new SQLException("the master has been replaced");
                }
                if (of.master().names() != names) {
                    throw new RenamedException();
                }
                session.commit();
            };
            try {
                if (changes != null) {
                    return database.log().commit(changes, changes.rows(), commit);
                }
                // Nothing that Satellites hold, under these names.
                database.log().exclusively(commit);
                return NOTHING;
            } catch (RenamedException e) {
                // Nothing has been committed; the names hold as long as no other change of the catalog is placed.
            }
        }
    }

    /** A change of the catalog was placed between capture and commit. */
    private static final class RenamedException extends SQLException {}

    private SQLException failedCommit(SQLException error) {
        try {
            // It may have failed before the engine was asked.
            master.rollback();
        } catch (SQLException e) {
            error.addSuppressed(e);
        }
        leave();
        return failedOnMaster(error);
    }

    @Override
    public void rollback() throws SQLException {
        if (masterLost()) {
            // It went with its Master.
            reconnect();
            return;
        }
        try {
            master.rollback();
        } catch (SQLException e) {
            leave();
            throw failedOnMaster(e);
        } finally {
            ended();
        }
        checkStrayed();
    }

    @Override
    public <T extends @Nullable Object> T changeCatalog(String sql, Work<T> onMaster) throws SQLException {
        commit();
        liveMaster();
        try {
            return definitions.run(epoch, master, sql, onMaster);
        } catch (SQLException e) {
            throw failedOnMaster(e);
        } finally {
            freshness.observedOnMaster(database.log());
        }
    }

    /** Something may have been committed that no write set tells. Not inside the gate. */
    void checkStrayed() throws SQLException {
        missed |= master.missed();
        if (missed) {
            resynchronize();
            missed = false;
            return;
        }
        definitions.checkStrayed(epoch, master);
    }

    private void resynchronize() throws SQLException {
        try {
            definitions.resynchronize(epoch, master);
        } catch (SQLException e) {
            if (!epoch.master().engineFailed(e)) {
                throw e;
            }
            // Missed replies went with it; the next user is told.
        }
    }

    @Override
    public SQLException failedOnMaster(SQLException error) {
        if (closed.get()) {
            // By another thread: that says nothing about the engine.
            return error;
        }
        Epoch of = epoch;
        if (database.current(of) && !of.master().engineFailed(error)) {
            rolledBack = TransactionErrors.rollback(error) != null;
            return error;
        }
        leave();
        try {
            database.recovery().masterFailed(of, error, credentials);
            reconnect();
            return Errors.masterFailed(error);
        } catch (SQLException e) {
            return e;
        }
    }

    /** To the Master that is there now; what was open went with the old one. */
    private void reconnect() throws SQLException {
        ended();
        missed = false;
        while (masterLost()) {
            ReplicatedDatabase.Connected now = connectAgain();
            try {
                master.connection().close();
            } catch (SQLException e) {
                // Its engine has failed.
            }
            epoch = now.epoch();
            master = now.session();
            begin(master());
            listener.replaced(master());
            reads.masterReplaced();
        }
    }

    private ReplicatedDatabase.Connected connectAgain() throws SQLException {
        if (lockedOut != null) {
            // Not asked again: H2 makes the whole process wait for each wrong password.
            throw lockedOut;
        }
        try {
            return database.connectToMaster(credentials);
        } catch (SQLException e) {
            if (Errors.isLogin(e)) {
                lockedOut = e;
            }
            throw e;
        }
    }

    @Override
    public <T extends @Nullable Object> T shutDown(Work<T> onMaster) throws SQLException {
        liveMaster();
        return database.recovery().shutDown(onMaster);
    }

    @Override
    public boolean isClosed() throws SQLException {
        return closed.get() || lockedOut != null || (masterLost() ? database.closed() : master().isClosed());
    }

    @Override
    public @Nullable StatementRecorder recorder() {
        return master.recorder();
    }

    @Override
    public EmbeddedDatabase database() {
        return database;
    }

    private void closeMaster() {
        try (Connection connection = master.connection()) {
            if (!connection.isClosed()) {
                master.rollback();
            }
        } catch (SQLException e) {
            // Its engine has ended, and with it what was open.
        }
    }

    @Override
    public void close() throws SQLException {
        if (closed.compareAndSet(false, true)) {
            try {
                reads.close();
                leave();
                // While it is still open, so that the database cannot end before its Satellites have.
                database.sessionClosed();
            } finally {
                closeMaster();
                if (!committing) {
                    turn.leave();
                }
            }
        }
    }
}
