package io.multimed.jdbc;

import io.multimed.jdbc.sql.Dialect;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.SQLTimeoutException;

/** What an engine says where the driver has to say it, since the engine was not asked. */
record EngineErrors(Dialect dialect) {
    private static final String CANCELLED = "57014";

    SQLException closed(String what) {
        switch (dialect) {
            case H2:
                // org.h2.api.ErrorCode: OBJECT_CLOSED, CONNECTION... closed objects are all told alike.
                return new SQLNonTransientException("The object is already closed [90007-252]", "90007", 90007);
            case HSQLDB:
                return new SQLNonTransientConnectionException(
                        what.equals("connection")
                                ? "connection exception: connection does not exist"
                                : what + " closed",
                        what.equals("connection") ? "08003" : "07501",
                        what.equals("connection") ? -1303 : -1251);
            default:
                return Errors.closed(what);
        }
    }

    SQLException noQuery() {
        switch (dialect) {
            case H2:
                return new SQLNonTransientException(
                        "Method is only allowed for a query. Use execute or executeUpdate instead of executeQuery"
                                + " [90002-252]",
                        "90002",
                        90002);
            case HSQLDB:
                return new SQLException("statement does not generate a result set", "07504", -1254);
            default:
                return Errors.invalid("The statement returns no rows: use execute or executeUpdate.");
        }
    }

    SQLException cancelled() {
        return dialect == Dialect.H2
                ? new SQLTimeoutException(
                        "Statement was canceled or the session timed out [57014-252]", CANCELLED, 57014)
                : new SQLException("The statement was cancelled.", CANCELLED);
    }

    /** HSQLDB's own error would say that the transaction has been rolled back. */
    SQLException timedOut(int seconds) {
        return dialect == Dialect.H2
                ? cancelled()
                : new SQLTimeoutException(
                        "The statement found no replica to run on within its query timeout of " + seconds + " s.",
                        "HYT00");
    }

    /** HSQLDB refuses it; to the engine auto-commit is off, since it is the driver's here. */
    void checkSavepointUnderAutoCommit() throws SQLException {
        if (dialect == Dialect.HSQLDB) {
            throw new SQLException("savepoint exception: invalid specification: auto-commit is on", "3B001", -4821);
        }
    }

    /** H2 executes what follows in a batch, HSQLDB stops at what failed. */
    boolean goesOnAfterFailureInBatch() {
        return dialect == Dialect.H2;
    }
}
