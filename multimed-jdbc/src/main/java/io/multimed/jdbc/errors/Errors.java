package io.multimed.jdbc.errors;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransactionRollbackException;

/** The driver's own errors: SQLState, the problem, and its solution. */
public final class Errors {
    /** The request is impossible, which was found before any engine was called (SQL:2016, class 08). */
    static final String CANNOT_CONNECT = "08001";

    static final String CLOSED = "08003";
    static final String NOT_SUPPORTED = "0A000";
    static final String READ_ONLY = "25006";
    static final String INVALID_VALUE = "22023";

    private Errors() {}

    public static SQLException cannotConnect(String sentence) {
        return new SQLNonTransientConnectionException(sentence, CANNOT_CONNECT);
    }

    public static SQLException notSupported(String sentence) {
        return new SQLFeatureNotSupportedException(sentence, NOT_SUPPORTED);
    }

    public static SQLException invalid(String sentence) {
        return new SQLException(sentence, INVALID_VALUE);
    }

    public static SQLException readOnly() {
        return new SQLException(
                "The connection is read-only: call setReadOnly(false) before changing anything.", READ_ONLY);
    }

    /** Returns the error for a foreign savepoint. Some engines throw errors of the JDK for it. */
    public static SQLException strangeSavepoint(RuntimeException cause) {
        return new SQLException("The savepoint is not one of this connection.", "3B001", cause);
    }

    /** Returns the error for a text without a statement. Some engines throw errors of the JDK for it. */
    public static SQLException noStatement(RuntimeException cause) {
        return new SQLException("There is no statement that could be prepared or executed.", "42000", cause);
    }

    public static SQLException nodeFailed(SQLException cause) {
        return new SQLTransactionRollbackException(
                "The replica on which these rows were read has failed; run the transaction again.", "40001", cause);
    }

    public static SQLException closed(String what) {
        return new SQLNonTransientConnectionException("The " + what + " is closed.", CLOSED);
    }
}
