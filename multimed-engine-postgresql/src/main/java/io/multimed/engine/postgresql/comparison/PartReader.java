package io.multimed.engine.postgresql.comparison;

import io.multimed.engine.postgresql.catalog.QueriedRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a part of a table on one engine, in a snapshot of its own each time. Used by one thread. */
final class PartReader {
    /**
     * Values have the same text on all engines then, whatever the settings of a node or a role are. Names that functions print have their
     * schemas. A statement that takes long is given up, since a Satellite may have to wait for it before it applies more of the log.
     */
    private static final String SETTINGS = """
            SET search_path = pg_catalog; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC';
            SET extra_float_digits = 1; SET bytea_output = 'hex'; SET lc_monetary = 'C'; SET xmlbinary = 'base64';
            SET quote_all_identifiers = off; SET jit = off; SET max_parallel_workers_per_gather = 0; SET row_security = off;
            SET lock_timeout = '100ms'; SET statement_timeout = '500ms'""";

    /** The transactions that have ended, and the table's file and columns. It is asked when the table is locked, so its file stays. */
    private static final String SHAPE = """
            SELECT (pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::numeric % 4294967296)::text,
                pg_catalog.concat_ws(' ', pg_catalog.pg_relation_filenode(c.oid), (SELECT
                    pg_catalog.string_agg(pg_catalog.concat_ws(',', a.attname, a.atttypid, a.atttypmod, a.attisdropped,
                        a.atthasmissing), ' ' ORDER BY a.attnum)
                    FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0))
            FROM pg_catalog.pg_class c""";

    private static final String RECEIVED =
            "SELECT (pg_catalog.pg_current_wal_insert_lsn() - '0/0'::pg_catalog.pg_lsn)::text";
    private static final String REPLAYED =
            "SELECT (pg_catalog.pg_last_wal_replay_lsn() - '0/0'::pg_catalog.pg_lsn)::text";

    private final Connection connection;
    private final String position;

    private PartReader(Connection connection, String position) throws SQLException {
        this.connection = connection;
        this.position = position;
        try (Statement statement = connection.createStatement()) {
            statement.execute(SETTINGS);
        }
    }

    static PartReader ofMaster(Connection connection) throws SQLException {
        return new PartReader(connection, RECEIVED);
    }

    static PartReader ofSatellite(Connection connection) throws SQLException {
        return new PartReader(connection, REPLAYED);
    }

    /**
     * Returns a position of the Master's log behind all commits that the snapshots so far show: the end of the log, or what the Satellite has
     * applied.
     */
    long position() throws SQLException {
        return Long.parseLong(QueriedRows.of(connection, position).get(0).get(0));
    }

    /**
     * Reads the rows in the blocks {@code from} to {@code to}, without the last, in a snapshot that is taken now.
     *
     * @throws SQLException also if the table has gone
     */
    RowVersions read(ComparedTable table, long from, long to) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            try {
                // A row as such has a cast of PostgreSQL's own, whereas its owner may have made one for the table's
                // type.
                String rows = "SELECT t.ctid::text, t.xmin::text,"
                        + " pg_catalog.hashtextextended(ROW(t.*)::text, 0)::text FROM ONLY " + table.name()
                        + " AS t WHERE t.ctid >= '(" + from + ",0)'::pg_catalog.tid AND t.ctid < '(" + to
                        + ",0)'::pg_catalog.tid";
                Map<RowVersions.Version, Long> digests = new HashMap<>();
                for (List<String> row : QueriedRows.of(connection, rows)) {
                    digests.put(
                            new RowVersions.Version(row.get(0), Long.parseLong(row.get(1))), Long.valueOf(row.get(2)));
                }
                List<List<String>> shape = QueriedRows.of(connection, SHAPE + " WHERE c.oid = " + table.oid());
                if (shape.isEmpty()) {
                    throw new SQLException(table.name() + " is another table", "42P01");
                }
                return new RowVersions(
                        shape.get(0).get(1), Long.parseLong(shape.get(0).get(0)), digests);
            } finally {
                statement.execute("ROLLBACK");
            }
        }
    }
}
