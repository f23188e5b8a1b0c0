package io.multimed.engine.postgresql.cluster;

import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import java.nio.file.Path;
import java.util.Map;

/**
 * The Master's programs, directories, memory and settings.
 *
 * @param user owns the data directory
 * @param dataDirectory made by {@link MasterCluster#initialise}, or an existing one of the programs' version
 * @param runDirectory preferred place of the socket; another one is taken if this is too long or out of reach
 * @param logFile appended to
 * @param memoryBytes memory for the engine and its page cache
 * @param maxConnections including those of Multimed itself
 * @param settings of PostgreSQL, by name; they win over the ones that Multimed chooses
 */
public record MasterConfig(
        EngineBinaries binaries,
        EngineUser user,
        Path dataDirectory,
        Path runDirectory,
        Path logFile,
        CoreBinding binding,
        long memoryBytes,
        int maxConnections,
        Map<String, String> settings) {
    public MasterConfig {
        dataDirectory = dataDirectory.toAbsolutePath().normalize();
        settings = Map.copyOf(settings);
    }
}
