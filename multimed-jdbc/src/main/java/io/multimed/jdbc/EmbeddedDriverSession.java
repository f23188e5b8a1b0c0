package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedDatabases;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.engine.embedded.StatementRecorder;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.sql.SqlTexts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection to replicas inside this process: updates on the Master, reads wherever what they must see has arrived.
 *
 * <p>At any time at most one of these is open: a read of one statement, a read-only transaction on a Satellite, work on
 * the Master.
 */
final class EmbeddedDriverSession extends Session {
    private static final Map<Dialect, SqlTexts> TEXTS = new EnumMap<>(Dialect.class);

    static {
        for (Dialect dialect : Dialect.values()) {
            TEXTS.put(dialect, SqlTexts.all(dialect));
        }
    }

    private static final System.Logger LOG = System.getLogger("io.multimed.jdbc");

    private final String url;
    private final SqlTexts texts;
    private final EmbeddedSession runtime;
    private final DatabaseCatalog catalog;
    private final FollowedSettings followed;
    /** Why what runs on the Master does, unless it is a read that no Satellite could take. */
    private final Route routeToMaster;

    private final RepeatedChanges changes;
    private final ReadOnlyTransaction reads;

    /** The read of a single statement. */
    private @Nullable Replica reading;
    /** A statement is running on the Master. */
    private boolean updating;
    /** The transaction has done something on the Master. */
    private boolean onMaster;
    /** It had done so before the statement that is running. */
    private boolean wasOnMaster;
    /** The statement that is running is committed by the engine, for the sake of its rows. */
    private boolean holding;

    private boolean readOnly;
    private boolean pinned;
    /** BEGIN as text: auto-commit returns with the end of the transaction. */
    private boolean begun;

    /** What a Satellite's engine has warned of since the Master's last did. Asked for by other threads. */
    private volatile @Nullable SQLWarning warning;

    private Route route = Route.NONE;
    private volatile boolean closed;

    private EmbeddedDriverSession(
            MultimedUrl.Embedded url,
            SqlTexts texts,
            EmbeddedSession runtime,
            DatabaseCatalog catalog,
            FollowedSettings followed) {
        this.url = url.url();
        this.texts = texts;
        this.runtime = runtime;
        this.catalog = catalog;
        this.followed = followed;
        changes = new RepeatedChanges(runtime);
        reads = new ReadOnlyTransaction(runtime);
        pinned = url.onMaster();
        routeToMaster = pinned ? Route.CHOSEN : Route.MASTER;
    }

    static EmbeddedDriverSession open(MultimedUrl.Embedded url) throws SQLException {
        FollowedSettings followed = new FollowedSettings();
        EmbeddedSession runtime = EmbeddedDatabases.connect(url.options(), url.credentials(), followed);
        runtime.freshness(url.options().freshness());
        SqlTexts texts = TEXTS.get(url.engine().dialect());
        if (texts == null) {
            throw new IllegalStateException("no texts of " + url.engine());
        }
        DatabaseCatalog catalog = DatabaseCatalog.of(
                runtime.database(), url.engine().dialect(), url.credentials().getProperty("user", ""), texts);
        OpenDatabases.opened(runtime.database());
        return new EmbeddedDriverSession(url, texts, runtime, catalog, followed);
    }

    @Override
    Dialect dialect() {
        return texts.dialect();
    }

    @Override
    SqlText recognise(String sql) {
        return texts.of(sql);
    }

    @Override
    String url() {
        return url;
    }

    @Override
    Connection master() throws SQLException {
        return runtime.liveMaster();
    }

    @Override
    boolean isSnapshot(ResultSet rows) throws SQLException {
        return rows.getStatement() != null && rows.getStatement().getConnection() != runtime.liveMaster();
    }

    @Override
    Connection preparation(SqlText text, boolean masterOnly) throws SQLException {
        if (mayRead(text, masterOnly)) {
            Replica open = reads.replica();
            if (open != null) {
                return followed.on(open.connection());
            }
            // What was created a moment ago must be known there.
            Replica replica = runtime.beginRead(true);
            try {
                return followed.on(replica.connection());
            } finally {
                replica.endRead();
            }
        }
        return runtime.liveMaster();
    }

