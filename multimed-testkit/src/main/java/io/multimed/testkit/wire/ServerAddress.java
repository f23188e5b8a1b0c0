package io.multimed.testkit.wire;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** The address of a server, in a libpq client's terms. */
public sealed interface ServerAddress {
    SocketAddress socketAddress();

    /** Returns the value of a libpq client's {@code host}. */
    String host();

    int port();

    record Tcp(String host, int port) implements ServerAddress {
        @Override
        public SocketAddress socketAddress() {
            return new InetSocketAddress(host, port);
        }
    }

    /** @param directory of the socket {@code .s.PGSQL.port} */
    record Unix(Path directory, int port) implements ServerAddress {
        @Override
        public SocketAddress socketAddress() {
            return UnixDomainSocketAddress.of(directory.resolve(".s.PGSQL." + port));
        }

        @Override
        public String host() {
            return directory.toString();
        }
    }

    /** @param host a name, an address, or the directory of a Unix-domain socket */
    static ServerAddress of(String host, int port) {
        return host.startsWith("/") ? new Unix(Path.of(host), port) : new Tcp(host, port);
    }
}
