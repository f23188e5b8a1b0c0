package io.multimed.engine.embedded;

import io.multimed.model.NodeId;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * One session's engine connection to one node. It is the same object as long as the connection lives, so that statements prepared
 * on the connection can be kept with it. A Satellite that was dropped and rebuilt gives a new one.
 *
 * <p>Used by the session's thread alone.
 */
public interface Replica {
    NodeId node();

    /**
     * Whether this is the Master. Then the read sees the Master's present state, and {@link #connection} is the connection to the
     * Master.
     */
    boolean onMaster();

    /**
     * Returns the engine's own connection. Between {@link EmbeddedSession#beginRead} and {@link #endRead} the caller may use it;
     * auto-commit has been set as requested. Do not commit, close or change its auto-commit.
     */
    Connection connection();

    /** Ends the read and its snapshot. Its result sets end too unless they are materialised. Idempotent. */
    void endRead() throws SQLException;

    /**
     * Judges an error of a statement of this read. If the node is to blame, it is dropped, and the returned error is of a
     * transient class; {@link EmbeddedSession#beginRead} then finds another node.
     *
     * @return the error to throw to the application
     */
    SQLException failed(SQLException error);

    /** Whether the node can still be used; false once it was dropped. Cheap. */
    boolean usable();

    /**
     * Whether the error says that the statement tried to change a Satellite (SQLState 25006). Such a statement was misjudged as a
     * read. It belongs on the Master, if none of its results has reached the application.
     */
    boolean refusedChange(SQLException error);
}