    /** Whether the statement is a read that need not see what this transaction has done on the Master. */
    private boolean mayRead(SqlText text, boolean masterOnly) throws SQLException {
        return text.isRead()
                && !masterOnly
                && !pinned
                && !onMaster
                && (readOnly || runtime.autoCommit())
                && text.isReadable(catalog.current(runtime, reads.onMaster()));
    }

    /** Reads go where they find what they must see, and anything goes on on the Master that comes after another. */
    @Override
    boolean mayMove(SqlText text) {
        return true;
    }

    @Override
    Connection enter(SqlText text, boolean masterOnly) throws SQLException {
        return enter(text, masterOnly, EmbeddedSession.NO_LIMIT);
    }

    @Override
    Connection enter(SqlText text, boolean masterOnly, long mostNanos) throws SQLException {
        changes.before(text);
        if (mayRead(text, masterOnly)) {
            if (runtime.autoCommit()) {
                return enter(runtime.beginRead(true, mostNanos));
            }
            Replica open = reads.replica();
            if (open == null) {
                open = reads.begin(mostNanos);
                route = open.onMaster() ? Route.NO_SATELLITE : Route.READ_ONLY;
            }
            return followed.on(open.connection());
        }
        if (readOnly) {
            if (text.kind() == SqlKind.CHANGE) {
                throw Errors.readOnly();
            }
            reads.leaveForMaster();
        }
        boolean holds = mustHold(text, masterOnly);
        route = routeToMaster;
        runtime.beforeUpdate(mostNanos);
        updating = true;
        wasOnMaster = onMaster;
        onMaster = !runtime.autoCommit();
        if (holds) {
            hold();
        }
        return runtime.master();
    }

    private Connection enter(Replica replica) throws SQLException {
        route = replica.onMaster() ? Route.NO_SATELLITE : Route.READ;
        boolean followsAll = false;
        try {
            Connection connection = followed.on(replica.connection());
            reading = replica;
            followsAll = true;
            return connection;
        } finally {
            if (!followsAll) {
                replica.endRead();
            }
        }
    }

    /**
     * Whether its rows may be changed. HSQLDB lets such rows outlast a commit only if they were asked for under auto-commit,
     * which is the driver's here; a query that changes nothing it may commit itself.
     */
    private boolean mustHold(SqlText text, boolean masterOnly) throws SQLException {
        return masterOnly
                && dialect() == Dialect.HSQLDB
                && text.isRead()
                && runtime.autoCommit()
                && !runtime.liveMaster().getAutoCommit()
                && text.isReadable(catalog.current(runtime, false));
    }

    private void hold() throws SQLException {
        try {
            runtime.master().setAutoCommit(true);
            holding = true;
        } catch (SQLException e) {
            throw ((Thrown) failed(e)).error();
        }
    }

    private void held() throws SQLException {
        if (holding) {
            holding = false;
            runtime.master().setAutoCommit(false);
        }
    }

    @Override
    void leave() throws SQLException {
        Replica read = reading;
        if (read != null) {
            reading = null;
            heed(read);
            read.endRead();
        } else if (updating) {
            updating = false;
            try {
                held();
            } finally {
                runtime.afterUpdate();
            }
        } else {
            Replica open = reads.replica();
            if (open != null) {
                heed(open);
            }
            reads.answered();
        }
    }

