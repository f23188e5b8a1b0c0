package io.multimed.engine.embedded.runtime;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Error messages for applications, one sentence each. */
final class RuntimeErrors {
    private RuntimeErrors() {}

    /** Whether the engine refused the login (SQL:2016, class 28). */
    static boolean isLogin(SQLException error) {
        return error.getSQLState() != null && error.getSQLState().startsWith("28");
    }

    static SQLException satelliteFailed(String node, SQLException cause) {
        return new SQLTransactionRollbackException(
                "The replica " + node + " failed during this read; run the transaction again.", "40001", cause);
    }

    static SQLException masterFailed(@Nullable Throwable cause) {
        return new SQLTransactionRollbackException(
                "The master failed and was replaced; this transaction was rolled back, run it again.", "40001", cause);
    }

    static SQLException noMaster(@Nullable Throwable cause) {
        return new SQLTransientConnectionException(
                "The master failed and no replica could take its place yet; try again.", "08006", cause);
    }

    static SQLException shutDown() {
        return new SQLNonTransientConnectionException("The database has been shut down.", "08003");
    }

    static SQLException aborted() {
        return new SQLNonTransientConnectionException(
                "The connection was closed by another thread; whether what was under way was committed is unknown.",
                "08003");
    }

    static SQLException gateShut(long nanos) {
        return new SQLTimeoutException(
                "A change of the catalog is under way and did not end within " + TimeUnit.NANOSECONDS.toMillis(nanos)
                        + " ms.",
                "HYT00");
    }

    static SQLException noTurn(long nanos) {
        return new SQLTimeoutException(
                "Update transactions run one at a time on this engine, and those before this one did not end within "
                        + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms; end them and try again.",
                "HYT00");
    }

    static SQLException overtaken() {
        return new SQLTransactionRollbackException(
                "Update transactions run one at a time on this engine, and another one has changed something since this one"
                        + " began to read; it was rolled back, run it again.",
                "40001");
    }

    static SQLException gateBusy(long nanos) {
        return new SQLTimeoutException(
                "A change of the catalog waits for transactions on the master, and some did not end within "
                        + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms; end them and try again.",
                "HYT00");
    }

    /** Returns an error whose message ends with the engine's own text, which may have many lines. */
    static SQLException replicasNotMade(Exception cause) {
        return new SQLNonTransientConnectionException(
                "The replicas could not be created: remove what is in the way, or use replicas=1. What is in the way: "
                        + (cause.getMessage() == null ? cause : cause.getMessage()),
                "08001",
                cause);
    }
}
