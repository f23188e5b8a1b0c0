package io.multimed.endpoint.pg.client;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.IntSupplier;

/**
 * The connections of one event loop whose clients have not sent their start-up packet. The limit on clients does not include them
 * yet, so they have a limit of their own. Beyond it the oldest is closed, since a real client sends its packet at once; so no
 * client is locked out.
 */
public final class PendingLogins {
    private final IntSupplier most;
    private final SequencedSet<ClientConnection> connections = new LinkedHashSet<>();

    /** @param most the largest number of them at present */
    public PendingLogins(IntSupplier most) {
        this.most = most;
    }

    void add(ClientConnection connection) {
        connections.add(connection);
        if (connections.size() > most.getAsInt()) {
            connections.removeFirst().close();
        }
    }

    /** Removes a connection whose client has sent its start-up packet, or that is closed. */
    void remove(ClientConnection connection) {
        connections.remove(connection);
    }
}
