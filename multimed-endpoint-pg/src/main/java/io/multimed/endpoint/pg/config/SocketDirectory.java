package io.multimed.endpoint.pg.config;

import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/**
 * A Unix-domain socket on which the endpoint listens, besides its address.
 *
 * @param directory that exists; the name of the socket in it contains the port
 * @param permissions who may write to the socket may connect
 * @param group of the socket; empty for that of the process
 */
public record SocketDirectory(Path directory, Set<PosixFilePermission> permissions, Optional<String> group) {
    public SocketDirectory {
        permissions = Set.copyOf(permissions);
    }
}
