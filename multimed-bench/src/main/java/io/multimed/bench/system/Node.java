package io.multimed.bench.system;

import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** An engine of a system, asked past everything that stands before it. */
public record Node(String name, NodeAddress address) {
    private static final String CHOSEN = """
            SELECT name, current_setting(name) FROM pg_settings
             WHERE source NOT IN ('default', 'override', 'client')
               AND context IN ('postmaster', 'sighup', 'superuser', 'user')
               AND name !~ '(file|directory|directories|primary_conninfo|^lc_|cluster_name|search_config)'
                OR name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_level', 'shared_buffers', 'data_checksums',
                            'default_transaction_isolation', 'max_wal_size', 'checkpoint_timeout', 'jit')""";

    public Connection open(String database) throws SQLException {
        return AdminConnection.open(address, "postgres", database);
    }

    /**
     * Its settings that differ from PostgreSQL's defaults because somebody chose so, without names of files; those of
     * durability, isolation and memory in any case.
     */
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
}
