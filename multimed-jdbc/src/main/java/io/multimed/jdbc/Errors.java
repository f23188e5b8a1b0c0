package io.multimed.jdbc;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransactionRollbackException;

/** The driver's own errors: SQLState, what is wrong, what to do. */
final class Errors {
    /** The application asked for something that cannot be, before any engine was asked (SQL:2016, class 08). */
    static final String CANNOT_CONNECT = "08001";

    static final String CLOSED = "08003";
    static final String NOT_SUPPORTED = "0A000";
    static final String READ_ONLY = "25006";
    static final String INVALID_VALUE = "22023";

    private Errors() {}

    static SQLException cannotConnect(String sentence) {
        return new SQLNonTransientConnectionException(sentence, CANNOT_CONNECT);
    }

    static SQLException notSupported(String sentence) {
        return new SQLFeatureNotSupportedException(sentence, NOT_SUPPORTED);
    }

    static SQLException invalid(String sentence) {
        return new SQLException(sentence, INVALID_VALUE);
    }

    static SQLException readOnly() {
        return new SQLException(
                "The connection is read-only: call setReadOnly(false) before changing anything.", READ_ONLY);
    }

    /** Some engines tell so with errors of the JDK that it is not. */
    static SQLException strangeSavepoint(RuntimeException cause) {
        return new SQLException("The savepoint is not one of this connection.", "3B001", cause);
    }

    /** Some engines tell so with errors of the JDK that there is nothing to be executed. */
    static SQLException noStatement(RuntimeException cause) {
        return new SQLException("There is no statement that could be prepared or executed.", "42000", cause);
    }

    static SQLException nodeFailed(SQLException cause) {
        return new SQLTransactionRollbackException(
                "The replica on which these rows were read has failed; run the transaction again.", "40001", cause);
    }

    static SQLException closed(String what) {
        return new SQLNonTransientConnectionException("The " + what + " is closed.", CLOSED);
    }
}
