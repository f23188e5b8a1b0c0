package io.multimed.protocol.pg;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the peer violates the protocol.
 *
 * <p>It contains the SQLSTATE of PostgreSQL's answer; {@link #silent()} when PostgreSQL closes the connection without an
 * answer, because framing itself is broken.
 */
public final class ProtocolException extends Exception {
    private final String sqlState;
    private final @Nullable String detail;
    private final boolean silent;

    private ProtocolException(String sqlState, String message, @Nullable String detail, boolean silent) {
        super(message, null, false, false);
        this.sqlState = sqlState;
        this.detail = detail;
        this.silent = silent;
    }

    /** Returns an exception to answer with a FATAL error before closing. */
    public static ProtocolException fatal(String sqlState, String message) {
        return new ProtocolException(sqlState, message, null, false);
    }

    /** Returns an exception to answer with a FATAL error with PostgreSQL's DETAIL before closing. */
    public static ProtocolException fatal(String sqlState, String message, String detail) {
        return new ProtocolException(sqlState, message, detail, false);
    }

    /** Returns an exception for lost framing, at which the connection is closed without an answer. */
    public static ProtocolException framing(String message) {
        return new ProtocolException(SqlState.PROTOCOL_VIOLATION, message, null, true);
    }

    public String sqlState() {
        return sqlState;
    }

    public @Nullable String detail() {
        return detail;
    }

    public boolean silent() {
        return silent;
    }
}
