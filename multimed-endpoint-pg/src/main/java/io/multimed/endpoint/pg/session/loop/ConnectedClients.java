package io.multimed.endpoint.pg.session.loop;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The clients of all loops that have logged in to a database, by the process numbers that the clients know. Any thread. */
public final class ConnectedClients {
    private final ConcurrentHashMap<Integer, ConnectedClient> clients = new ConcurrentHashMap<>();

    /** Adds a client that has logged in. */
    public void add(ConnectedClient client) {
        clients.put(client.processId(), client);
    }

    /** Removes a client that has gone. */
    public void remove(int processId) {
        clients.remove(processId);
    }

    /** The client with this number; null if there is none. */
    public @Nullable ConnectedClient find(int processId) {
        return clients.get(processId);
    }

    /** All clients that are logged in. */
    public Collection<ConnectedClient> all() {
        return List.copyOf(clients.values());
    }

    /** Number of clients that are connected as this role. */
    public int countOfRole(String user) {
        return count(client -> client.user().equals(user));
    }

    /** Number of clients that are connected to this database. */
    public int countInDatabase(String database) {
        return count(client -> client.database().equals(database));
    }

    private int count(Predicate<ConnectedClient> such) {
        int count = 0;
        for (ConnectedClient client : clients.values()) {
            count += such.test(client) ? 1 : 0;
        }
        return count;
    }

    /** Ends the conversations of all clients that are connected to this database. */
    public void terminateInDatabase(String database) {
        clients.values().stream()
                .filter(client -> client.database().equals(database))
                .forEach(ConnectedClient::terminate);
    }
}
