package io.multimed.engine.postgresql.cluster;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of the Master that its Satellites must share or have room for.
 *
 * @param limits a standby with less than the Master has stops replay (manual, section "Hot Standby Parameter Reference")
 * @param files the settings in the Master's configuration files, the last of several values of one name: a read must mean the
 *     same on every node; empty while one of the files cannot be understood, so that the Master itself adopts nothing
 * @param logBytes about how much log lies between two checkpoints at most ({@code max_wal_size})
 */
record MasterSettings(Map<String, Integer> limits, Optional<Map<String, String>> files, long logBytes) {
    static final MasterSettings NONE = new MasterSettings(Map.of(), Optional.empty(), 0);

    private static final String LIMITS = """
            SELECT name, setting FROM pg_catalog.pg_settings
             WHERE name IN ('max_connections', 'max_prepared_transactions', 'max_locks_per_transaction',
                            'max_wal_senders', 'max_worker_processes')""";

    private static final String LOG = """
            SELECT pg_catalog.pg_size_bytes(pg_catalog.current_setting('max_wal_size'))""";

    /**
     * The query for the settings in the files. pg_settings would show the driver's settings for Multimed's own session. A value
     * that cannot be adopted (before the next start, or at all) leaves the setting as it is; a line that cannot be understood
     * leaves all of them so.
     */
    private static final String FILES = """
            SELECT pg_catalog.lower(f.name),
                   CASE WHEN f.error IS NULL THEN f.setting ELSE pg_catalog.current_setting(f.name, true) END,
                   f.error IS NOT NULL AND s.name IS NULL
              FROM pg_catalog.pg_file_settings f
              LEFT JOIN pg_catalog.pg_settings s ON pg_catalog.lower(s.name) = pg_catalog.lower(f.name)
             ORDER BY f.seqno""";

    static MasterSettings read(Connection master) throws SQLException {
        Map<String, Integer> limits = new LinkedHashMap<>();
        Map<String, String> files = new LinkedHashMap<>();
        boolean wrong = false;
        try (Statement statement = master.createStatement()) {
            try (ResultSet rows = statement.executeQuery(LIMITS)) {
                while (rows.next()) {
                    limits.put(rows.getString(1), rows.getInt(2));
                }
            }
            try (ResultSet rows = statement.executeQuery(FILES)) {
                while (rows.next()) {
                    wrong |= rows.getBoolean(3);
                    files.put(rows.getString(1), rows.getString(2));
                }
            }
            try (ResultSet row = statement.executeQuery(LOG)) {
                row.next();
                return new MasterSettings(limits, wrong ? Optional.empty() : Optional.of(files), row.getLong(1));
            }
        }
    }

    /** Returns {@link #files} as the text of one file. */
    Optional<String> configuration() {
        return files.map(settings -> {
            StringBuilder text =
                    new StringBuilder("# What the Master's configuration files set. Written by Multimed.\n");
            settings.forEach((name, value) -> text.append(name)
                    .append(" = '")
                    .append(value.replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n"))
                    .append("'\n"));
            return text.toString();
        });
    }
}
