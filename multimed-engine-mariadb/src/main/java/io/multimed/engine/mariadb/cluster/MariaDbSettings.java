package io.multimed.engine.mariadb.cluster;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The settings with which Multimed starts engines. */
final class MariaDbSettings {
    /** A hundred years in milliseconds: a commit waits for the relay for as long as it takes. */
    private static final long FOR_EVER_MS = 3_153_600_000_000L;

    private static final long MEGABYTE = 1 << 20;
    private static final int MASTER_ID = 1;
    private static final int FIRST_SATELLITE_ID = 100;

    private static final int MOST_APPLIERS = 16;

    private MariaDbSettings() {}

    /** Returns the Master's settings. */
    static Map<String, String> ofMaster(MariaDbMasterConfig config) {
        Map<String, String> settings = common(config.memoryBytes(), config.maxConnections());
        // A copy takes the redo log that was written meanwhile from this file. When it is full the copy begins anew.
        settings.put("innodb_log_file_size", "512M");
        settings.put("innodb_flush_log_at_trx_commit", "1");
        settings.put("sync_binlog", "1");
        settings.put("max_binlog_size", "256M");
        settings.put("binlog_expire_logs_seconds", "86400");
        // The binary log has rows, so that what a function does on a Satellite is what it did on the Master.
        settings.put("log_bin_trust_function_creators", "1");
        putAll(settings, config.settings());
        settings.put("skip_networking", "1");
        // Without these the floor would not hold.
        settings.put("server_id", Integer.toString(MASTER_ID));
        settings.put("log_bin", "binlog");
        settings.put("binlog_format", "ROW");
        settings.put("gtid_domain_id", "0");
        settings.put("gtid_strict_mode", "1");
        settings.put("rpl_semi_sync_master_enabled", "1");
        settings.put("rpl_semi_sync_master_wait_point", "AFTER_SYNC");
        settings.put("rpl_semi_sync_master_wait_no_slave", "1");
        settings.put("rpl_semi_sync_master_timeout", Long.toString(FOR_EVER_MS));
        return settings;
    }

    /** Returns a Satellite's settings: nothing durable, nothing written but what the Master has written. */
    static Map<String, String> ofSatellite(MariaDbSatelliteConfig config) {
        Map<String, String> settings = common(config.memoryBytes(), config.maxConnections());
        settings.put("innodb_log_file_size", "96M");
        settings.put("innodb_flush_log_at_trx_commit", "0");
        settings.put("innodb_doublewrite", "0");
        settings.put("innodb_flush_method", "fsync");
        settings.put("slave_parallel_threads", Integer.toString(appliers(config)));
        settings.put("slave_parallel_mode", "optimistic");
        settings.put("max_relay_log_size", "64M");
        settings.put("relay_log_space_limit", "1G");
        putAll(settings, config.settings());
        settings.put("server_id", Integer.toString(FIRST_SATELLITE_ID + config.number()));
        settings.put("skip_networking", "1");
        settings.put("read_only", "1");
        settings.put("event_scheduler", "OFF");
        settings.put("skip_slave_start", "1");
        settings.put("relay_log", "relay");
        settings.put("sync_relay_log", "0");
        settings.put("sync_relay_log_info", "0");
        settings.put("sync_master_info", "0");
        settings.put("slave_exec_mode", "STRICT");
        // The Master has the limit for clients. Here each connection has statements of its own, so that there are more.
        settings.put("max_prepared_stmt_count", "1048576");
        return settings;
    }

    private static int appliers(MariaDbSatelliteConfig config) {
        int cores = config.binding().cores().size();
        return Math.clamp(2L * (cores > 0 ? cores : Runtime.getRuntime().availableProcessors()), 2, MOST_APPLIERS);
    }

    private static Map<String, String> common(long memoryBytes, int maxConnections) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("max_connections", Integer.toString(maxConnections));
        settings.put("innodb_buffer_pool_size", Math.max(32, memoryBytes / MEGABYTE * 6 / 10) + "M");
        // The engine's socket is private. An account may require TLS all the same: an instance whose clients can have
        // it
        // turns it on.
        settings.put("ssl", "0");
        // The endpoint tells each client's address to the engine: privileges depend on it.
        settings.put("proxy_protocol_networks", "localhost");
        return settings;
    }

    /** Adds settings under the names that Multimed uses: a hyphen is as good as an underscore. */
    private static void putAll(Map<String, String> settings, Map<String, String> more) {
        more.forEach((name, value) -> settings.put(name.toLowerCase(Locale.ROOT).replace('-', '_'), value));
    }
}
