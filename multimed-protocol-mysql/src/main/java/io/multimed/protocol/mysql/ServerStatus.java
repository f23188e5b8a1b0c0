package io.multimed.protocol.mysql;

/** Status flags of the server in OK and EOF messages. */
public final class ServerStatus {
    public static final int IN_TRANSACTION = 1;
    public static final int AUTOCOMMIT = 1 << 1;
    public static final int MORE_RESULTS = 1 << 3;
    public static final int CURSOR_EXISTS = 1 << 6;
    public static final int LAST_ROW_SENT = 1 << 7;
    public static final int NO_BACKSLASH_ESCAPES = 1 << 9;
    /** A prepared statement has been prepared anew, and has another number of columns now. */
    public static final int METADATA_CHANGED = 1 << 10;

    public static final int IN_READ_ONLY_TRANSACTION = 1 << 13;
    public static final int SESSION_STATE_CHANGED = 1 << 14;
    public static final int ANSI_QUOTES = 1 << 15;

    private ServerStatus() {}

    public static boolean has(int status, int flag) {
        return (status & flag) != 0;
    }
}
