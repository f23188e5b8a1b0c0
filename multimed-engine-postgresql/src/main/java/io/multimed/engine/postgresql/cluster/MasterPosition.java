package io.multimed.engine.postgresql.cluster;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A position between two records of the Master's log.
 *
 * @param scn the commits whose records end at or below it are those that recovery up to here contains
 * @param text the same, as PostgreSQL writes it
 */
record MasterPosition(long scn, String text) {
    static final MasterPosition NONE = new MasterPosition(0, "0/0");

    /** Returns the present end of the Master's log, and writes a record behind it, at which recovery up to this position ends. */
    static MasterPosition mark(Connection master) throws SQLException {
        try (Statement statement = master.createStatement()) {
            MasterPosition position;
            try (ResultSet row =
                    statement.executeQuery("SELECT l::text, (l - '0/0')::bigint FROM pg_current_wal_insert_lsn() l")) {
                row.next();
                position = new MasterPosition(row.getLong(2), row.getString(1));
            }
            // A restore point is flushed, with everything in front of it.
            statement.execute("SELECT pg_create_restore_point('multimed')");
            return position;
        }
    }
}
