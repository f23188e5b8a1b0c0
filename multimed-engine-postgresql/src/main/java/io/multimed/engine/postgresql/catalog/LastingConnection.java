package io.multimed.engine.postgresql.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to be asked again and again: opened when it is needed, given up when it has failed. Used by one thread. */
public final class LastingConnection {
    /** Connects; blocks until the engine answers. */
    @FunctionalInterface
    public interface Opening {
        Connection open() throws SQLException;
    }

    private static final Logger log = LoggerFactory.getLogger(LastingConnection.class);
    /** An engine that does not answer for so long is not going to. */
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final Opening opening;
    private @Nullable Connection connection;

    public LastingConnection(Opening opening) {
        this.opening = opening;
    }

    /** @throws SQLException if there is none and the engine does not let us in */
    public Connection get() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = opening.open();
            open.setNetworkTimeout(Runnable::run, (int) ANSWER.toMillis());
            connection = open;
        }
        return open;
    }

    /** The next {@link #get} opens another one. */
    public void giveUp() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                // Not close, which would speak to an engine that does not listen.
                open.abort(Runnable::run);
            } catch (SQLException e) {
                log.debug("Giving up a connection: {}", e.getMessage());
            }
        }
    }
}
