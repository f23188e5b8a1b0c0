package io.multimed.bench.system;

import io.multimed.bench.client.Query;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A PostgreSQL of a system. */
public record PostgresNode(String name, NodeAddress address, List<String> tables) implements Node {
    private static final String CHOSEN = """
            SELECT name, current_setting(name) FROM pg_settings
             WHERE source NOT IN ('default', 'override', 'client')
               AND context IN ('postmaster', 'sighup', 'superuser', 'user')
               AND name !~ '(file|directory|directories|primary_conninfo|^lc_|cluster_name|search_config)'
                OR name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_level', 'shared_buffers', 'data_checksums',
                            'default_transaction_isolation', 'max_wal_size', 'checkpoint_timeout', 'jit')""";
    private static final Queries QUERIES = new Queries(
            "SELECT pg_database_size(current_database())",
            "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint",
            """
            SELECT COALESCE(wait_event_type || ':' || wait_event, 'running'), count(*) FROM pg_stat_get_activity(NULL)
             WHERE pid <> pg_backend_pid()
               AND (state = 'active' AND backend_type IN ('client backend', 'parallel worker') OR backend_type = 'startup')
               AND wait_event_type IS DISTINCT FROM 'Activity' AND wait_event_type IS DISTINCT FROM 'Client'
             GROUP BY 1""",
            "SELECT current_setting('data_directory')");
    private static final long LOOK_MILLIS = 20;

    public PostgresNode {
        tables = List.copyOf(tables);
    }

    /** Makes an engine that carries every table. */
    PostgresNode(String name, NodeAddress address) {
        this(name, address, List.of());
    }

    @Override
    public Connection open(String database) throws SQLException {
        return AdminConnection.open(address, "postgres", database);
    }

    @Override
    public Map<String, String> settings(String database) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        try (Connection connection = open(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(CHOSEN)) {
            while (rows.next()) {
                settings.put(rows.getString(1), rows.getString(2));
            }
        }
        return settings;
    }

    @Override
    public Queries queries() {
        return QUERIES;
    }

    /** Returns the pid of the process that applies the Master's log; empty where there is none. */
    OptionalLong replayPid() throws SQLException {
        try (Connection connection = open("postgres");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT pid FROM pg_stat_get_activity(NULL) WHERE backend_type = 'startup'")) {
            return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
        }
    }

    @Override
    public String awaitApplied(Connection master, Connection copy, Duration patience)
            throws SQLException, InterruptedException {
        String position = Query.text(master, "SELECT pg_current_wal_flush_lsn()");
        long deadline = System.nanoTime() + patience.toNanos();
        while (Query.text(copy, "SELECT pg_last_wal_replay_lsn() >= '" + position + "'")
                .equals("f")) {
            if (System.nanoTime() - deadline > 0) {
                return "after " + patience.toSeconds() + " s it is at "
                        + Query.text(copy, "SELECT pg_last_wal_replay_lsn()") + ", the Master at " + position;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return "";
    }

    @Override
    public String contents(Connection connection, String table) throws SQLException {
        return Query.text(
                connection,
                "SELECT COUNT(*) || ' rows, sum ' || COALESCE(SUM(hashtextextended(t::text, 0)), 0) FROM " + table
                        + " t");
    }
}
