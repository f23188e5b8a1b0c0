package io.multimed.engine.embedded.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The connection that opened a database, until a session takes it: so that the database is not closed before there is one.
 * Only whoever has the same credentials gets it, for it is logged in already. Any thread.
 */
public final class Opener<C extends Connection> {
    private final Properties credentials;
    private @Nullable C connection;

    /**
     * @param connection null if the database was opened otherwise
     * @param credentials with which it was opened
     */
    public Opener(@Nullable C connection, Properties credentials) {
        this.connection = connection;
        this.credentials = credentials;
    }

    /** The connection, once, for a session with these credentials; null if it is somebody else's. */
    public synchronized @Nullable C take(Properties session) {
        return credentials.equals(session) ? take() : null;
    }

    private synchronized @Nullable C take() {
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
