package io.multimed.engine.embedded;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What engines' errors say of the transaction in which they occurred. */
public final class TransactionErrors {
    private TransactionErrors() {}

    /**
     * The one that says that the engine has rolled the transaction back (SQL:2016, class 40); of a batch any element may.
     *
     * @return null if none does
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
