package io.multimed.server.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * A listening address.
 *
 * @param host a name or an address, without brackets
 * @param port 0 for any free port
 */
public record ListenAddress(String host, int port) {
    static final String FORM = "HOST:PORT, such as 127.0.0.1:7432, [::1]:7432 or localhost:7432";

    /**
     * Parses {@code HOST:PORT}.
     *
     * @throws IllegalArgumentException with one sentence that states the allowed form
     */
    public static ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        String port = text.substring(colon + 1);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.contains(":")) {
            throw new IllegalArgumentException("must be " + FORM + ", not \"" + text + "\"");
        }
        if (host.isBlank() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65535) {
            throw new IllegalArgumentException("must be " + FORM + ", not \"" + text + "\"");
        }
        return new ListenAddress(host, Integer.parseInt(port));
    }

    /**
     * Returns the address to bind.
     *
     * @throws UnknownHostException if the host has no known address
     */
    public InetSocketAddress resolve() throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(host), port);
    }

    /** Whether only one of the two addresses can be bound. */
    boolean clashesWith(ListenAddress other) {
        if (port == 0 || port != other.port) {
            return false;
        }
        try {
            InetAddress mine = resolve().getAddress();
            InetAddress its = other.resolve().getAddress();
            return mine.equals(its) || mine.isAnyLocalAddress() || its.isAnyLocalAddress();
        } catch (UnknownHostException e) {
            return host.equalsIgnoreCase(other.host);
        }
    }

    public ListenAddress withPort(int actual) {
        return new ListenAddress(host, actual);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
