package io.multimed.bench.system;

import io.multimed.bench.client.Query;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A MariaDB of a system.
 *
 * @param socket of the engine
 */
record MariaDbNode(String name, Path socket, List<String> tables) implements Node {
    /** The account of clients and harness, which the loaded database and so all copies have. */
    static final String USER = "bench";

    static final String PASSWORD = "bench";

    private static final String CHOSEN = """
            SELECT LOWER(variable_name), global_value FROM information_schema.system_variables
             WHERE global_value_origin IN ('CONFIG', 'COMMAND-LINE')
               AND variable_name NOT REGEXP '(_file|dir|socket|port|address|ssl|server_id|networks|charsets)$'
                OR variable_name IN ('innodb_flush_log_at_trx_commit', 'innodb_doublewrite', 'sync_binlog', 'log_bin',
                            'innodb_buffer_pool_size', 'innodb_log_file_size', 'transaction_isolation', 'thread_handling',
                            'innodb_checksum_algorithm', 'innodb_snapshot_isolation')""";
    private static final Queries QUERIES = new Queries(
            "SELECT SUM(data_length + index_length) FROM information_schema.tables WHERE table_schema = DATABASE()",
            """
            SELECT CAST(SUM(variable_value) AS UNSIGNED) FROM information_schema.global_status
             WHERE variable_name IN ('Innodb_os_log_written', 'Binlog_bytes_written')""",
            """
            SELECT COALESCE(NULLIF(state, ''), 'running'), COUNT(*) FROM information_schema.processlist
             WHERE id <> CONNECTION_ID() AND command NOT IN ('Sleep', 'Daemon', 'Binlog Dump', 'Slave_IO')
               AND state NOT LIKE 'Slave has read all%' AND state NOT LIKE 'Waiting for work from%'
             GROUP BY 1""",
            "SELECT @@datadir");

    MariaDbNode {
        tables = List.copyOf(tables);
    }

    /** Returns the options of Connector/J for any connection of this account. */
    static String login() {
        return "?user=" + USER + "&password=" + PASSWORD + "&sslMode=disable";
    }

    @Override
    public Connection open(String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("socketFactory", MariaDbSocketFactory.class.getName());
        properties.setProperty(MariaDbSocketFactory.PATH, socket.toString());
        return DriverManager.getConnection("jdbc:mariadb://localhost/" + database + login(), properties);
    }

    @Override
    public Map<String, String> settings(String database) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        try (Connection connection = open(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(CHOSEN)) {
            while (rows.next()) {
                settings.put(rows.getString(1), String.valueOf(rows.getString(2)));
            }
        }
        return settings;
    }

    @Override
    public Queries queries() {
        return QUERIES;
    }

    @Override
    public String awaitApplied(Connection master, Connection copy, Duration patience) throws SQLException {
        String position = Query.text(master, "SELECT @@gtid_binlog_pos");
        return Query.text(copy, "SELECT MASTER_GTID_WAIT('" + position + "', " + patience.toSeconds() + ")")
                        .equals("0")
                ? ""
                : "after " + patience.toSeconds() + " s it is at " + Query.text(copy, "SELECT @@gtid_slave_pos")
                        + ", the Master at " + position;
    }

    @Override
    public String contents(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet sum = statement.executeQuery("CHECKSUM TABLE " + table)) {
            sum.next();
            return Query.text(connection, "SELECT COUNT(*) FROM " + table) + " rows, sum " + sum.getString(2);
        }
    }
}
