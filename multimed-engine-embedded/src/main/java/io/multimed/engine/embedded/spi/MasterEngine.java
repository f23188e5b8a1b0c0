package io.multimed.engine.embedded.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The engine that executes every update. */
public interface MasterEngine {
    /** Opens an application's connection. */
    MasterSession connect(Properties credentials) throws SQLException;

    /** Whether a session's engine is still the one with which this was opened: a database may be shut down and opened anew. */
    boolean sameEngine(MasterSession session);

    /**
     * Registers the runtime's receiver for commits that the runtime does not make itself. An engine that cannot report them tells
     * of them by {@link #missed}.
     *
     * @param reads for an engine that sees that a session's statement is to be ended, which may run on a Satellite
     */
    default void watch(UnannouncedCommits commits, SessionReads reads) {}

    /**
     * Whether something has been committed since the last call or the last copy that was reported neither by a write set nor
     * through {@link #watch}. Cheap if not.
     */
    default boolean missed() {
        return false;
    }

    /**
     * Whether a commit may exist that Satellites do not have and that {@link #missed} has not reported yet. Called while nothing
     * commits through the runtime.
     */
    default boolean unsettled() {
        return false;
    }

    /** Whether the engine has ended, as far as that is known without a query. Cheap. */
    boolean ended();

    /** Whether the engine stays open without connections. */
    boolean outlivesConnections();

    /** Whether it stays open for a limited time only, and then ends by itself. */
    default boolean lingers() {
        return false;
    }

    /** Releases whatever else keeps the engine open, because no session is connected any more. */
    void release();

    /** Whether its data is on disk, so that no copy in memory may take its place. */
    boolean persistent();

    /** Whether the error says that the engine, not the statement, has failed. */
    boolean engineFailed(Throwable error);

    /**
     * Whether the engine can run a change of the catalog concurrently with update transactions on other tables, and can tell
     * committed from uncommitted data when it is copied. If not, both wait here until no update transaction is open.
     */
    boolean definesBesideTransactions();

    /**
     * Whether the engine would make a change of the catalog wait for transactions of other sessions. These may also have only
     * read; such transactions are not kept out by the gate. Called where changes do not run concurrently with transactions.
     *
     * @param sql the change
     */
    default boolean holdsUpDefinition(MasterSession definer, String sql) {
        return false;
    }

    /** Whether update transactions wait for each other in most cases, and the engine parks a waiting thread at once. */
    default boolean queuesTransactions() {
        return false;
    }

    /**
     * Whether update transactions must run one at a time, from the first statement that may change something to the end, since
     * otherwise their changes could not be assigned to the order of their commits.
     */
    default boolean takesTurns() {
        return false;
    }

    /**
     * Returns the number of changes so far of the names by which write sets refer to tables. A write set captured before the last
     * change must be captured again. Changes only while nothing commits.
     */
    long names();

    /** Marks the present state of the catalog and the tables' contents. */
    CatalogMark mark() throws SQLException;

    /**
     * Returns the changes made by {@code sql} since the mark: the statement to be executed again, and the tables whose contents it
     * changed, or which another session's transaction changed. Called while nothing commits.
     *
     * @param by the connection that executed it
     * @return null if nothing that Satellites hold has changed
     */
    @Nullable
    Changes changedSince(CatalogMark mark, String sql, Connection by) throws SQLException;

    /**
     * Begins a comparison with a Satellite of this engine.
     *
     * @return null if contents cannot be read in parts
     */
    default @Nullable Comparison comparison(SatelliteEngine satellite) {
        return null;
    }

    /** Copies catalog and contents as committed, while nothing commits. The rows are shared, not copied. */
    Image image() throws SQLException;

    /** The catalog and the tables' contents at one moment. */
    interface CatalogMark {}

    /** Everything from which a Satellite is made, as of one SCN. */
    interface Image extends AutoCloseable {
        /** Releases resources other than memory, because no further Satellite will be made from the image. */
        @Override
        default void close() {}

        /**
         * Makes a Satellite from the image.
         *
         * @throws SQLException if it cannot be created; nothing of it is left then
         */
        SatelliteEngine create() throws SQLException;
    }
}
