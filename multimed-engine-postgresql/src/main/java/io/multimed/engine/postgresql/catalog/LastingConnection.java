package io.multimed.engine.postgresql.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection for repeated queries: opened when it is needed, given up when it has failed. Used by one thread. */
public final class LastingConnection {
    /** Connects; blocks until the engine answers. */
    @FunctionalInterface
    public interface Opening {
        Connection open() throws SQLException;
    }

    private static final Logger log = LoggerFactory.getLogger(LastingConnection.class);
    /** Time after which an engine that does not answer is given up. */
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final Opening opening;
    private @Nullable Connection connection;

    public LastingConnection(Opening opening) {
        this.opening = opening;
    }

    /**
     * @throws SQLException if there is no connection and the engine refuses one
     */
    public Connection get() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = opening.open();
            open.setNetworkTimeout(Runnable::run, (int) ANSWER.toMillis());
            connection = open;
        }
        return open;
    }

    /** Gives up the connection; the next {@link #get} opens another one. */
    public void giveUp() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                // close would send a message to an engine that does not read.
                open.abort(Runnable::run);
            } catch (SQLException e) {
                log.debug("Giving up a connection: {}", e.getMessage());
            }
        }
    }
}
