package io.multimed.endpoint.pg.session.loop;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Which client a backend serves, or served last, so that the sender of a notification is the number which that client
 * knows as its own. Any thread.
 */
public final class ProcessIds {
    /** Engines are restarted and process numbers grow; what is this old has been forgotten by everybody. */
    private static final int MAX = 65_536;

    private final ConcurrentHashMap<Integer, Integer> clientOf = new ConcurrentHashMap<>();

    /** A backend serves this client from now on. */
    public void serves(int backendProcessId, int clientProcessId) {
        Integer known = clientOf.get(backendProcessId);
        if (known == null || known != clientProcessId) {
            if (clientOf.size() >= MAX) {
                clientOf.clear();
            }
            clientOf.put(backendProcessId, clientProcessId);
        }
    }

    /** The client's number; that of the backend itself if it serves no client of Multimed. */
    public int clientOf(int backendProcessId) {
        return clientOf.getOrDefault(backendProcessId, backendProcessId);
    }
}
