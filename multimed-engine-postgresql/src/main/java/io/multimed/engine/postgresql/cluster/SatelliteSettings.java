package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.NodeAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command line of a Satellite, which need not survive the machine: a hot standby of the relay, or a partial Satellite. */
final class SatelliteSettings {
    /** {@code max_standby_streaming_delay}, {@code max_standby_archive_delay}. */
    private static final String REPLAY_DELAY = "max_standby_(streaming|archive)_delay";

    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,10})(\\.\\d*)?\\s*(us|ms|s|min|h|d|)");
    /** A duration longer than any statement, and short enough to be added to other durations. */
    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    /** The first release that can summarize its log, which it needs {@code wal_level = replica} for. */
    private static final int SUMMARIES = 17;

    private SatelliteSettings() {}

    /**
     * Returns the longest time that replay may wait for readers.
     *
     * @param preset used if the settings have none
     */
    static Duration replayDelay(Duration preset, Map<String, String> settings) {
        Duration longest = preset;
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            if (setting.getKey().toLowerCase(Locale.ROOT).matches(REPLAY_DELAY)) {
                Duration delay = amount(setting.getValue());
                longest = delay.compareTo(longest) > 0 ? delay : longest;
            }
        }
        return longest.compareTo(FOR_EVER) < 0 ? longest : FOR_EVER;
    }

    /**
     * Parses an amount, in milliseconds unless it has a unit, rounded up. Values that cannot be parsed are for ever, as -1 is.
     */
    private static Duration amount(String value) {
        Matcher amount = AMOUNT.matcher(value.strip());
        if (!amount.matches()) {
            return FOR_EVER;
        }
        long whole = Long.parseLong(amount.group(1)) + (amount.group(2) == null ? 0 : 1);
        return switch (amount.group(3)) {
            case "us" -> Duration.ofNanos(whole * 1_000);
            case "s" -> Duration.ofSeconds(whole);
            case "min" -> Duration.ofMinutes(whole);
            case "h" -> Duration.ofHours(whole);
            case "d" -> Duration.ofDays(whole);
            default -> Duration.ofMillis(whole);
        };
    }

    /**
     * @param limits minimums of the Satellite's settings
     */
    static Map<String, String> of(SatelliteConfig config, RunDirectory files, Path run, Map<String, Integer> limits)
            throws EngineException {
        EngineSettings settings = begin(config, files, run, limits);
        feed(settings, config);
        storage(settings, config);
        return settings.with(config.settings(), config.id().name());
    }

    /**
     * @param limits minimums of the Satellite's settings during recovery
     * @param master brings the log
     * @param target position at which recovery ends
     */
    static Map<String, String> ofPartial(
            SatelliteConfig config,
            RunDirectory files,
            Path run,
            Map<String, Integer> limits,
            NodeAddress master,
            String target)
            throws EngineException {
        EngineSettings settings = begin(config, files, run, limits);
        recovery(settings, config, master);
        settings.own("hot_standby", "off");
        for (String other : List.of("", "_name", "_time", "_xid")) {
            settings.own("recovery_target" + other, "");
        }
        settings.own("recovery_target_lsn", target);
        settings.own("recovery_target_inclusive", "off");
        settings.own("recovery_target_action", "promote");
        // Pages of the tables whose files were left out are missing.
        settings.own("ignore_invalid_pages", "on");
        // The Master's subscriptions are in the copied catalog, and would take the changes away from the Master.
        settings.own("max_logical_replication_workers", "0");
        settings.own("wal_level", "minimal");
        settings.own("max_wal_senders", "0");
        settings.own("archive_mode", "off");
        if (config.binaries().major() >= SUMMARIES) {
            settings.own("summarize_wal", "off");
        }
        settings.preset("full_page_writes", "off");
        storage(settings, config);
        return settings.with(config.settings(), config.id().name());
    }

    private static EngineSettings begin(
            SatelliteConfig config, RunDirectory files, Path run, Map<String, Integer> limits) throws EngineException {
        EngineSettings settings = new EngineSettings(
                config.dataDirectory(), files, run, RunDirectory.address(run).port(), config.binding());
        settings.presets(MemorySettings.of(config.memoryBytes()));
        if (config.inMemory()) {
            settings.preset(
                    "shared_buffers", MemorySettings.buffersOfCopyInMemory(config.memoryBytes(), config.dataBytes()));
        }
        limits.forEach((name, value) -> settings.preset(name, value.toString()));
        settings.preset(
                "max_connections",
                Integer.toString(Math.max(config.maxConnections(), limits.getOrDefault("max_connections", 0))));
        return settings;
    }

    private static void recovery(EngineSettings settings, SatelliteConfig config, NodeAddress log) {
        settings.own(
                "primary_conninfo",
                "host=" + quoted(log.directory().toString()) + " port=" + log.port() + " user="
                        + DataDirectory.SUPERUSER + " application_name="
                        + config.id().name()
                        + " sslmode=disable gssencmode=disable");
        settings.own("primary_slot_name", "");
        settings.preset("wal_retrieve_retry_interval", "100ms");
        settings.own("restore_command", "");
        settings.own("archive_cleanup_command", "");
        settings.own("recovery_end_command", "");
        settings.own("recovery_min_apply_delay", "0");
        settings.preset("recovery_target_timeline", "latest");
        settings.own("synchronous_standby_names", "");
    }

    private static void feed(EngineSettings settings, SatelliteConfig config) {
        recovery(settings, config, config.relay());
        settings.own("hot_standby", "on");
        settings.preset("hot_standby_feedback", "on");
        settings.preset("max_standby_streaming_delay", config.longReader().toMillis() + "ms");
        settings.preset("max_standby_archive_delay", config.longReader().toMillis() + "ms");
        // The relay asks for the position whenever a reader waits. This setting is for the time when no reader waits.
        settings.preset("wal_receiver_status_interval", "1s");
        // The copied configuration may hold the target of another recovery, which would end replay here.
        for (String target : List.of("", "_name", "_time", "_xid", "_lsn")) {
            settings.preset("recovery_target" + target, "");
        }
        settings.preset("archive_mode", "off");
    }

    /**
     * Adds the settings for storage. There is no fsync, since data lost in a machine's crash is copied again. Whole-page writes
     * are only the Master's, since a standby writes no log.
     */
    private static void storage(EngineSettings settings, SatelliteConfig config) {
        settings.preset("fsync", "off");
        settings.preset("synchronous_commit", "off");
        settings.preset("wal_keep_size", "0");
        settings.preset("max_wal_size", "512MB");
        settings.preset("min_wal_size", "80MB");
        // Restart points write to memory: spreading them over minutes would only keep the log for longer.
        settings.preset("checkpoint_completion_target", "0.1");
        settings.preset("wal_init_zero", "off");
        // Files in the data directory vanish with the Satellite, however it ends, and in memory they cost nothing.
        settings.preset("dynamic_shared_memory_type", "mmap");
        if (config.inMemory()) {
            settings.preset("random_page_cost", "1.1");
            // Reading ahead, or through another process, only costs time for a copy in memory.
            settings.preset("recovery_prefetch", "off");
            if (config.binaries().major() >= 18) {
                settings.preset("io_method", "sync");
            }
        }
    }

    /** A value of a libpq connection string. */
    private static String quoted(String value) {
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
