package io.multimed.engine.postgresql.cluster;

import io.multimed.engine.EngineException;
import io.multimed.engine.postgresql.process.CoreBinding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The settings that both kinds of node share, and those that no configuration may touch. */
final class EngineSettings {
    /** Changing one of these would break a guarantee, or Multimed would no longer find its engine. */
    private static final Set<String> OWN = Set.of(
            "archive_cleanup_command",
            "cluster_name",
            "config_file",
            "data_directory",
            "external_pid_file",
            "hba_file",
            "hot_standby",
            "listen_addresses",
            "log_destination",
            "logging_collector",
            "port",
            "primary_conninfo",
            "primary_slot_name",
            "recovery_min_apply_delay",
            "recovery_end_command",
            "restart_after_crash",
            "restore_command",
            "ssl",
            "synchronous_standby_names",
            "unix_socket_directories",
            "unix_socket_group",
            "unix_socket_permissions");

    private EngineSettings() {}

    /**
     * What every engine of ours is told about places, sockets, messages and its cores.
     *
     * @param socketDirectory where it listens
     */
    static Map<String, String> common(
            Path dataDirectory, RunDirectory run, Path socketDirectory, int port, CoreBinding binding)
            throws EngineException {
        Map<String, String> settings = new LinkedHashMap<>();
        if (!Files.exists(dataDirectory.resolve("postgresql.conf"))) {
            // Kept elsewhere, as Debian does, where it names places that are not ours.
            settings.put("config_file", run.write("postgresql.conf", "").toString());
        }
        // A copied configuration that names it would lead a Satellite to the Master's.
        settings.put("data_directory", dataDirectory.toString());
        settings.put("listen_addresses", "");
        settings.put("unix_socket_directories", socketDirectory.toString());
        settings.put("unix_socket_permissions", "0700");
        settings.put("unix_socket_group", "");
        settings.put("port", Integer.toString(port));
        settings.put("hba_file", run.hba().toString());
        settings.put("ssl", "off");
        settings.put("external_pid_file", "");
        settings.put("logging_collector", "off");
        settings.put("log_destination", "stderr");
        settings.put("huge_pages", "try");
        // A backend that crashed may have torn the shared memory: only the supervisor starts engines again, after it
        // has withdrawn the floor.
        settings.put("restart_after_crash", "off");
        int cores = binding.cores().size();
        if (cores > 0) {
            // More workers than cores only get in each other's way.
            settings.put("max_parallel_workers", Integer.toString(cores));
            settings.put("max_parallel_workers_per_gather", Integer.toString(Math.min(2, cores - 1)));
        }
        return settings;
    }

    /**
     * Adds the caller's settings, last, so that they win.
     *
     * @throws EngineException if one of them is not the caller's to make
     */
    static void add(Map<String, String> settings, Map<String, String> extra, String node) throws EngineException {
        for (Map.Entry<String, String> setting : extra.entrySet()) {
            String name = setting.getKey();
            if (OWN.contains(name)) {
                throw new EngineException("The setting '" + name + "' of node " + node + " is Multimed's own.");
            }
            if (!name.matches("[A-Za-z_][A-Za-z0-9_.$]*")) {
                throw new EngineException("The setting '" + name + "' of node " + node + " is not a setting's name.");
            }
            settings.put(name, setting.getValue());
        }
    }
}
