package io.multimed.engine.embedded;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Tells from engines' errors whether the transaction was rolled back. */
public final class TransactionErrors {
    private TransactionErrors() {}

    /**
     * Returns the error, or one chained to it, that says that the engine has rolled the transaction back (SQL:2016, class 40). In
     * a batch, any element may have caused it.
     *
     * @return null if none says so
     */
    public static @Nullable SQLException rollback(SQLException error) {
        for (SQLException next = error; next != null; next = next.getNextException()) {
            String state = next.getSQLState();
            if (state != null && state.startsWith("40")) {
                return next;
            }
        }
        return null;
    }
}
