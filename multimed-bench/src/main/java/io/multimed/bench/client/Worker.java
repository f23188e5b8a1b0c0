package io.multimed.bench.client;

import java.sql.SQLException;

/** One client, which works until it is stopped, and stays connected until it is disconnected. Runs on a thread of its own. */
public interface Worker extends Runnable {
    /** Before the clock runs. */
    void connect() throws SQLException;

    /** Once it has stopped. */
    void disconnect();
}
