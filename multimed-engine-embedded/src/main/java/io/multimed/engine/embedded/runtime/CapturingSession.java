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
    /** Schema in which the session began; null if the engine has no schemas. */
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
     * thread may take it out.
     */
    private final AtomicBoolean inside = new AtomicBoolean();

    /**
     * Whether the open transaction may hold locks in the engine, even if it has changed no rows. Outside the gate it could
     * deadlock: it would wait for the thread that shuts the gate, which waits for the transactions that these locks keep waiting.
     */
    private boolean mayHold;

    private final Turn turn = new Turn();
    /**
     * Whether the transaction is being committed. Then a thread that closes the session leaves it to the commit to end the
     * session's turn.
     */
    private volatile boolean committing;

    /** Whether anything has run on the Master in the open transaction. Such a transaction ends with that Master. */
    private boolean begun;
    /**
     * Identity of the open transaction while it has changes. It serves to detect an end of the transaction that was not announced.
     */
    private @Nullable Object changed;
    /** Whether the transaction ended unannounced, and not by a rollback of the engine. Then its changes are on the Master alone. */
    private boolean missed;
    /** Whether the running statement has failed and the transaction was rolled back with it. */
    private boolean rolledBack;
    /** The error with which a new Master refused the session, because its password has changed since; null if none did. */
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

    /** Sets a new connection to the schema in which the session began. The URL, or H2's INIT, may determine that schema. */
    private void begin(Connection connection) throws SQLException {
        if (schema != null && !schema.equals(connection.getSchema())) {
            connection.setSchema(schema);
        }
    }

    /** Prepares a new connection to a Satellite. */
    void setUp(Connection satellite) throws SQLException {
        begin(satellite);
        listener.ready(satellite);
    }

    /** Whether a single query may run on the Master instead of waiting for a Satellite. */
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

    /** Begins a read or a read-only transaction on the Master, because no Satellite could take it. */
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
                // A transaction that has not begun is not ended later, so its turn ends here.
                turn.leave();
            }
        }
        begun = true;
    }

    /**
     * Takes the turn before entering the gate. A session that waited for its turn inside the gate would delay changes of the
     * catalog.
     */
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
                // The session was closed meanwhile, so nothing else would undo these.
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
            // Either a called routine has committed, or nothing was changed.
            checkStrayed();
        } else if (master.missed()) {
            // Committed by a trigger with a connection of its own, for example, and not by this transaction, which
            // stays open.
            resynchronize();
        }
        freshness.observedOnMaster(database.log());
        reads.observedDefinition();
    }

    /**
     * Notices an unannounced end of the transaction. A routine that a statement calls may commit, or the statement itself in a way
     * that is not known here.
     */
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
            // Another thread has closed the session, and may have rolled the transaction back before the commit.
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
                // The transaction changed nothing that Satellites hold, as long as the names are the same.
                database.log().exclusively(commit);
                return NOTHING;
            } catch (RenamedException e) {
                // Nothing was committed. The new names are valid until the next change of the catalog is placed.
            }
        }
    }

    /** Signals that a change of the catalog was placed between capture and commit. */
    private static final class RenamedException extends SQLException {}

    private SQLException failedCommit(SQLException error) {
        try {
            // The commit may have failed before it reached the engine, so the transaction may still be open.
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
            // The transaction ended with its Master.
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

    /** Makes up for commits that no write set contains. Not inside the gate. */
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
            // The engine has failed, and the missed commits are lost with it. The next user of the engine notices the
            // failure.
        }
    }

    @Override
    public SQLException failedOnMaster(SQLException error) {
        if (closed.get()) {
            // Another thread has closed the session, so the error says nothing about the engine.
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

    /** Connects to the present Master. The open transaction ended with the old one. */
    private void reconnect() throws SQLException {
        ended();
        missed = false;
        while (masterLost()) {
            ReplicatedDatabase.Connected now = connectAgain();
            try {
                master.connection().close();
            } catch (SQLException e) {
                // The engine of this connection has failed.
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
            // Not tried again: H2 delays the whole process for each wrong password.
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
            // The engine has ended, and the open transaction with it.
        }
    }

    @Override
    public void close() throws SQLException {
        if (closed.compareAndSet(false, true)) {
            try {
                reads.close();
                leave();
                // Before the connection is closed, so that the database cannot end before its Satellites have.
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
