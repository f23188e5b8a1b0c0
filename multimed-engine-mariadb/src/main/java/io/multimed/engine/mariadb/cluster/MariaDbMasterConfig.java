package io.multimed.engine.mariadb.cluster;

import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import java.nio.file.Path;
import java.util.Map;

/**
 * The Master's programs, directories, memory and settings.
 *
 * @param user owns the data directory
 * @param dataDirectory made by {@link MariaDbMaster#initialise}
 * @param runDirectory preferred place of the socket; another one is taken if this is too long or out of reach
 * @param logFile appended to
 * @param memoryBytes memory for the engine
 * @param maxConnections including those of Multimed itself
 * @param settings of MariaDB, by name; they win over the ones that Multimed chooses, except over those that the relay needs
 */
public record MariaDbMasterConfig(
        MariaDbBinaries binaries,
        EngineUser user,
        Path dataDirectory,
        Path runDirectory,
        Path logFile,
        CoreBinding binding,
        long memoryBytes,
        int maxConnections,
        Map<String, String> settings) {
    public MariaDbMasterConfig {
        dataDirectory = dataDirectory.toAbsolutePath().normalize();
        settings = Map.copyOf(settings);
    }
}
