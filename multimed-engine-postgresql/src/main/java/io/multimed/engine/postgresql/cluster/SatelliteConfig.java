package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.FileTree;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import io.multimed.model.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * One Satellite's programs, directories, memory and settings.
 *
 * @param binaries of the Master's release
 * @param user the Master's
 * @param dataDirectory in tmpfs (the papers' C1) or on disk (C0); beside it, {@code NAME.tablespaces}
 * @param inMemory whether the data directory lies in tmpfs: then its size counts against the machine's memory
 * @param availableMemory how many bytes of memory data in tmpfs may still take
 * @param runDirectory preferred place of the socket; another one is taken if this is too long or out of reach
 * @param logFile appended to
 * @param relay where the Satellite gets the log from
 * @param memoryBytes memory for the engine, its data in tmpfs not included
 * @param maxConnections minimum of the setting; the Satellite gets at least the Master's value, as a standby must
 * @param longReader how long replay waits for a reader whose rows it must remove, before it cancels the reader
 * @param settings of PostgreSQL, by name; they win over the ones that Multimed chooses
 */
public record SatelliteConfig(
        NodeId id,
        EngineBinaries binaries,
        EngineUser user,
        Path dataDirectory,
        boolean inMemory,
        LongSupplier availableMemory,
        Path runDirectory,
        Path logFile,
        NodeAddress relay,
        CoreBinding binding,
        long memoryBytes,
        int maxConnections,
        Duration longReader,
        Map<String, String> settings) {
    /** Long enough for almost every query, short enough that the Satellite is fresh again soon. */
    public static final Duration LONG_READER = Duration.ofSeconds(5);

    public SatelliteConfig {
        dataDirectory = dataDirectory.toAbsolutePath().normalize();
        settings = Map.copyOf(settings);
    }

    /** Returns the present size of the copy. */
    long dataBytes() throws EngineException {
        try {
            return FileTree.bytes(dataDirectory) + FileTree.bytes(tablespaces());
        } catch (IOException e) {
            throw new EngineException("Cannot find out the size of " + dataDirectory + ": " + e + ".", e);
        }
    }

    Path tablespaces() {
        return tablespacesOf(dataDirectory);
    }

    static Path tablespacesOf(Path dataDirectory) {
        return dataDirectory.resolveSibling(dataDirectory.getFileName() + ".tablespaces");
    }
}
