package io.multimed.jdbc.backend;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlTexts;
import java.sql.SQLException;
import java.util.Properties;

/** An engine that runs inside this process. Any thread. */
public interface InProcessEngine {
    /** A session of the runtime, and how its changes reach the Satellites. */
    record Opened(EmbeddedSession runtime, Propagation propagation) {}

    /** Returns the word after {@code jdbc:}. */
    String name();

    Dialect dialect();

    /** Loads the engine's driver, which registers itself. */
    void load() throws SQLException;

    /** Returns the texts recognised before: one cache for all databases of the engine. */
    SqlTexts texts() throws SQLException;

    /** Whether Satellites receive the rows that a transaction has changed. Otherwise they execute its statements again. */
    boolean capturesRows();

    /**
     * Connects to a database.
     *
     * @param listener called when the connections to the session's nodes change
     */
    Opened connect(EmbeddedOptions options, Properties credentials, ReplicaListener listener) throws SQLException;
}
