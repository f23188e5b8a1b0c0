package io.multimed.endpoint.pg.session.loop;

import java.util.concurrent.ConcurrentHashMap;

/**
 * The clients that backends serve now or served last. They translate the sender of a notification into the number that the sending
 * client knows as its own. Any thread.
 */
public final class ProcessIds {
    /**
     * Number of entries at which all are dropped. Engines are restarted and process numbers grow, so the old entries are no longer
     * needed.
     */
    private static final int MAX = 65_536;

    private final ConcurrentHashMap<Integer, Integer> clientOf = new ConcurrentHashMap<>();

    /** Records that a backend serves this client from now on. */
    public void serves(int backendProcessId, int clientProcessId) {
        Integer known = clientOf.get(backendProcessId);
        if (known == null || known != clientProcessId) {
            if (clientOf.size() >= MAX) {
                clientOf.clear();
            }
            clientOf.put(backendProcessId, clientProcessId);
        }
    }

    /** The client's number, or the number of the backend itself if it serves no client of Multimed. */
    public int clientOf(int backendProcessId) {
        return clientOf.getOrDefault(backendProcessId, backendProcessId);
    }
}
