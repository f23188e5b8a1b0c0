package io.multimed.engine.mariadb.cluster;

import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import io.multimed.model.NodeId;
import java.nio.file.Path;
import java.util.Map;

/**
 * One Satellite's programs, directories, memory and settings.
 *
 * @param number among the Satellites, from 1 on
 * @param binaries of the Master's release
 * @param user the Master's
 * @param dataDirectory in tmpfs or on disk; its parent belongs to the user
 * @param runDirectory preferred place of the socket; another one is taken if this is too long or out of reach
 * @param logFile appended to
 * @param memoryBytes memory for the engine, its data in tmpfs not included
 * @param settings of MariaDB, by name; they win over the ones that Multimed chooses, except over those that keep the Satellite a
 *     copy
 */
public record MariaDbSatelliteConfig(
        NodeId id,
        int number,
        MariaDbBinaries binaries,
        EngineUser user,
        Path dataDirectory,
        Path runDirectory,
        Path logFile,
        CoreBinding binding,
        long memoryBytes,
        int maxConnections,
        Map<String, String> settings) {
    public MariaDbSatelliteConfig {
        dataDirectory = dataDirectory.toAbsolutePath().normalize();
        settings = Map.copyOf(settings);
    }
}
