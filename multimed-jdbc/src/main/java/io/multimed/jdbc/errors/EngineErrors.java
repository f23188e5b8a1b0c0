package io.multimed.jdbc.errors;

import io.multimed.jdbc.sql.Dialect;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.SQLTimeoutException;

/** Errors in an engine's own form, for cases in which the driver refuses a call before the engine sees it. */
public record EngineErrors(Dialect dialect) {
    private static final String CANCELLED = "57014";

    public SQLException closed(String what) {
        return switch (dialect) {
            case H2 ->
                // org.h2.api.ErrorCode: H2 reports all closed objects alike.
                new SQLNonTransientException("The object is already closed [90007-252]", "90007", 90007);
            case HSQLDB ->
                new SQLNonTransientConnectionException(
                        what.equals("connection")
                                ? "connection exception: connection does not exist"
                                : what + " closed",
                        what.equals("connection") ? "08003" : "07501",
                        what.equals("connection") ? -1303 : -1251);
            default -> Errors.closed(what);
        };
    }

    public SQLException noQuery() {
        return switch (dialect) {
            case H2 ->
                new SQLNonTransientException(
                        "Method is only allowed for a query. Use execute or executeUpdate instead of executeQuery"
                                + " [90002-252]",
                        "90002",
                        90002);
            case HSQLDB -> new SQLException("statement does not generate a result set", "07504", -1254);
            default -> Errors.invalid("The statement returns no rows: use execute or executeUpdate.");
        };
    }

    public SQLException cancelled() {
        return dialect == Dialect.H2
                ? new SQLTimeoutException(
                        "Statement was canceled or the session timed out [57014-252]", CANCELLED, 57014)
                : new SQLException("The statement was cancelled.", CANCELLED);
    }

    /** Returns the error of a statement that timed out. HSQLDB's own error would say that the transaction has been rolled back. */
    public SQLException timedOut(int seconds) {
        return dialect == Dialect.H2
                ? cancelled()
                : new SQLTimeoutException(
                        "The statement found no replica to run on within its query timeout of " + seconds + " s.",
                        "HYT00");
    }

    /**
     * Refuses a savepoint under auto-commit, as HSQLDB does. HSQLDB itself does not notice: its auto-commit is off, since the
     * driver provides it here.
     */
    public void checkSavepointUnderAutoCommit() throws SQLException {
        if (dialect == Dialect.HSQLDB) {
            throw new SQLException("savepoint exception: invalid specification: auto-commit is on", "3B001", -4821);
        }
    }

    /** Whether a batch goes on after a failure: in H2 it does, in HSQLDB it stops. */
    public boolean goesOnAfterFailureInBatch() {
        return dialect == Dialect.H2;
    }
}
