package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.settings.MultimedSettings;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Statements that Multimed refuses although an engine would execute them. Pure. */
final class Refusals {
    private static final ErrorFields TABLESPACE = ErrorFields.error(
                    SqlState.FEATURE_NOT_SUPPORTED, "cannot create a tablespace while satellites follow the master")
            .withDetail("They would use the same directory, and this kernel cannot keep them from it"
                    + " (Landlock, Linux 5.19 or newer).")
            .withHint("Create it while Multimed is stopped; satellites are then copied with tablespaces of their own.");

    private Refusals() {}

    /**
     * Returns the error for a statement; null if it is not refused.
     *
     * @param tablespaces whether Satellites can be kept out of a new tablespace's directory
     */
    static @Nullable ErrorFields of(Statement statement, boolean tablespaces) {
        if (statement instanceof Statement.CreateTablespace) {
            return tablespaces ? null : TABLESPACE;
        }
        return MultimedSettings.refuse(statement);
    }
}
