package io.multimed.engine.embedded.spi;

import io.multimed.core.writeset.WriteSetTarget;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** An engine that holds a copy in memory and executes reads. It rejects every change not made by {@link #apply}. */
public interface SatelliteEngine extends WriteSetTarget<Changes> {
    /** Opens a connection on which each statement reads one snapshot; auto-commit is on. */
    Connection connect(Properties credentials) throws SQLException;

    /**
     * Switches between auto-commit and transactions that read one snapshot. No transaction is open.
     *
     * @param connection a connection returned by {@link #connect}
     */
    void autoCommit(Connection connection, boolean on) throws SQLException;

    /**
     * Begins a read, one statement or a transaction of several, on one of the connections. May wait for some microseconds while
     * changes are being applied. Any thread.
     *
     * @return whether the read may go on; if not, the engine has failed
     */
    default boolean readBegins() {
        return true;
    }

    /** Ends a read for which {@link #readBegins} returned true. */
    default void readEnds() {}

    /** Whether a read must be ended in the engine as well, with or without auto-commit, because it would hold something there. */
    default boolean readsHold() {
        return false;
    }

    /** Ends the transaction of a read on one of the connections. */
    default void endRead(Connection connection) throws SQLException {
        connection.commit();
    }

    /** Whether the error says that a statement tried to change something, possibly by drawing from a sequence. */
    boolean refusedChange(SQLException error);

    /** Whether the error says that the engine, not the statement, has failed. */
    boolean engineFailed(Throwable error);

    /** Copies catalog and contents, while nothing is applied. The rows are shared, not copied. */
    MasterEngine.Image image() throws SQLException;

    /**
     * Becomes the Master in place of one that has failed. Accepts changes from now on, and takes over the state that Satellites do
     * not have: user triggers and the positions of sequences.
     */
    MasterEngine promote(MasterEngine failed) throws SQLException;

    /** Ends the engine at once. Idempotent. */
    void close();
}
