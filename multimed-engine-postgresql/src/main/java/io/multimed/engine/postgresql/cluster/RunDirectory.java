package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * A node's private directory for its socket and the small files that its engine is started with.
 *
 * <p>Its mode, 0700, protects the engine: any user who may enter the directory may connect as any role.
 */
final class RunDirectory {
    private static final int PORT = 5432;
    /**
     * The rules for access: local sockets only. The endpoint has authenticated the client against the Master's roles before.
     */
    private static final String HBA = "local all all trust\nlocal replication all trust\n";

    private static final Set<PosixFilePermission> OWNERS_ALONE = PosixFilePermissions.fromString("rw-------");

    private final Path directory;
    private final EngineUser user;

    private RunDirectory(Path directory, EngineUser user) {
        this.directory = directory;
        this.user = user;
    }

    /**
     * Returns the place of the node's directory: the preferred one, or one below {@code /tmp} if a socket's path would be too
     * long there or the engines' user could not get there.
     */
    static Path place(Path preferred, EngineUser user) {
        Path absolute = preferred.toAbsolutePath().normalize();
        String path = new NodeAddress(absolute, PORT).socket().toString();
        boolean fits = path.getBytes(StandardCharsets.UTF_8).length <= NodeAddress.LONGEST_SOCKET_PATH;
        if (fits && path.indexOf(',') < 0 && reaches(user, absolute)) {
            return absolute;
        }
        CRC32 crc = new CRC32();
        crc.update(absolute.toString().getBytes(StandardCharsets.UTF_8));
        return Path.of("/tmp", String.format("multimed-%d-%08x", user.uid(), crc.getValue()));
    }

    /** @param place as given by {@link #place} */
    static RunDirectory open(Path place, EngineUser user) throws EngineException {
        user.privateDirectory(place);
        RunDirectory run = new RunDirectory(place, user);
        run.write("pg_hba.conf", HBA);
        return run;
    }

    static NodeAddress address(Path place) {
        return new NodeAddress(place, PORT);
    }

    Path hba() {
        return directory.resolve("pg_hba.conf");
    }

    /** Writes a file for the engine to read. */
    Path write(String name, String content) throws EngineException {
        Path file = directory.resolve(name);
        Path fresh = directory.resolve(name + ".new");
        try {
            return user.files(() -> {
                Files.deleteIfExists(fresh);
                Files.writeString(fresh, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                Files.setPosixFilePermissions(fresh, OWNERS_ALONE);
                return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            });
        } catch (IOException e) {
            throw new EngineException("Cannot write " + file + ": " + e + ".", e);
        }
    }

    private static boolean reaches(EngineUser user, Path directory) {
        try {
            user.requireReach("The directory", directory);
            return true;
        } catch (EngineException e) {
            return false;
        }
    }
}
