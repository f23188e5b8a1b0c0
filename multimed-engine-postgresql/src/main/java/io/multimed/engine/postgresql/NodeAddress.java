package io.multimed.engine.postgresql;

import java.nio.file.Path;

/**
 * The address of a node's socket, in libpq's terms {@code host=DIRECTORY port=PORT}.
 *
 * @param directory of the Unix-domain socket
 * @param port part of the socket's name
 */
public record NodeAddress(Path directory, int port) {
    /** The length of sun_path on Linux, less the final NUL. */
    public static final int LONGEST_SOCKET_PATH = 107;

    /** The socket itself. */
    public Path socket() {
        return directory.resolve(".s.PGSQL." + port);
    }
}
