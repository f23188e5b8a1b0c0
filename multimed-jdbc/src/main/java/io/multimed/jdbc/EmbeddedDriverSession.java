package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.engine.embedded.StatementRecorder;
import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.sql.SqlTexts;
import io.multimed.jdbc.statements.StatementFamily;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection to replicas inside this process. Updates run on the Master, reads on any node that has the commits they must see.
 *
 * <p>At any time at most one of these is open: a read of one statement, a read-only transaction on a Satellite, work on the
 * Master.
 */
final class EmbeddedDriverSession extends Session {
    private static final System.Logger LOG = System.getLogger("io.multimed.jdbc");

    private final String url;
    private final SqlTexts texts;
    private final EmbeddedSession runtime;
    private final DatabaseCatalog catalog;
    private final FollowedSettings followed;
    /** The route of statements that run on the Master, except for reads that no Satellite could take. */
    private final Route routeToMaster;

    private final SingleRead single;
    private final ReadOnlyTransaction reads;
    private final RepeatedChanges changes;
    private final MasterWork work;
    private final TransactionText words;
    private final SessionSettings settings;
    private final SessionWarnings warnings;
    private final ReadChoice choice;

    /** Whether each definition is a transaction of its own, where definitions are executed again on Satellites. */
    private final boolean definesAlone;
    /** Whether all rows are read once before the application gets them. */
    private final boolean scrolls;

    /** Whether the Master has Satellites. */
    private final boolean replicated;

    private Route route = Route.NONE;
    /** Whether the running statement is the driver's answer to a statement for Multimed itself. */
    private boolean answersItself;
    /** The connection on which that answer runs. */
    private @Nullable Connection literal;

    private volatile boolean closed;

    private EmbeddedDriverSession(
            MultimedUrl.Embedded url,
            SqlTexts texts,
            EmbeddedSession runtime,
            DatabaseCatalog catalog,
            FollowedSettings followed,
            boolean scrolls,
            boolean definesAlone) {
        this.url = url.url();
        this.replicated = url.options().replicas() > 1;
        this.texts = texts;
        this.runtime = runtime;
        this.catalog = catalog;
        this.followed = followed;
        single = new SingleRead(followed);
        reads = new ReadOnlyTransaction(runtime);
        changes = new RepeatedChanges(runtime);
        work = new MasterWork(runtime, changes);
        words = new TransactionText(this, runtime, changes);
        settings = new SessionSettings(runtime, followed, texts.dialect());
        warnings = new SessionWarnings(runtime, texts.dialect());
        choice = new ReadChoice(runtime, catalog, texts.dialect(), settings, reads, work, url.onMaster());
        this.scrolls = scrolls && repeats();
        this.definesAlone = definesAlone && repeats();
        routeToMaster = url.onMaster() ? Route.CHOSEN : Route.MASTER;
    }

    static EmbeddedDriverSession open(MultimedUrl.Embedded url) throws SQLException {
        // First the steps in which a description may fail, while there is nothing to be closed.
        SqlTexts texts = KnownTexts.of(url.engine());
        StatementFamily family = url.engine().described();
        boolean scrolls = family != null && family.scrolls();
        boolean definesAlone = family != null && family.definesAlone();
        FollowedSettings followed = new FollowedSettings();
        EmbeddedSession runtime = connect(url, family, followed);
        runtime.freshness(url.options().freshness());
        DatabaseCatalog catalog = DatabaseCatalog.of(
                runtime.database(), url.engine().dialect(), url.credentials().getProperty("user", ""), texts);
        OpenDatabases.opened(runtime.database());
        return new EmbeddedDriverSession(url, texts, runtime, catalog, followed, scrolls, definesAlone);
    }

    private static EmbeddedSession connect(
            MultimedUrl.Embedded url, @Nullable StatementFamily family, FollowedSettings followed) throws SQLException {
        if (family == null) {
            return EmbeddedDatabases.connect(url.options(), url.credentials(), followed);
        }
        return url.options().replicas() == 1
                ? EmbeddedDatabases.alone(
                        url.options(), family.alone(url.options().engineUrl(), url.credentials()))
                : EmbeddedDatabases.connect(family, url.options(), url.credentials(), followed);
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
        if (choice.mayRead(text, masterOnly)) {
            Replica open = reads.replica();
            if (open != null) {
                return followed.on(open.connection());
            }
            // Objects created a moment ago must be known there.
            Replica replica = runtime.beginRead(true);
            try {
                return followed.on(replica.connection());
            } finally {
                replica.endRead();
            }
        }
        return runtime.liveMaster();
    }

    /**
     * Always true: a read runs on any node that has the commits it must see, and a new Master may take the place of the old one.
     */
    @Override
    boolean mayMove(SqlText text) {
        return true;
    }

