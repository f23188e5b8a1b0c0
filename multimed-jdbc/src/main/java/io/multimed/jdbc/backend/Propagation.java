package io.multimed.jdbc.backend;

import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * How the changes of a session reach the Satellites, and what that demands of the session's statements. The methods here are right
 * for a session whose changes need no record. One thread at a time.
 */
public interface Propagation {
    /** For sessions whose changes need no record: Satellites receive rows, a server propagates changes, or there are no Satellites. */
    Propagation UNRECORDED = new Propagation() {};

    /** Whether each change, definitions included, must be recorded by {@link #changes}, since Satellites execute it again. */
    default boolean records() {
        return false;
    }

    /** Returns the record of the open transaction's changes. */
    default TransactionChanges changes() {
        return TransactionChanges.UNRECORDED;
    }

    /** Whether each definition is a transaction of its own. */
    default boolean definesAlone() {
        return false;
    }

    /** Whether transactions are serializable, whatever isolation level the application requests. */
    default boolean isSerializable() {
        return false;
    }

    /**
     * Whether statements are made with scrollable rows, and under auto-commit all rows are read before the statement is left,
     * because leaving ends the transaction that searches for them.
     */
    default boolean scrolls() {
        return false;
    }

    /**
     * Checks whether a procedure may be called.
     *
     * @throws SQLException 0A000 if not
     */
    default void checkCall() throws SQLException {}

    /**
     * Checks whether a statement may have a parameter that can be read only once.
     *
     * @throws SQLException 0A000 if not
     */
    default void checkStream(SqlText text) throws SQLException {}

    /**
     * Checks whether rows may be changed through a result set.
     *
     * @throws SQLException 0A000 if not
     */
    default void checkRowChange() throws SQLException {}

    /**
     * Checks whether a session may change its catalog.
     *
     * @param engine the connection to the Master
     * @throws SQLException 0A000 if not
     */
    default void checkCatalog(Connection engine, @Nullable String catalog) throws SQLException {}

    /**
     * Checks whether a session may change its schema.
     *
     * @throws SQLException 0A000 if not
     */
    default void checkSchema(@Nullable String schema) throws SQLException {}
}
