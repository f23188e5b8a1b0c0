package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;

/** Which of a session's statements may be answered by a Satellite. */
final class ReadChoice {
    private final EmbeddedSession runtime;
    private final DatabaseCatalog catalog;
    private final Dialect dialect;
    private final SessionSettings settings;
    private final ReadOnlyTransaction reads;
    private final MasterWork work;
    private boolean pinned;

    /** @param pinned whether none may */
    ReadChoice(
            EmbeddedSession runtime,
            DatabaseCatalog catalog,
            Dialect dialect,
            SessionSettings settings,
            ReadOnlyTransaction reads,
            MasterWork work,
            boolean pinned) {
        this.runtime = runtime;
        this.catalog = catalog;
        this.dialect = dialect;
        this.settings = settings;
        this.reads = reads;
        this.work = work;
        this.pinned = pinned;
    }

    /** From now on none may: the session holds something on the Master that no Satellite has. */
    void pin() {
        pinned = true;
    }

    /** Whether the statement is a read that need not see what this transaction has done on the Master. */
    boolean mayRead(SqlText text, boolean masterOnly) throws SQLException {
        return text.isRead()
                && !masterOnly
                && !pinned
                && !work.hasBegun()
                && (settings.readOnly() || runtime.autoCommit())
                && text.isReadable(catalog.current(runtime, reads.onMaster()));
    }

    /**
     * Whether the engine has to let rows that may be changed outlast the commit. HSQLDB does so only if they were asked for
     * under auto-commit, which is the driver's here; a query that changes nothing it may commit itself.
     */
    boolean mustHold(SqlText text, boolean masterOnly) throws SQLException {
        return masterOnly
                && dialect == Dialect.HSQLDB
                && text.isRead()
                && runtime.autoCommit()
                && !runtime.liveMaster().getAutoCommit()
                && text.isReadable(catalog.current(runtime, false));
    }
}
