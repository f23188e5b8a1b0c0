package io.multimed.bench.client;

import java.sql.SQLException;

/** One client, which works until it is told to stop, and stays connected until it is told otherwise. Runs on a thread of its own. */
public interface Worker extends Runnable {
    /** Before the clock runs. */
    void connect() throws SQLException;

    /** Once it has stopped. */
    void disconnect();
}
