package io.multimed.endpoint.pg.client;

import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * The connections of one event loop whose clients have not sent their start-up packet. The limit on clients does not include them
 * yet, so they have a limit of their own. Beyond it the oldest is closed, since a real client sends its packet at once; so no
 * client is locked out.
 */
public final class PendingLogins {
    private final int most;
    private final SequencedSet<ClientConnection> connections = new LinkedHashSet<>();

    public PendingLogins(int most) {
        this.most = most;
    }

    void add(ClientConnection connection) {
        connections.add(connection);
        if (connections.size() > most) {
            connections.removeFirst().close();
        }
    }

    /** Removes a connection whose client has sent its start-up packet, or that is closed. */
    void remove(ClientConnection connection) {
        connections.remove(connection);
    }
}
