package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedDatabase;

/** Listener for the connections to databases inside this process. Any thread. */
public interface DatabaseListener {
    /** Called when a connection to the database has been opened. */
    void opened(EmbeddedDatabase database);

    /** Called when a connection to the database has ended. */
    void closed(EmbeddedDatabase database);
}
