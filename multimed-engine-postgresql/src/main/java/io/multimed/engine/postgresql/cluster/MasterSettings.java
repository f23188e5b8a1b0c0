package io.multimed.engine.postgresql.cluster;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What of the Master's settings its Satellites must share or have room for.
 *
 * @param limits a standby with less than the Master has stops replay (manual, section "Hot Standby Parameter Reference")
 * @param sessionDefaults what ALTER SYSTEM has set for sessions: the copy lacks that file, but a read must mean the same
 *     on every node
 * @param logBytes about how much log lies between two checkpoints at most ({@code max_wal_size})
 */
record MasterSettings(Map<String, Integer> limits, Map<String, String> sessionDefaults, long logBytes) {
    private static final String LIMITS = """
            SELECT name, setting FROM pg_catalog.pg_settings
             WHERE name IN ('max_connections', 'max_prepared_transactions', 'max_locks_per_transaction',
                            'max_wal_senders', 'max_worker_processes')""";

    private static final String LOG = """
            SELECT pg_catalog.pg_size_bytes(pg_catalog.current_setting('max_wal_size'))""";

    /** From the file, since pg_settings shows what the driver has set for our own session. */
    private static final String SESSION_DEFAULTS = """
            SELECT f.name, f.setting
              FROM pg_catalog.pg_file_settings f JOIN pg_catalog.pg_settings s ON s.name = f.name
             WHERE f.sourcefile LIKE '%/postgresql.auto.conf' AND f.setting IS NOT NULL
               AND s.context IN ('user', 'superuser')
             ORDER BY f.seqno""";

    static MasterSettings read(Connection master) throws SQLException {
        Map<String, Integer> limits = new LinkedHashMap<>();
        Map<String, String> defaults = new LinkedHashMap<>();
        try (Statement statement = master.createStatement()) {
            try (ResultSet rows = statement.executeQuery(LIMITS)) {
                while (rows.next()) {
                    limits.put(rows.getString(1), rows.getInt(2));
                }
            }
            try (ResultSet rows = statement.executeQuery(SESSION_DEFAULTS)) {
                while (rows.next()) {
                    defaults.put(rows.getString(1), rows.getString(2));
                }
            }
            try (ResultSet row = statement.executeQuery(LOG)) {
                row.next();
                return new MasterSettings(limits, defaults, row.getLong(1));
            }
        }
    }

    /** As PostgreSQL writes them itself. */
    String autoConf() {
        StringBuilder text = new StringBuilder("# What ALTER SYSTEM has set on the Master for sessions.\n");
        sessionDefaults.forEach((name, value) -> text.append(name)
                .append(" = '")
                .append(value.replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n"))
                .append("'\n"));
        return text.toString();
    }
}
