package io.multimed.bench.client;

import java.sql.SQLException;

/** One client, which works until it is stopped, and stays connected until it is disconnected. Runs on a thread of its own. */
public interface Worker extends Runnable {
    /** Connects, before the measurement begins. */
    void connect() throws SQLException;

    /** Disconnects, once the client has stopped. */
    void disconnect();
}
