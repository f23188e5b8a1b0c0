package io.multimed.endpoint.pg.session.loop;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The clients of all loops that have logged in to a database, by the numbers that they know. Any thread. */
public final class ConnectedClients {
    private final ConcurrentHashMap<Integer, ConnectedClient> clients = new ConcurrentHashMap<>();

    /** It has logged in. */
    public void add(ConnectedClient client) {
        clients.put(client.processId(), client);
    }

    /** It has gone. */
    public void remove(int processId) {
        clients.remove(processId);
    }

    /** The client with this number; null if there is none. */
    public @Nullable ConnectedClient find(int processId) {
        return clients.get(processId);
    }

    /** All of them. */
    public Collection<ConnectedClient> all() {
        return List.copyOf(clients.values());
    }

    /** How many are connected as this role. */
    public int countOfRole(String user) {
        return count(client -> client.user().equals(user));
    }

    /** How many are connected to this database. */
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

    /** Ends the conversations of those connected to a database. */
    public void terminateInDatabase(String database) {
        clients.values().stream()
                .filter(client -> client.database().equals(database))
                .forEach(ConnectedClient::terminate);
    }
}
