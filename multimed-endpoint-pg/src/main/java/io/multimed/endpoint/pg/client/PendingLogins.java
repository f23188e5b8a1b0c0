package io.multimed.endpoint.pg.client;

import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * The connections of one event loop whose clients have not said who they are. They count for nothing yet, so there may be
 * only so many: then the oldest makes way, since whoever means to speak does so at once, and nobody is kept out.
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

    /** It has told its name, or is closed. */
    void remove(ClientConnection connection) {
        connections.remove(connection);
    }
}
