package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.Replica;
import io.multimed.jdbc.session.DriverSession;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A session's read of one statement, which is a transaction of its own, on the replica that takes it. */
final class SingleRead {
    private final FollowedSettings followed;
    private @Nullable Replica replica;

    SingleRead(FollowedSettings followed) {
        this.followed = followed;
    }

    /** Returns the replica on which it runs; null while there is none. */
    @Nullable
    Replica replica() {
        return replica;
    }

    /** Begins the read on a replica. Returns the connection on which to run it. */
    Connection begin(Replica on) throws SQLException {
        boolean followsAll = false;
        try {
            Connection connection = followed.on(on.connection());
            replica = on;
            followsAll = true;
            return connection;
        } finally {
            if (!followsAll) {
                on.endRead();
            }
        }
    }

    /**
     * Ends a read that has succeeded on {@code open}, where it runs.
     *
     * @return false if the node has failed since, perhaps together with the rows
     */
    boolean end(Replica open) throws SQLException {
        replica = null;
        try {
            open.endRead();
            return open.usable();
        } catch (SQLException e) {
            SQLException thrown = open.failed(e);
            if (open.usable()) {
                throw thrown;
            }
            return false;
        }
    }

    /** Handles a failed read. None of its results has reached the application, so it may run on another node. */
    DriverSession.AfterFailure failed(Replica open, SQLException error) throws SQLException {
        replica = null;
        SQLException thrown = open.failed(error);
        boolean ended = false;
        try {
            open.endRead();
            ended = true;
        } catch (SQLException e) {
            // The first error tells the reason, unless this one says that the node has failed.
            thrown.addSuppressed(open.failed(e));
        }
        if (!open.usable()) {
            return new DriverSession.Again(false);
        }
        if (!ended) {
            return new DriverSession.Thrown(thrown);
        }
        boolean elsewhere =
                open.refusedChange(error) || (!open.onMaster() && ReadOnlyTransaction.mayBeTheMastersOwn(error));
        return elsewhere ? new DriverSession.Again(true) : new DriverSession.Thrown(thrown);
    }
}
