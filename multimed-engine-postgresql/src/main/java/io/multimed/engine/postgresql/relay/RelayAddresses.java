package io.multimed.engine.postgresql.relay;

import java.nio.file.Path;

/**
 * The sockets and directories at which the Relay finds the Master and Satellites find the Relay.
 *
 * @param masterSocketDirectory the Master's {@code unix_socket_directories}
 * @param masterPort the Master's {@code port}; with the directory it names the socket {@code DIR/.s.PGSQL.PORT}
 * @param user a role of the Master with REPLICATION that is let in on that socket without a password
 * @param masterData the Master's data directory, for {@code global/pg_control} and {@code pg_wal}
 * @param listenDirectory where the Relay listens, a private directory which the Satellites' operating-system user can enter: a
 *     Satellite has {@code primary_conninfo = 'host=listenDirectory port=listenPort user=... application_name=satellite-1'}
 * @param listenPort completes the name of the Relay's socket; nothing listens on TCP
 */
public record RelayAddresses(
        Path masterSocketDirectory,
        int masterPort,
        String user,
        Path masterData,
        Path listenDirectory,
        int listenPort) {
    /** The name under which the Master knows the Relay; {@code synchronous_standby_names} must list it. */
    public static final String APPLICATION_NAME = "multimed_relay";

    Path masterSocket() {
        return socket(masterSocketDirectory, masterPort);
    }

    Path listenSocket() {
        return socket(listenDirectory, listenPort);
    }

    private static Path socket(Path directory, int port) {
        return directory.resolve(".s.PGSQL." + port);
    }
}
