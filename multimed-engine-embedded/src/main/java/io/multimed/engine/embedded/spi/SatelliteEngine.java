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
     * @param connection one of {@link #connect}
     */
    void autoCommit(Connection connection, boolean on) throws SQLException;

    /**
     * A read, one statement or a transaction of several, begins on one of the connections; may wait for some microseconds
     * while something is being applied. Any thread.
     *
     * @return whether it may; if not, the engine has failed
     */
    default boolean readBegins() {
        return true;
    }

    /** A read for which {@link #readBegins} returned true has ended. */
    default void readEnds() {}

    /** Whether a read that has ended must be ended in the engine as well, auto-commit or not, to hold nothing there. */
    default boolean readsHold() {
        return false;
    }

    /** Ends the transaction of a read on one of the connections. */
    default void endRead(Connection connection) throws SQLException {
        connection.commit();
    }

    /** Whether the error says that a statement tried to change something, be it by drawing from a sequence. */
    boolean refusedChange(SQLException error);

    /** Whether the error says that the engine, not the statement, has failed. */
    boolean engineFailed(Throwable error);

    /** Copies catalog and contents, while nothing is applied. The rows are shared, not copied. */
    MasterEngine.Image image() throws SQLException;

    /**
     * Becomes the Master in place of one that has failed: accepts changes, and takes over what Satellites go without, user
     * triggers and the positions of sequences.
     */
    MasterEngine promote(MasterEngine failed) throws SQLException;

    /** Ends the engine at once. Idempotent. */
    void close();
}
