package io.multimed.engine.postgresql.writeset;

import io.multimed.core.spi.EngineException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way on which changes of tables get into the Master's log and out of it, for one database.
 *
 * <p>The methods use connections of {@link MasterDatabase#connect}, in autocommit mode, and may block while the Master answers. Tables are
 * qualified, as in SQL; those that do not exist are left out, and partitions and heirs belong to their table.
 */
interface Capture {
    /**
     * The state that a newcomer gets.
     *
     * @param marks of the captured tables, see {@link #wanted}
     * @param source created now; null if there was one
     * @param from the position from which on a new source gives every commit
     */
    record Begun(Set<String> marks, @Nullable ChangeSource source, long from) {}

    /**
     * Begins to capture tables; {@link #awaitWriters} follows.
     *
     * @param hasSource whether there is a source
     * @param patience the time that transactions have to end which must be waited for
     * @throws EngineException if a table cannot be captured: with the remedy
     */
    Begun begin(Connection master, Collection<String> tables, boolean hasSource, Duration patience)
            throws SQLException, EngineException, InterruptedException;

    /**
     * Waits until the transactions have ended that may have written to tables before they were captured. From then on every commit's changes
     * of these tables are captured whole.
     *
     * @throws EngineException if the time is over; the message names the transaction that was waited for
     */
    void awaitWriters(Connection master, Collection<String> tables, Duration patience)
            throws SQLException, EngineException, InterruptedException;

    /** Returns the marks of all tables that have to be captured for these, with their names. Two tables, and two forms of one, have two marks. */
    Map<String, String> wanted(Connection master, Collection<String> tables) throws SQLException;

    /** Returns why changes may be lost, because somebody else has interfered; empty if they are not. */
    String damage(Connection master) throws SQLException;

    /** Has no tables captured but these. */
    void retain(Connection master, Collection<String> tables) throws SQLException;

    /** Removes the source, and all that was made on the Master; nobody receives. */
    void drop(Connection master) throws SQLException, InterruptedException;
}
