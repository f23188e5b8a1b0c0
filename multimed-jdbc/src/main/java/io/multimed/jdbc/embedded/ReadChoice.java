package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;

/** Decides which of a session's statements a Satellite may answer. */
final class ReadChoice {
    private final EmbeddedSession runtime;
    private final EmbeddedCatalog catalog;
    private final Dialect dialect;
    private final SessionSettings settings;
    private final ReadOnlyTransaction reads;
    private final MasterWork work;
    private boolean pinned;

    /**
     * Makes the choice for a session.
     *
     * @param pinned whether all statements run on the Master
     */
    ReadChoice(
            EmbeddedSession runtime,
            EmbeddedCatalog catalog,
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

    /** Makes all statements run on the Master from now on: the session holds something there that no Satellite has. */
    void pin() {
        pinned = true;
    }

    /** Whether the statement is a read that need not see the changes of this transaction on the Master. */
    boolean mayRead(SqlText text, boolean masterOnly) throws SQLException {
        return text.isRead()
                && !masterOnly
                && !pinned
                && !work.hasBegun()
                && (settings.readOnly() || runtime.autoCommit())
                && text.isReadable(catalog.current(runtime, reads.onMaster()));
    }

    /**
     * Whether the engine must keep rows that may be changed open after the commit. HSQLDB does so only if they were requested
     * under auto-commit, which the driver provides here. HSQLDB may commit a query that changes nothing itself.
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
