package io.multimed.engine.embedded.spi;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The connection that opened a database, until a session takes it: so that the database is not closed before there is one.
 * Any thread.
 */
public final class Opener<C extends Connection> {
    private @Nullable C connection;

    /** @param connection null if the database was opened otherwise */
    public Opener(@Nullable C connection) {
        this.connection = connection;
    }

    /** The connection, once. */
    public synchronized @Nullable C take() {
        C taken = connection;
        connection = null;
        return taken;
    }

    /** Closes it if no session has taken it: the last one has gone, and the database follows its own rule now. */
    public void release() {
        C left = take();
        try {
            if (left != null) {
                left.close();
            }
        } catch (SQLException e) {
            // The database has gone already, and the connection with it.
        }
    }
}
