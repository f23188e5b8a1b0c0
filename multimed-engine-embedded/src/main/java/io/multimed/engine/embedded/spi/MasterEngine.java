package io.multimed.engine.embedded.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The engine that executes every update. */
public interface MasterEngine {
    /** Opens an application's connection. */
    MasterSession connect(Properties credentials) throws SQLException;

    /** Whether a session's engine is still the one that this was opened with: a database may be shut down and opened anew. */
    boolean sameEngine(MasterSession session);

    /** The runtime takes commits that it does not make itself; an engine that cannot tell of them says so by {@link #missed}. */
    default void watch(UnannouncedCommits commits) {}

    /**
     * Whether something has been committed, since the last call or the last copy, that neither a write set nor {@link #watch} has
     * told. Cheap if not.
     */
    default boolean missed() {
        return false;
    }

    /**
     * Whether something may have been committed that {@link #missed} is yet to tell, which Satellites do not have. Called while nothing
     * commits through the runtime.
     */
    default boolean unsettled() {
        return false;
    }

    /** Whether the engine has ended, as far as that is known without asking it. Cheap. */
    boolean ended();

    /** Whether the engine goes on without connections. */
    boolean outlivesConnections();

    /** Whether it does so for a while only, and then ends by itself. */
    default boolean lingers() {
        return false;
    }

    /** No session is connected any more: what keeps the engine open besides is let go. */
    void release();

    /** Whether its data is on disk, so that no copy in memory may take its place. */
    boolean persistent();

    /** Whether the error says that the engine, not the statement, has failed. */
    boolean engineFailed(Throwable error);

    /**
     * Whether the engine runs a change of the catalog beside update transactions that concern other tables, and can tell what
     * is committed from what is not when it is copied. If not, both wait here until no update transaction is open.
     */
    boolean definesBesideTransactions();

    /**
     * Whether the engine would let a change of the catalog wait for transactions of other sessions, also such as have only read
     * and are therefore kept away by nobody. Asked where changes do not run beside transactions.
     *
     * @param sql the change
     */
    default boolean holdsUpDefinition(MasterSession definer, String sql) {
        return false;
    }

    /**
     * Whether update transactions wait for each other more often than not, and the engine puts a thread that waits to sleep at
     * once.
     */
    default boolean queuesTransactions() {
        return false;
    }

    /**
     * Whether update transactions must run one at a time, from the first statement that may change something to the end, since
     * what they have changed could not be told in the order of their commits.
     */
    default boolean takesTurns() {
        return false;
    }

    /**
     * Counts how often the names have changed by which write sets call tables. One that was captured before the last time
     * must be captured again. Changes only while nothing commits.
     */
    long names();

    /** Marks the catalog and the tables' contents as they are. */
    CatalogMark mark() throws SQLException;

    /**
     * What has changed since the mark by {@code sql}: to be executed again, and the tables whose contents it changed, or
     * somebody else's transaction did. Called while nothing commits.
     *
     * @param by the connection that executed it
     * @return null if nothing that Satellites hold
     */
    @Nullable
    Changes changedSince(CatalogMark mark, String sql, Connection by) throws SQLException;

    /**
     * Begins a comparison with a Satellite of this engine.
     *
     * @return null if contents cannot be looked at in parts
     */
    default @Nullable Comparison comparison(SatelliteEngine satellite) {
        return null;
    }

    /** Copies catalog and contents as committed, while nothing commits. The rows are shared, not copied. */
    Image image() throws SQLException;

    /** The catalog and the tables' contents at one moment. */
    interface CatalogMark {}

    /** Everything that a Satellite is made of, as of one SCN. */
    interface Image extends AutoCloseable {
        /** No Satellite will be made of it any more: what it holds besides memory is let go. */
        @Override
        default void close() {}

        /**
         * Makes a Satellite of it.
         *
         * @throws SQLException if it cannot be created; nothing of it is left then
         */
        SatelliteEngine create() throws SQLException;
    }
}
