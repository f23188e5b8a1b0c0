package io.multimed.bench.system;

import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** The systems of MariaDB by the names that the command line knows: those of PostgreSQL where they mean the same. */
final class MariaDbSystems {
    private static final String BINARY_LOG = "standalone-binlog";
    /** The isolation of all transactions: under REPEATABLE READ, its default, MariaDB locks gaps between rows. */
    static final String ISOLATION = "READ-COMMITTED";

    private static final long MEGABYTE = 1 << 20;

    private static final Map<String, BiFunction<Equipment<MariaDbBinaries>, Systems.Options, SystemUnderTest>> ALL =
            new LinkedHashMap<>();

    static {
        alone("standalone", "as it comes", (equipment, options) -> Map.of());
        alone("standalone-buffered", "with all data in its memory", MariaDbSystems::buffered);
        alone("standalone-tuned", "with all data in its memory and a pool of threads", MariaDbSystems::tuned);
        alone(BINARY_LOG, "tuned, with a durable binary log, as Multimed's Master has one", MariaDbSystems::logging);
        ALL.put(
                Systems.MULTIMED,
                (equipment, options) -> new MariaDbMultimed(Systems.MULTIMED, equipment, options, "strong"));
        ALL.put(
                "multimed-session",
                (equipment, options) -> new MariaDbMultimed("multimed-session", equipment, options, "session"));
        ALL.put(
                "multimed-eventual",
                (equipment, options) -> new MariaDbMultimed("multimed-eventual", equipment, options, "eventual"));
    }

    private MariaDbSystems() {}

    private static void alone(
            String name,
            String how,
            BiFunction<Equipment<MariaDbBinaries>, Systems.Options, Map<String, String>> settings) {
        ALL.put(
                name,
                (equipment, options) ->
                        new MariaDbStandalone(name, how, equipment, settings.apply(equipment, options)));
    }

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    static SystemUnderTest of(String name, Equipment<MariaDbBinaries> equipment, Systems.Options options) {
        return Objects.requireNonNull(ALL.get(name), name).apply(equipment, options);
    }

    /** Whether the engine that acknowledges commits has a binary log. */
    static boolean hasBinaryLog(String system) {
        return system.equals(BINARY_LOG) || system.startsWith(Systems.MULTIMED);
    }

    /** Returns the settings that Multimed's Master has for speed, with all the memory. */
    private static Map<String, String> buffered(Equipment<MariaDbBinaries> equipment, Systems.Options options) {
        return new TreeMap<>(Map.of(
                "innodb_buffer_pool_size",
                equipment.memoryBytes() / MEGABYTE * 6 / 10 + "M",
                "innodb_log_file_size",
                "512M"));
    }

    private static Map<String, String> tuned(Equipment<MariaDbBinaries> equipment, Systems.Options options) {
        Map<String, String> settings = buffered(equipment, options);
        settings.put("thread_handling", "pool-of-threads");
        settings.put("thread_pool_size", Integer.toString(equipment.processors()));
        settings.putAll(options.settings());
        return settings;
    }

    private static Map<String, String> logging(Equipment<MariaDbBinaries> equipment, Systems.Options options) {
        Map<String, String> settings = tuned(equipment, options);
        settings.putAll(Map.of(
                "log_bin", "binlog",
                "server_id", "1",
                "binlog_format", "ROW",
                "sync_binlog", "1",
                "max_binlog_size", "256M"));
        return settings;
    }
}