    @Override
    Connection enter(SqlText text, boolean masterOnly) throws SQLException {
        return enter(text, masterOnly, EmbeddedSession.NO_LIMIT);
    }

    @Override
    void answers(boolean itself) {
        answersItself = itself && texts.dialect() == Dialect.H2;
        if (literal != null && !answersItself) {
            EmbeddedDatabases.allowLiterals(literal, false);
            literal = null;
        }
    }

    @Override
    Connection enter(SqlText text, boolean masterOnly, long mostNanos) throws SQLException {
        Connection entered = entered(text, masterOnly, mostNanos);
        if (answersItself) {
            literal = entered;
            EmbeddedDatabases.allowLiterals(entered, true);
        }
        return entered;
    }

    private Connection entered(SqlText text, boolean masterOnly, long mostNanos) throws SQLException {
        changes.before(text);
        if (choice.mayRead(text, masterOnly)) {
            return enterRead(mostNanos);
        }
        if (settings.readOnly()) {
            if (text.kind() == SqlKind.CHANGE) {
                throw Errors.readOnly();
            }
            reads.leaveForMaster();
        }
        boolean holds = choice.mustHold(text, masterOnly);
        route = routeToMaster;
        return work.enter(text.kind().takesTurn(), holds, mostNanos);
    }

    private Connection enterRead(long mostNanos) throws SQLException {
        if (runtime.autoCommit()) {
            Replica replica = runtime.beginRead(true, mostNanos);
            route = replica.onMaster() ? Route.NO_SATELLITE : Route.READ;
            return single.begin(replica);
        }
        Replica open = reads.replica();
        if (open == null) {
            open = reads.begin(mostNanos);
            route = open.onMaster() ? Route.NO_SATELLITE : Route.READ_ONLY;
        }
        return followed.on(open.connection());
    }

    @Override
    boolean left() throws SQLException {
        Replica read = single.replica();
        if (read == null) {
            leave();
            return true;
        }
        warnings.heed(read);
        return single.end(read);
    }

    @Override
    void leave() throws SQLException {
        if (work.isRunning()) {
            work.leave();
        } else {
            Replica open = reads.replica();
            if (open != null) {
                warnings.heed(open);
            }
            reads.answered();
        }
    }

    @Override
    @Nullable
    SQLWarning warnings() throws SQLException {
        return warnings.of(master());
    }

    @Override
    void clearWarnings() throws SQLException {
        warnings.clear(master());
    }

    @Override
    AfterFailure failed(SQLException error) throws SQLException {
        Replica read = single.replica();
        if (read != null) {
            return single.failed(read, error);
        }
        if (work.isRunning()) {
            return new Thrown(work.failed(error));
        }
        Replica open = reads.replica();
        return open == null ? new Thrown(runtime.failedOnMaster(error)) : reads.failed(open, error);
    }

    @Override
    long define(SqlText text, Work onMaster) throws SQLException {
        if (settings.readOnly()) {
            throw Errors.readOnly();
        }
        if (repeats()) {
            return change(text, onMaster);
        }
        route = routeToMaster;
        if (text.kind() == SqlKind.SHUTDOWN) {
            // The statement ends the engine and with it every session, so there is nothing to propagate.
            rollback();
            return runtime.shutDown(() -> onMaster.run());
        }
        try {
            return runtime.changeCatalog(text.sql(), () -> onMaster.run());
        } finally {
            work.ended();
            catalog.changed();
        }
    }

    /** Runs a definition that is recorded like any other change. */
    private long change(SqlText text, Work onMaster) throws SQLException {
        if (definesAlone) {
            // As the engine would, but through the runtime, so that the replicas receive the changes.
            commit();
        }
        enter(text, true);
        long result;
        try {
            result = onMaster.run();
            changes.executed(text, null, null);
        } catch (SQLException e) {
            throw ((Thrown) failed(e)).error();
        } catch (RuntimeException e) {
            failed(e);
            throw e;
        }
        leave();
        if (definesAlone) {
            commit();
        }
        catalog.changed();
        return result;
    }

    @Override
    boolean repeats() {
        return changes.areRepeated();
    }

    @Override
    boolean readsAhead() {
        return scrolls && runtime.autoCommit();
    }

    @Override
    StatementForm form(StatementForm asked) {
        return scrolls ? asked.scrollable() : asked;
    }

    /** Whether the driver provides auto-commit. For an engine without replicas the engine does. */
    @Override
    boolean joinsBatches() throws SQLException {
        return runtime.autoCommit() && !runtime.master().getAutoCommit();
    }

