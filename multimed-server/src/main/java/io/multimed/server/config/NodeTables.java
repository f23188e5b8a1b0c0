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
 * @param satelliteSettings PostgreSQL settings of all Satellites
 * @param requests cores and settings of single nodes
 */
record NodeTables(OptionalInt masterCores, Map<String, String> satelliteSettings, Map<NodeId, NodeRequest> requests) {
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

    NodeTables {
        satelliteSettings = Map.copyOf(satelliteSettings);
        requests = Map.copyOf(requests);
    }

    static NodeTables read(TomlTable nodes) {
        Map<String, String> satelliteSettings = new HashMap<>();
        OptionalInt masterCores = OptionalInt.empty();
        Map<NodeId, NodeRequest> requests = new HashMap<>();
        for (String name : nodes.names()) {
            TomlTable node = nodes.table(name);
            if (name.equals("satellite")) {
                satelliteSettings.putAll(settings(node));
            } else if (name.equals("master") || name.matches("satellite-[1-9][0-9]?")) {
                NodeRequest request = new NodeRequest(cpus(node), settings(node));
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
    static Map<String, String> settings(TomlTable node) {
        TomlTable table = node.table("settings");
        Map<String, String> found = new LinkedHashMap<>();
        for (String name : table.names()) {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_.]*")) {
                table.problem(name, "is not the name of a PostgreSQL setting");
            } else if (OWN_SETTINGS.contains(name.toLowerCase(Locale.ROOT))) {
                table.problem(name, "is set by Multimed itself, whose guarantees rest on it; leave it out");
            }
            if (name.equalsIgnoreCase("wal_level")
                    && !table.scalar(name).map(MASTER_LOG_LEVELS::contains).orElse(false)) {
                table.problem(name, "must be replica or logical: Satellites live on the log");
            }
            table.scalar(name).ifPresent(value -> found.put(name.toLowerCase(Locale.ROOT), value));
        }
        return found;
    }
}
