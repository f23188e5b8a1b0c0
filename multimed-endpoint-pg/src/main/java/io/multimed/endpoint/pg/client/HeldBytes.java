package io.multimed.endpoint.pg.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that the clients of one event loop occupy: unfinished messages, waiting units, unread replies, and notifications that
 * cannot be sent yet.
 *
 * <p>Each client has limits of its own, but there are thousands of clients; together they must not occupy the memory that all need.
 * The sum is computed at intervals, rather than updated at every message.
 */
public final class HeldBytes {
    private static final Logger LOG = LoggerFactory.getLogger(HeldBytes.class);
    /** Smallest number of bytes for which a client is closed. */
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

    /** Closes the clients that occupy most until the rest is below the limit. */
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