    @Override
    void executed(SqlText text, @Nullable Parameters parameters, StatementRecorder.Count count) throws SQLException {
        changes.executed(text, parameters, count);
    }

    @Override
    void followed(SqlText text) {
        followed.add(text.name(), text.sql());
    }

    @Override
    void pin() {
        choice.pin();
    }

    @Override
    boolean autoCommit() {
        return runtime.autoCommit();
    }

    @Override
    void autoCommit(boolean on) throws SQLException {
        words.forget();
        if (on != runtime.autoCommit()) {
            work.ended();
            reads.end();
            changes.ended();
            runtime.autoCommit(on);
        }
    }

    @Override
    void begin(SqlText text) throws SQLException {
        words.begin(text);
    }

    @Override
    void commit() throws SQLException {
        reads.complete();
        work.ended();
        try {
            runtime.commit();
        } finally {
            ended();
        }
    }

    @Override
    void rollback() throws SQLException {
        work.ended();
        try {
            reads.complete();
        } catch (SQLException e) {
            // A read-only transaction has no changes that could be lost.
            LOG.log(System.Logger.Level.DEBUG, "a read-only transaction ended with its node", e);
        }
        try {
            runtime.rollback();
        } finally {
            ended();
        }
    }

    @Override
    void prepare(String name) throws SQLException {
        onMaster("PREPARE COMMIT " + quoted(name));
    }

    @Override
    List<String> prepared() throws SQLException {
        List<String> names = new ArrayList<>();
        Connection master = enter(SqlText.CALL, true);
        try (Statement statement = master.createStatement();
                ResultSet rows = statement.executeQuery("SELECT TRANSACTION_NAME FROM INFORMATION_SCHEMA.IN_DOUBT")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw failed(e) instanceof Thrown thrown ? thrown.error() : e;
        }
        leave();
        return names;
    }

    @Override
    void complete(String name, boolean commit) throws SQLException {
        if (commit && replicated) {
            // The session that could report the rows of the transaction has ended.
            throw Errors.notSupported(
                    "The transaction " + name + " was prepared by a session that has gone, and its rows"
                            + " would not reach replicas: commit it with replicas=1, or with the engine alone.");
        }
        onMaster((commit ? "COMMIT TRANSACTION " : "ROLLBACK TRANSACTION ") + quoted(name));
    }

    private void onMaster(String sql) throws SQLException {
        Connection master = enter(SqlText.CALL, true);
        try (Statement statement = master.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw failed(e) instanceof Thrown thrown ? thrown.error() : e;
        }
        leave();
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private void ended() throws SQLException {
        changes.ended();
        words.ended();
    }

    @Override
    Savepoint savepoint(@Nullable String name) throws SQLException {
        if (runtime.autoCommit()) {
            new EngineErrors(dialect()).checkSavepointUnderAutoCommit();
        }
        Connection master = enter(SqlText.CALL, true);
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
        Connection master = enter(SqlText.CALL, true);
        try {
            master.rollback(savepoint);
            changes.rolledBackTo(savepoint);
        } catch (ClassCastException | NullPointerException e) {
            throw Errors.strangeSavepoint(e);
        } finally {
            leave();
        }
    }

    @Override
    void cancel(Statement running) throws SQLException {
        changes.cancel(running);
    }

    @Override
    void release(Savepoint savepoint) throws SQLException {
        try {
            runtime.liveMaster().releaseSavepoint(savepoint);
        } catch (ClassCastException | NullPointerException e) {
            throw Errors.strangeSavepoint(e);
        }
        changes.released(savepoint);
    }

    @Override
    boolean readOnly() throws SQLException {
        return settings.readOnly() || runtime.liveMaster().isReadOnly();
    }

    @Override
    void readOnly(boolean on) throws SQLException {
        if (on != settings.readOnly()) {
            // First, because changes must not be based on reads in another snapshot. Work that is open on the Master
            // stays, since
            // the engine did not object, and keeps its reads there.
            reads.leaveForMaster();
        }
        settings.readOnly(on);
    }

    @Override
    int isolation() throws SQLException {
        return repeats() ? Connection.TRANSACTION_SERIALIZABLE : super.isolation();
    }

    @Override
    void isolation(int level) throws SQLException {
        if (dialect() == Dialect.H2 && !runtime.autoCommit()) {
            // H2 would commit by itself then.
            commit();
        }
        settings.isolation(level);
    }

    @Override
    void schema(String schema) throws SQLException {
        if (repeats() && schema != null && texts.refusesSchema(schema)) {
            throw Errors.notSupported("With propagation=statements names are not looked up in " + schema
                    + ", which replicas do not share.");
        }
        settings.schema(schema);
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
            // The transaction ended with its Master, and there is a new one. A commit now must not seem to have kept
            // the changes.
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
