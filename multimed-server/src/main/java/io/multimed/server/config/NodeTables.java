package io.multimed.server.config;

import io.multimed.model.NodeId;
import io.multimed.model.plan.NodeRequest;
import io.multimed.model.topology.CpuSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The tables of single nodes, {@code [nodes.master]}, {@code [nodes.satellite]} and {@code [nodes.satellite-1]}.
 *
 * @param masterCores number of cores of the Master
 * @param satelliteSettings engine settings of all Satellites
 * @param requests cores and settings of single nodes
 */
public record NodeTables(
        OptionalInt masterCores, Map<String, String> satelliteSettings, Map<NodeId, NodeRequest> requests) {
    /** Settings that Multimed itself must give the engines; changing them would break a guarantee. */
    private static final Set<String> OWN_SETTINGS = Set.of(
            "archive_mode",
            "cluster_name",
            "config_file",
            "external_pid_file",
            "fsync",
            "full_page_writes",
            "hot_standby",
            "hot_standby_feedback",
            "listen_addresses",
            "log_destination",
            "logging_collector",
            "max_wal_senders",
            "port",
            "primary_conninfo",
            "primary_slot_name",
            "restart_after_crash",
            "restore_command",
            "ssl",
            "synchronous_commit",
            "synchronous_standby_names",
            "unix_socket_directories",
            "unix_socket_group",
            "unix_socket_permissions",
            "data_directory",
            "hba_file",
            "ident_file");

    /** Values of wal_level that suffice for Satellites; {@code logical} also serves logical replication to other systems. */
    private static final Set<String> MASTER_LOG_LEVELS = Set.of("replica", "logical");

    public NodeTables {
        satelliteSettings = Map.copyOf(satelliteSettings);
        requests = Map.copyOf(requests);
    }

    /** The settings that an engine may be given. */
    @FunctionalInterface
    public interface AllowedSettings {
        /** Notes a problem of the table if its key is no setting that may be given. */
        void check(TomlTable table, String name);
    }

    static final AllowedSettings POSTGRESQL = NodeTables::checkPostgres;

    /** @param allowed the settings of engines that may be given */
    public static NodeTables read(TomlTable nodes, AllowedSettings allowed) {
        Map<String, String> satelliteSettings = new HashMap<>();
        OptionalInt masterCores = OptionalInt.empty();
        Map<NodeId, NodeRequest> requests = new HashMap<>();
        for (String name : nodes.names()) {
            TomlTable node = nodes.table(name);
            if (name.equals("satellite")) {
                satelliteSettings.putAll(settings(node, allowed));
            } else if (name.equals("master") || name.matches("satellite-[1-9][0-9]?")) {
                NodeRequest request = new NodeRequest(cpus(node), settings(node, allowed));
                if (!request.equals(NodeRequest.NONE)) {
                    requests.put(new NodeId(name), request);
                }
                if (name.equals("master")) {
                    masterCores = node.integer("cores", 1, ConfigurationReader.MOST_CORES);
                }
            } else {
                nodes.problem(
                        name,
                        "there is no such node; allowed are master, satellite (all of them), satellite-1, satellite-2, ...");
                continue;
            }
            node.end();
        }
        return new NodeTables(masterCores, satelliteSettings, requests);
    }

    private static CpuSet cpus(TomlTable table) {
        CpuSet cpus = TomlValues.read(table, "cpus", CpuSet::parse, CpuSet.EMPTY);
        if (cpus.isEmpty() && table.text("cpus").filter(String::isBlank).isPresent()) {
            table.problem("cpus", "must name at least one, such as \"0-3\"; left out, the planner decides");
        }
        return cpus;
    }

    /** Reads the settings of a node's engine. */
    static Map<String, String> settings(TomlTable node, AllowedSettings allowed) {
        TomlTable table = node.table("settings");
        Map<String, String> found = new LinkedHashMap<>();
        for (String name : table.names()) {
            allowed.check(table, name);
            table.scalar(name).ifPresent(value -> found.put(name.toLowerCase(Locale.ROOT), value));
        }
        return found;
    }

    private static void checkPostgres(TomlTable table, String name) {
        check(table, name, "PostgreSQL", OWN_SETTINGS);
        if (name.equalsIgnoreCase("wal_level")
                && !table.scalar(name).map(MASTER_LOG_LEVELS::contains).orElse(false)) {
            table.problem(name, "must be replica or logical: Satellites live on the log");
        }
    }

    /**
     * Notes a problem if the name is none of a setting, or one of Multimed's own.
     *
     * @param own settings on which Multimed's guarantees rest, in small letters
     */
    public static void check(TomlTable table, String name, String engine, Set<String> own) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_.]*")) {
            table.problem(name, "is not the name of a " + engine + " setting");
        } else if (own.contains(name.toLowerCase(Locale.ROOT))) {
            table.problem(name, "is set by Multimed itself, whose guarantees rest on it; leave it out");
        }
    }
}
