package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.backend.InProcessEngine.Opened;
import io.multimed.jdbc.backend.Propagation;
import io.multimed.jdbc.backend.TransactionChanges;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.sql.SqlTexts;
import io.multimed.jdbc.url.MultimedUrl;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection to replicas inside this process. Updates run on the Master, reads on any node that has the commits they must see.
 * The parts of a session are classes of their own: the {@link RunningStatement}, the {@link SessionTransaction}, settings, warnings,
 * definitions.
 */
public final class EmbeddedDriverSession extends DriverSession {
    private static final System.Logger LOG = System.getLogger("io.multimed.jdbc");

    private final String url;
    private final DatabaseListener listener;
    private final SqlTexts texts;
    private final EmbeddedSession runtime;
    private final Propagation propagation;
    private final SessionSettings settings;
    private final SessionWarnings warnings;
    private final RunningStatement running;
    private final SessionTransaction transaction;
    private final DefinitionExecution definitions;
    private final PreparedTransactions prepared;

    private volatile boolean closed;

    private EmbeddedDriverSession(
            MultimedUrl.Embedded url,
            DatabaseListener listener,
            SqlTexts texts,
            Opened connected,
            FollowedSettings followed,
            EmbeddedCatalog catalog) {
        this.url = url.url();
        this.listener = listener;
        this.texts = texts;
        runtime = connected.runtime();
        propagation = connected.propagation();
        Dialect dialect = texts.dialect();
        TransactionChanges changes = propagation.changes();
        ReadOnlyTransaction reads = new ReadOnlyTransaction(runtime, propagation);
        MasterWork work = new MasterWork(runtime, changes);
        settings = new SessionSettings(runtime, followed, propagation, dialect);
        warnings = new SessionWarnings(runtime, dialect);
        running = new RunningStatement(
                runtime,
                followed,
                settings,
                warnings,
                changes,
                new ReadChoice(runtime, catalog, dialect, settings, reads, work, url.onMaster()),
                reads,
                work,
                new LiteralPermission(dialect),
                url.onMaster() ? ReportedRoute.CHOSEN : ReportedRoute.MASTER);
        transaction = new SessionTransaction(this, runtime, changes, reads, work);
        definitions = new DefinitionExecution(this, runtime, propagation, catalog, running, work);
        prepared = new PreparedTransactions(this, url.options().replicas() > 1);
    }

    /**
     * Connects to the database of a URL, and opens it if this is the first connection.
     *
     * @param listener called when the session has the database, and when the session ends
     */
    public static EmbeddedDriverSession open(MultimedUrl.Embedded url, DatabaseListener listener) throws SQLException {
        // First, because the description of an engine may fail in it, while there is nothing to be closed.
        SqlTexts texts = url.engine().texts();
        FollowedSettings followed = new FollowedSettings();
        Opened connected = url.engine().connect(url.options(), url.credentials(), followed);
        EmbeddedSession runtime = connected.runtime();
        runtime.freshness(url.options().freshness());
        EmbeddedCatalog catalog = EmbeddedCatalog.of(
                runtime.database(), url.engine().dialect(), url.credentials().getProperty("user", ""), texts);
        listener.opened(runtime.database());
        return new EmbeddedDriverSession(url, listener, texts, connected, followed, catalog);
    }

    @Override
    public Dialect dialect() {
        return texts.dialect();
    }

