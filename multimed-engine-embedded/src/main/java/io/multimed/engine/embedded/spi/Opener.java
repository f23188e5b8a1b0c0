package io.multimed.engine.embedded.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the connection that opened a database until a session takes it, so that the database is not closed before there is a
 * session. Only a session with the same credentials gets it, because it is logged in already. Any thread.
 */
public final class Opener<C extends Connection> {
    private final Properties credentials;
    private @Nullable C connection;

    /**
     * Makes the holder.
     *
     * @param connection null if the database was opened otherwise
     * @param credentials credentials with which it was opened
     */
    public Opener(@Nullable C connection, Properties credentials) {
        this.connection = connection;
        this.credentials = credentials;
    }

    /** Returns the connection, once, for a session with these credentials; null if the credentials differ or it was taken. */
    public synchronized @Nullable C take(Properties session) {
        return credentials.equals(session) ? take() : null;
    }

    private synchronized @Nullable C take() {
        C taken = connection;
        connection = null;
        return taken;
    }

    /** Closes the connection if no session has taken it: the last session has ended, and the database follows its own rule now. */
    public void release() {
        C left = take();
        try {
            if (left != null) {
                left.close();
            }
        } catch (SQLException e) {
            // The database has ended already, and the connection with it.
        }
    }
}
