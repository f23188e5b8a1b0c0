package io.multimed.engine.postgresql.process;

import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The command that runs one engine.
 *
 * @param postgres the server program
 * @param dataDirectory of the engine, absolute
 * @param settings handed over on the command line, which neither a configuration file nor ALTER SYSTEM overrides
 * @param family gives the engine its {@code cluster_name}
 * @param logFile appended to
 * @param user the user it runs as
 * @param binding its cores and memory
 * @param mayWrite the only directories in which the engine may write, besides its log; empty: wherever its user may
 * @param whenOrphaned how it ends when Multimed vanishes
 */
public record EngineCommand(
        Path postgres,
        Path dataDirectory,
        Map<String, String> settings,
        ClusterProcesses family,
        Path logFile,
        EngineUser user,
        CoreBinding binding,
        List<Path> mayWrite,
        StopMode whenOrphaned) {
    public EngineCommand {
        mayWrite = List.copyOf(mayWrite);
        Map<String, String> copy = new LinkedHashMap<>(settings);
        copy.put("cluster_name", family.clusterName());
        settings = Collections.unmodifiableMap(copy);
    }
}
