package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.process.CoreBinding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The settings of one engine, collected in three steps: Multimed's own, which no configuration may change because a guarantee
 * depends on them or Multimed would no longer find its engine; presets, which a configuration may change; then the configured
 * ones.
 */
final class EngineSettings {
    /** Settings that Multimed does not give on the command line, and that no configuration may give. */
    private static final Set<String> NOBODYS = Set.of("cluster_name", "config_file");

    private final Map<String, String> values = new LinkedHashMap<>();
    private final Set<String> own = new HashSet<>(NOBODYS);

    /**
     * Begins with the settings that every engine of Multimed gets: directories, sockets, messages and cores.
     *
     * @param socketDirectory where it listens
     */
    EngineSettings(Path dataDirectory, RunDirectory run, Path socketDirectory, int port, CoreBinding binding)
            throws EngineException {
        if (!Files.exists(dataDirectory.resolve("postgresql.conf"))) {
            // The file is kept elsewhere, as on Debian, and names directories that are not Multimed's.
            own("config_file", run.write("postgresql.conf", "").toString());
        }
        // A copied configuration may name the Master's data directory, and would lead a Satellite there.
        own("data_directory", dataDirectory.toString());
        own("listen_addresses", "");
        own("unix_socket_directories", socketDirectory.toString());
        own("unix_socket_permissions", "0700");
        own("unix_socket_group", "");
        own("port", Integer.toString(port));
        own("hba_file", run.hba().toString());
        own("ssl", "off");
        own("external_pid_file", "");
        own("logging_collector", "off");
        own("log_destination", "stderr");
        preset("huge_pages", "try");
        // A backend that crashed may have torn the shared memory: only the supervisor starts engines again, after it
        // has withdrawn the floor.
        own("restart_after_crash", "off");
        int cores = binding.cores().size();
        if (cores > 0) {
            // More workers than cores only hinder each other.
            preset("max_parallel_workers", Integer.toString(cores));
            preset("max_parallel_workers_per_gather", Integer.toString(Math.min(2, cores - 1)));
        }
    }

    EngineSettings own(String name, String value) {
        own.add(name);
        values.put(name, value);
        return this;
    }

    EngineSettings preset(String name, String value) {
        values.put(name, value);
        return this;
    }

    EngineSettings presets(Map<String, String> settings) {
        settings.forEach(this::preset);
        return this;
    }

    /**
     * Adds the configured settings, last, so that they win.
     *
     * @return all settings
     * @throws EngineException if one of them is not the configuration's to make
     */
    Map<String, String> with(Map<String, String> configured, String node) throws EngineException {
        for (String name : configured.keySet()) {
            if (own.contains(name)) {
                throw new EngineException("The setting '" + name + "' of node " + node + " is Multimed's own.");
            }
            if (!name.matches("[A-Za-z_][A-Za-z0-9_.$]*")) {
                throw new EngineException("The setting '" + name + "' of node " + node + " is not a setting's name.");
            }
        }
        values.putAll(configured);
        return values;
    }
}
