package io.multimed.jdbc.statement;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads all rows of an engine that searches for rows as they are fetched. So they are from one moment and hold no locks. */
final class ReadAhead {
    private ReadAhead() {}

    static void read(@Nullable ResultSet rows) throws SQLException {
        if (rows == null || rows.getType() == ResultSet.TYPE_FORWARD_ONLY) {
            return;
        }
        rows.last();
        rows.beforeFirst();
    }
}
