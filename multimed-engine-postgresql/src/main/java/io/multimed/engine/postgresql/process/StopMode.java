package io.multimed.engine.postgresql.process;

import io.multimed.engine.process.Native;

/** The ways in which a PostgreSQL server can be asked to end (manual, section "Shutting Down the Server"). */
public enum StopMode {
    /** Waits until every client has gone. */
    SMART(Native.SIGTERM, "TERM"),
    /** Ends all connections, rolls back what is running, writes a checkpoint. */
    FAST(Native.SIGINT, "INT"),
    /** Ends at once; the next start recovers from the log. */
    IMMEDIATE(Native.SIGQUIT, "QUIT");

    final int signal;
    final String signalName;

    StopMode(int signal, String signalName) {
        this.signal = signal;
        this.signalName = signalName;
    }
}
