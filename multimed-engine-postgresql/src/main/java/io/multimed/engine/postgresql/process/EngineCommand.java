package io.multimed.engine.postgresql.process;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How one engine is to be run.
 *
 * @param postgres the server program
 * @param dataDirectory of the engine, absolute
 * @param settings handed over on the command line, which neither a configuration file nor ALTER SYSTEM overrides
 * @param family gives the engine its {@code cluster_name}
 * @param logFile appended to
 * @param user the user it runs as
 * @param binding its cores and memory
 * @param whenOrphaned how it ends when Multimed vanishes
 */
public record EngineCommand(
        Path postgres,
        Path dataDirectory,
        Map<String, String> settings,
        EngineFamily family,
        Path logFile,
        EngineUser user,
        CoreBinding binding,
        StopMode whenOrphaned) {
    public EngineCommand {
        Map<String, String> copy = new LinkedHashMap<>(settings);
        copy.put("cluster_name", family.clusterName());
        settings = java.util.Collections.unmodifiableMap(copy);
    }
}