    @Override
    public SqlText recognise(String sql) {
        return texts.of(sql);
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public Propagation propagation() {
        return propagation;
    }

    @Override
    public Connection master() throws SQLException {
        return runtime.liveMaster();
    }

    @Override
    public boolean isSnapshot(ResultSet rows) throws SQLException {
        return rows.getStatement() != null && rows.getStatement().getConnection() != runtime.liveMaster();
    }

    @Override
    public Connection preparation(SqlText text, boolean masterOnly) throws SQLException {
        return running.preparation(text, masterOnly);
    }

    /**
     * Always true: a read runs on any node that has the commits it must see, and a new Master may take the place of the old one.
     */
    @Override
    public boolean mayMove(SqlText text) {
        return true;
    }

    @Override
    public void answers(boolean itself) {
        running.answers(itself);
    }

    @Override
    public Connection enter(SqlText text, boolean masterOnly) throws SQLException {
        return running.enter(text, masterOnly, EmbeddedSession.NO_LIMIT);
    }

    @Override
    public Connection enter(SqlText text, boolean masterOnly, long mostNanos) throws SQLException {
        return running.enter(text, masterOnly, mostNanos);
    }

    @Override
    public boolean left() throws SQLException {
        return running.left();
    }

    @Override
    public void leave() throws SQLException {
        running.leave();
    }

    @Override
    public AfterFailure failed(SQLException error) throws SQLException {
        return running.failed(error);
    }

    @Override
    public long define(SqlText text, Work onMaster) throws SQLException {
        if (settings.readOnly()) {
            throw Errors.readOnly();
        }
        return definitions.run(text, onMaster);
    }

    @Override
    public long endOthers(Work statement) throws SQLException {
        return runtime.endOthers(statement::run);
    }

    /** Whether the driver provides auto-commit. For an engine without replicas the engine does. */
    @Override
    public boolean joinsBatches() throws SQLException {
        return runtime.autoCommit() && !runtime.master().getAutoCommit();
    }

    @Override
    public void followed(SqlText text) {
        settings.follow(text);
    }

    @Override
    public void pin() {
        running.pin();
    }

    @Override
    public boolean autoCommit() {
        return runtime.autoCommit();
    }

    @Override
    public void autoCommit(boolean on) throws SQLException {
        transaction.autoCommit(on);
    }

    @Override
    public void begin(SqlText text) throws SQLException {
        transaction.begin(text);
    }

    @Override
    public void commit() throws SQLException {
        transaction.commit();
    }

    @Override
    public void rollback() throws SQLException {
        transaction.rollback();
    }

    @Override
    public void prepare(String name) throws SQLException {
        prepared.prepare(name);
    }

    @Override
    public List<String> prepared() throws SQLException {
        return prepared.names();
    }

    @Override
    public void complete(String name, boolean commit) throws SQLException {
        prepared.complete(name, commit);
    }

    @Override
    public Savepoint savepoint(@Nullable String name) throws SQLException {
        return transaction.savepoint(name);
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        transaction.rollback(savepoint);
    }

    @Override
    public void release(Savepoint savepoint) throws SQLException {
        transaction.release(savepoint);
    }

    @Override
    public @Nullable SQLWarning warnings() throws SQLException {
        return warnings.of(master());
    }

    @Override
    public void clearWarnings() throws SQLException {
        warnings.clear(master());
    }

    @Override
    public boolean readOnly() throws SQLException {
        return settings.readOnly() || runtime.liveMaster().isReadOnly();
    }

    @Override
    public void readOnly(boolean on) throws SQLException {
        if (on != settings.readOnly()) {
            // First, because changes must not be based on reads in another snapshot. Work that is open on the Master
            // stays, since the engine did not object, and keeps its reads there.
            running.leaveForMaster();
        }
        settings.readOnly(on);
    }

    @Override
    public int isolation() throws SQLException {
        return propagation.isSerializable() ? Connection.TRANSACTION_SERIALIZABLE : super.isolation();
    }

    @Override
    public void isolation(int level) throws SQLException {
        if (dialect() == Dialect.H2 && !runtime.autoCommit()) {
            // H2 would commit by itself then.
            commit();
        }
        settings.isolation(level);
    }

    @Override
    public void schema(String schema) throws SQLException {
        propagation.checkSchema(schema);
        settings.schema(schema);
    }

    @Override
    public void set(String name, Setting setting) throws SQLException {
        settings.set(name, setting);
    }

    @Override
    public @Nullable String multimed(SqlText text) throws SQLException {
        return MultimedStatements.run(text.sql(), runtime, running.route());
    }

    @Override
    public boolean valid(int timeout) throws SQLException {
        Connection master;
        try {
            master = master();
        } catch (SQLTransactionRollbackException e) {
            // The transaction ended with its Master, and there is a new one. A commit now must not seem to have kept
            // the changes.
            throw e;
        } catch (SQLException e) {
            return false;
        }
        return master.isValid(timeout);
    }

    @Override
    public boolean closed() throws SQLException {
        return closed || runtime.isClosed();
    }

    @Override
    public void close() throws SQLException {
        if (!closed) {
            closed = true;
            try {
                runtime.close();
            } finally {
                listener.closed(runtime.database());
            }
        }
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        executor.execute(() -> {
            try {
                close();
            } catch (SQLException e) {
                LOG.log(System.Logger.Level.DEBUG, "an aborted connection did not close orderly", e);
            }
        });
    }
}
