package io.multimed.engine.postgresql.cluster;

import io.multimed.engine.EngineException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command line of a Satellite: a hot standby of the relay that need not survive the machine. */
final class SatelliteSettings {
    private SatelliteSettings() {}

    /** @param limits of which the Satellite must not have less */
    static Map<String, String> of(SatelliteConfig config, RunDirectory files, Path run, Map<String, Integer> limits)
            throws EngineException {
        Map<String, String> settings = EngineSettings.common(
                config.dataDirectory(), files, run, RunDirectory.address(run).port(), config.binding());
        settings.putAll(MemorySettings.of(config.memoryBytes()));
        limits.forEach((name, value) -> settings.put(name, value.toString()));
        settings.merge(
                "max_connections",
                Integer.toString(config.maxConnections()),
                (master, own) -> Integer.parseInt(master) >= Integer.parseInt(own) ? master : own);
        feed(settings, config);
        storage(settings, config);
        EngineSettings.add(settings, config.settings(), config.id().name());
        return settings;
    }

    private static void feed(Map<String, String> settings, SatelliteConfig config) {
        settings.put(
                "primary_conninfo",
                "host=" + quoted(config.relay().directory().toString()) + " port="
                        + config.relay().port() + " user=" + DataDirectory.SUPERUSER + " application_name="
                        + config.id().name() + " sslmode=disable gssencmode=disable");
        settings.put("primary_slot_name", "");
        settings.put("hot_standby", "on");
        settings.put("hot_standby_feedback", "on");
        settings.put("max_standby_streaming_delay", config.longReader().toMillis() + "ms");
        settings.put("max_standby_archive_delay", config.longReader().toMillis() + "ms");
        // The relay asks for the position whenever a reader waits; this is for when nobody does.
        settings.put("wal_receiver_status_interval", "1s");
        settings.put("wal_retrieve_retry_interval", "100ms");
        settings.put("restore_command", "");
        settings.put("archive_cleanup_command", "");
        settings.put("recovery_end_command", "");
        settings.put("recovery_min_apply_delay", "0");
        settings.put("recovery_target_timeline", "latest");
        // What the copied configuration may hold of another recovery would end this one.
        for (String target : List.of("", "_name", "_time", "_xid", "_lsn")) {
            settings.put("recovery_target" + target, "");
        }
        settings.put("synchronous_standby_names", "");
        settings.put("archive_mode", "off");
    }

    /**
     * Not fsync: what a machine's crash takes from a Satellite is copied again. Whole-page writes are the Master's
     * matter, since a standby writes no log.
     */
    private static void storage(Map<String, String> settings, SatelliteConfig config) {
        settings.put("fsync", "off");
        settings.put("synchronous_commit", "off");
        settings.put("wal_keep_size", "0");
        settings.put("max_wal_size", "512MB");
        settings.put("min_wal_size", "80MB");
        // Restart points write to memory: spreading them over minutes would only keep the log for longer.
        settings.put("checkpoint_completion_target", "0.1");
        settings.put("wal_init_zero", "off");
        // Files in the data directory: they go with the Satellite, however it ends, and in memory they cost nothing.
        settings.put("dynamic_shared_memory_type", "mmap");
        if (config.inMemory()) {
            settings.put("random_page_cost", "1.1");
            // Reading ahead, or through another process, only adds to what is a copy in memory.
            settings.put("recovery_prefetch", "off");
            if (config.binaries().major() >= 18) {
                settings.put("io_method", "sync");
            }
        }
    }

    /** A value of a libpq connection string. */
    private static String quoted(String value) {
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
