package io.multimed.engine.embedded;

import io.multimed.model.NodeId;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * One session's place at one node: the engine's own connection there. The same object as long as the connection lives,
 * so that statements prepared there can be kept with it; a Satellite that was dropped and made anew gives a new one.
 *
 * <p>Used by the session's thread alone.
 */
public interface Replica {
    NodeId node();

    /** Whether this is the Master: then the read sees what the Master shows, and {@link #connection} is the Master's. */
    boolean onMaster();

    /**
     * The engine's own connection. Between {@link EmbeddedSession#beginRead} and {@link #endRead} it is the caller's;
     * auto-commit has been set as asked. Do not commit, close or change its auto-commit.
     */
    Connection connection();

    /** The read has ended, its result sets too unless they are materialised. Idempotent. Ends the snapshot. */
    void endRead() throws SQLException;

    /**
     * A statement of this read failed. Judges whether the node is to blame: then it is dropped, and what is returned is
     * of a transient class, after which {@link EmbeddedSession#beginRead} finds another node.
     *
     * @return what to throw to the application
     */
    SQLException failed(SQLException error);

    /** Whether the node can still be used; false once it was dropped. Cheap. */
    boolean usable();

    /**
     * Whether this error says that the statement tried to change a Satellite (SQLState 25006): it was misjudged as a
     * read and, if nothing of it has reached the application, belongs on the Master.
     */
    boolean refusedChange(SQLException error);
}
