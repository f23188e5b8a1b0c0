package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.process.ClusterProcesses;
import io.multimed.engine.postgresql.process.StaleEngine;
import io.multimed.engine.postgresql.process.StopMode;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees memory that is no longer needed: data of Satellites that are no longer planned, and of Masters whose directory was
 * deleted.
 *
 * <p>Each directory of Satellites' data in memory holds a file that names the Master.
 */
public final class MemoryLeftovers {
    private static final Logger log = LoggerFactory.getLogger(MemoryLeftovers.class);
    private static final String NAMES_MASTER = "master-directory";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private MemoryLeftovers() {}

    /** Writes down the Master whose data a directory holds. */
    static void mark(Path directory, Path masterData, EngineUser user) throws EngineException {
        Path file = directory.resolve(NAMES_MASTER);
        try {
            user.files(() -> Files.writeString(file, masterData + "\n"));
        } catch (IOException e) {
            throw new EngineException("Cannot write " + file + ": " + e + ".", e);
        }
    }

    /**
     * Deletes leftovers of this user's, and ends engines that still run on them. Never fails: leftovers that cannot be deleted
     * are logged and stay.
     *
     * @param memory where instances have their directories, {@code /dev/shm}
     * @param masterData this instance's Master
     * @param wanted data directories of this instance's Satellites
     */
    public static void remove(Path memory, Path masterData, Set<Path> wanted, EngineUser user)
            throws InterruptedException {
        for (Path instance : directories(memory, "multimed-*")) {
            try {
                if (!user.owns(instance) || !Files.isRegularFile(instance.resolve(NAMES_MASTER))) {
                    continue;
                }
                Path master =
                        Path.of(Files.readString(instance.resolve(NAMES_MASTER)).strip());
                boolean orphaned = !DataDirectory.exists(master);
                if (orphaned || master.equals(masterData.toAbsolutePath().normalize())) {
                    remove(instance, wanted, user);
                }
                if (orphaned) {
                    user.deleteTree(instance);
                }
            } catch (IOException | EngineException | RuntimeException e) {
                log.warn("Data of an earlier run stays in {}: {}", instance, e.toString());
            }
        }
    }

    /** Deletes an instance's directory if it holds no data of a Satellite. Never fails. */
    public static void removeEmpty(Path instance) {
        try {
            if (Files.isDirectory(instance, LinkOption.NOFOLLOW_LINKS)
                    && directories(instance, "*").isEmpty()) {
                Files.deleteIfExists(instance.resolve(NAMES_MASTER));
                Files.delete(instance);
            }
        } catch (IOException e) {
            log.info("{} stays: {}", instance, e.toString());
        }
    }

    private static void remove(Path instance, Set<Path> wanted, EngineUser user)
            throws IOException, EngineException, InterruptedException {
        for (Path satellite : directories(instance, "*")) {
            if (!wanted.contains(satellite) && !isTablespacesOf(satellite, wanted)) {
                log.info("Deleting data of an earlier run: {}", satellite);
                ClusterProcesses family =
                        ClusterProcesses.of(satellite.getFileName().toString(), satellite);
                StaleEngine.end(family, satellite, StopMode.IMMEDIATE, PATIENCE);
                user.deleteTree(satellite);
            }
        }
    }

    private static boolean isTablespacesOf(Path directory, Set<Path> wanted) {
        return wanted.stream()
                .anyMatch(data -> SatelliteConfig.tablespacesOf(data).equals(directory));
    }

    private static List<Path> directories(Path parent, String pattern) {
        List<Path> directories = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, pattern)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    directories.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            log.debug("Cannot look into {}: {}", parent, e.toString());
        }
        return directories;
    }
}