    /** HSQLDB keeps the last warning of a connection, until it is cleared: here that of whichever node it came from. */
    private void heed(Replica read) {
        if (dialect() != Dialect.HSQLDB || read.onMaster()) {
            return;
        }
        try {
            SQLWarning there = read.connection().getWarnings();
            if (there != null) {
                read.connection().clearWarnings();
                runtime.master().clearWarnings();
                warning = there;
            }
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "an engine has ended with what it has warned of", e);
        }
    }

    @Override
    @Nullable
    SQLWarning warnings() throws SQLException {
        SQLWarning onMaster = master().getWarnings();
        return onMaster == null ? warning : onMaster;
    }

    @Override
    void clearWarnings() throws SQLException {
        warning = null;
        master().clearWarnings();
    }

    @Override
    AfterFailure failed(SQLException error) throws SQLException {
        Replica read = reading;
        if (read != null) {
            reading = null;
            return failedRead(read, error);
        }
        if (updating) {
            updating = false;
            SQLException thrown;
            try {
                held();
            } catch (SQLException e) {
                // The engine has ended, which the error says as well.
                error.addSuppressed(e);
            }
            try {
                changes.failed(error, wasOnMaster);
                thrown = runtime.failedOnMaster(error);
            } finally {
                runtime.afterUpdate();
            }
            return new Thrown(thrown);
        }
        Replica open = reads.replica();
        return open == null ? new Thrown(runtime.failedOnMaster(error)) : reads.failed(open, error);
    }

    /** Nothing of it has reached the application, so it may run elsewhere. */
    private AfterFailure failedRead(Replica read, SQLException error) throws SQLException {
        SQLException thrown = read.failed(error);
        boolean usable = read.usable();
        read.endRead();
        if (!usable) {
            return new Again(false);
        }
        boolean elsewhere =
                read.refusedChange(error) || !read.onMaster() && ReadOnlyTransaction.mayBeTheMastersOwn(error);
        return elsewhere ? new Again(true) : new Thrown(thrown);
    }

    @Override
    long define(SqlText text, Work work) throws SQLException {
        if (readOnly) {
            throw Errors.readOnly();
        }
        if (repeats()) {
            return change(text, work);
        }
        route = routeToMaster;
        if (text.kind() == SqlKind.SHUTDOWN) {
            // Ends the engine and with it every session; there is nobody left to propagate to.
            rollback();
            return runtime.shutDown(() -> work.run());
        }
        try {
            return runtime.changeCatalog(text.sql(), () -> work.run());
        } finally {
            onMaster = false;
            catalog.changed();
        }
    }

    /** A definition that is part of its transaction. */
    private long change(SqlText text, Work work) throws SQLException {
        enter(text, true);
        long result;
        try {
            result = work.run();
            executed(text, null, StatementRecorder.NO_COUNT);
        } catch (SQLException e) {
            throw ((Thrown) failed(e)).error();
        }
        leave();
        catalog.changed();
        return result;
    }

    @Override
    boolean repeats() {
        return changes.areRepeated();
    }

    @Override
    boolean readsAhead() {
        return dialect() == Dialect.DERBY && runtime.autoCommit() && repeats();
    }

    /** With an engine alone auto-commit is the engine's. */
    @Override
    boolean joinsBatches() throws SQLException {
        return runtime.autoCommit() && !runtime.master().getAutoCommit();
    }

    @Override
    void executed(SqlText text, @Nullable Parameters parameters, long rows) throws SQLException {
        changes.executed(text, parameters, rows);
    }

    @Override
    void followed(SqlText text) {
        followed.add(text.name(), text.sql());
    }

    @Override
    void pin() {
        pinned = true;
    }

    @Override
    boolean autoCommit() {
        return runtime.autoCommit();
    }

    @Override
    void autoCommit(boolean on) throws SQLException {
        begun = false;
        if (on != runtime.autoCommit()) {
            onMaster = false;
            reads.end();
            changes.ended();
            runtime.autoCommit(on);
        }
    }

    @Override
    void begin(SqlText text) throws SQLException {
        if (runtime.autoCommit()) {
            runtime.autoCommit(false);
        }
        // Where H2 lets what is open go on, too.
        begun = true;
        if (!text.name().isEmpty()) {
            lock(text);
        }
    }

    /** Nobody else is to change what the transaction reads from now on: it must be the engine's, and on the Master. */
    private void lock(SqlText text) throws SQLException {
        try {
            enter(text, true);
            changes.lock(text.name());
            leave();
        } catch (SQLException e) {
            try {
                throw ((Thrown) failed(e)).error();
            } finally {
                rollback();
            }
        }
    }

    @Override
    void commit() throws SQLException {
        reads.complete();
        onMaster = false;
        try {
            runtime.commit();
        } finally {
            ended();
        }
    }

    @Override
    void rollback() throws SQLException {
        onMaster = false;
        try {
            reads.complete();
        } catch (SQLException e) {
            // Nothing was asked to be kept.
            LOG.log(System.Logger.Level.DEBUG, "a read-only transaction ended with its node", e);
        }
        try {
            runtime.rollback();
        } finally {
            ended();
        }
    }

    private void ended() throws SQLException {
        changes.ended();
        if (begun) {
            begun = false;
            runtime.autoCommit(true);
        }
    }

    @Override
    Savepoint savepoint(@Nullable String name) throws SQLException {
        if (runtime.autoCommit()) {
            new EngineErrors(dialect()).checkSavepointUnderAutoCommit();
        }
        Connection master = enter(recognise("SAVEPOINT"), true);
        try {
            Savepoint savepoint = name == null ? master.setSavepoint() : master.setSavepoint(name);
            changes.savepoint(savepoint);
            return savepoint;
        } finally {
            leave();
        }
    }

    @Override
    void rollback(Savepoint savepoint) throws SQLException {
        Connection master = enter(recognise("SAVEPOINT"), true);
        try {
            master.rollback(savepoint);
            changes.rolledBackTo(savepoint);
        } finally {
            leave();
        }
    }

    @Override
    void cancel(Statement running) throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder == null) {
            running.cancel();
        } else {
            recorder.cancel(running);
        }
    }

    @Override
    void release(Savepoint savepoint) throws SQLException {
        runtime.liveMaster().releaseSavepoint(savepoint);
        changes.released(savepoint);
    }

    @Override
    boolean readOnly() throws SQLException {
        return readOnly || runtime.liveMaster().isReadOnly();
    }

    @Override
    void readOnly(boolean on) throws SQLException {
        if (on != readOnly) {
            // First: changes must not rest on what was read in another snapshot. What is open on the Master stays, as
            // with
            // the engine that did not object, and keeps its reads there.
            reads.leaveForMaster();
        }
        // The engine may object in the middle of a transaction, and guards the Master then.
        if (dialect() != Dialect.SQLITE) {
            runtime.liveMaster().setReadOnly(on);
            followed.readOnly(on);
        }
        readOnly = on;
    }

    @Override
    void isolation(int level) throws SQLException {
        if (dialect() == Dialect.H2 && !runtime.autoCommit()) {
            // It would commit by itself then.
            commit();
        }
        if (!repeats()) {
            // Else it stays serializable, which is at least what was asked for.
            runtime.liveMaster().setTransactionIsolation(level);
            followed.isolation(level);
        }
    }

    @Override
    void schema(String schema) throws SQLException {
        runtime.liveMaster().setSchema(schema);
        if (dialect() == Dialect.SQLITE) {
            return;
        }
        followed.add("SCHEMA", "SET SCHEMA \"" + schema.replace("\"", "\"\"") + "\"");
    }

    @Override
    void set(String name, Setting setting) throws SQLException {
        super.set(name, setting);
        followed.told(name, setting);
    }

    @Override
    @Nullable
    String multimed(SqlText text) throws SQLException {
        return OwnStatements.run(text.sql(), runtime, route);
    }

    @Override
    boolean valid(int timeout) throws SQLException {
        Connection master;
        try {
            master = master();
        } catch (SQLTransactionRollbackException e) {
            // With its Master, while there is another: whoever commits now must not think that anything was kept.
            throw e;
        } catch (SQLException e) {
            return false;
        }
        return master.isValid(timeout);
    }

    @Override
    boolean closed() throws SQLException {
        return closed || runtime.isClosed();
    }

    @Override
    void close() throws SQLException {
        if (!closed) {
            closed = true;
            try {
                runtime.close();
            } finally {
                OpenDatabases.closed(runtime.database());
            }
        }
    }

    @Override
    void abort(Executor executor) throws SQLException {
        executor.execute(() -> {
            try {
                close();
            } catch (SQLException e) {
                LOG.log(System.Logger.Level.DEBUG, "an aborted connection did not close orderly", e);
            }
        });
    }
}
