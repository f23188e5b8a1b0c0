package io.multimed.bench.system;

import io.multimed.engine.postgresql.catalog.UnixSocketFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.util.ConfigurableSocketFactory;

/**
 * Lets Connector/J, which needs a native library for that, talk to a Unix-domain socket. The driver makes the factory itself, by the
 * name of the class, and tells it its URL; hence public.
 */
public final class MariaDbSocketFactory extends ConfigurableSocketFactory {
    /** The option of the URL with the path of the socket. */
    static final String PATH = "unixSocket";

    private UnixSocketFactory sockets = new UnixSocketFactory("/");

    @Override
    public void setConfiguration(Configuration configuration, String host) {
        sockets = new UnixSocketFactory(configuration.nonMappedOptions().getProperty(PATH, "/"));
    }

    @Override
    public Socket createSocket() throws IOException {
        return sockets.createSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return sockets.createSocket(host, port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return sockets.createSocket(host, port, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return sockets.createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return sockets.createSocket(host, port, localHost, localPort);
    }
}
