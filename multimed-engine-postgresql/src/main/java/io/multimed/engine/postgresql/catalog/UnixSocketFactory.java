package io.multimed.engine.postgresql.catalog;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.SocketFactory;

/**
 * Lets pgjdbc, which knows TCP only, talk to a Unix-domain socket. The driver makes the factory itself, by the name of
 * the class and the path as its argument; hence public.
 */
public final class UnixSocketFactory extends SocketFactory {
    private final Path path;

    /** @param path of the socket */
    public UnixSocketFactory(String path) {
        this.path = Path.of(path);
    }

    @Override
    public Socket createSocket() throws IOException {
        return new UnixSocket(path);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected();
    }

    private Socket connected() throws IOException {
        UnixSocket socket = new UnixSocket(path);
        socket.connect(null, 0);
        return socket;
    }
}
