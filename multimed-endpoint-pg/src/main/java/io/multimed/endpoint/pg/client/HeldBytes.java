package io.multimed.endpoint.pg.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the clients of one event loop make it hold: messages they have begun, units that wait, replies they do not take,
 * notifications that they cannot be told yet.
 *
 * <p>Each client is bounded by itself, but there are thousands; together they must not take the memory that all need.
 * Looked at now and then, rather than counted at every message.
 */
public final class HeldBytes {
    private static final Logger LOG = LoggerFactory.getLogger(HeldBytes.class);
    /** Whoever holds less is not worth closing. */
    private static final long WORTH_CLOSING = 16 * 1024;

    private record Holder(ClientConnection client, long bytes) {}

    private final long most;
    private final Set<ClientConnection> clients = new HashSet<>();

    /** @param most bytes for all clients of this loop */
    public HeldBytes(long most) {
        this.most = most;
    }

    void add(ClientConnection client) {
        clients.add(client);
    }

    void remove(ClientConnection client) {
        clients.remove(client);
    }

    /** Closes those who hold most until what is left fits. */
    public void check() {
        long sum = 0;
        for (ClientConnection client : clients) {
            sum += client.heldBytes();
        }
        if (sum <= most) {
            return;
        }
        List<Holder> holders = new ArrayList<>();
        for (ClientConnection client : clients) {
            long bytes = client.heldBytes();
            if (bytes >= WORTH_CLOSING) {
                holders.add(new Holder(client, bytes));
            }
        }
        holders.sort(Comparator.comparingLong(Holder::bytes).reversed());
        int closed = 0;
        while (sum > most && closed < holders.size()) {
            Holder holder = holders.get(closed++);
            sum -= holder.bytes;
            holder.client.holdsTooMuch();
        }
        LOG.warn("{} clients closed: what they had begun to send, or had not been told, took too much memory", closed);
    }
}
