package io.multimed.endpoint.pg.backend;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The idle connections to one node, by kind; within a kind, the most recently used comes last. */
final class IdleConnections {
    private final Map<PoolKey, ArrayDeque<BackendConnection>> kinds = new HashMap<>();

    void add(BackendConnection connection, PoolKey kind, long nowNanos) {
        connection.pooled.idleSinceNanos = nowNanos;
        kinds.computeIfAbsent(kind, key -> new ArrayDeque<>()).addLast(connection);
    }

    void remove(BackendConnection connection) {
        ArrayDeque<BackendConnection> free = kinds.get(connection.key());
        if (free != null) {
            free.remove(connection);
        }
    }

    boolean has(PoolKey key) {
        ArrayDeque<BackendConnection> free = kinds.get(key);
        return free != null && !free.isEmpty();
    }

    /**
     * Takes the connection that served the client last, since its engine session may remember the client's state; otherwise the
     * most recently used one, or one that can become one of the requested kind. Returns null if there is none.
     */
    @Nullable
    BackendConnection take(ConnectionRequest request) {
        PoolKey key = request.key();
        ArrayDeque<BackendConnection> free = kinds.get(key);
        BackendConnection last = free == null ? null : free.peekLast();
        if (free == null || last == null) {
            return takeToBecome(key);
        }
        int client = request.waiter().clientProcessId();
        if (last.session.lastClient != client) {
            for (BackendConnection connection : free) {
                if (connection.session.lastClient == client) {
                    free.remove(connection);
                    return connection;
                }
            }
        }
        return free.pollLast();
    }

    /**
     * Takes a connection that can become one of this kind because some of the kind's names are not set there yet; null if there is
     * none.
     */
    private @Nullable BackendConnection takeToBecome(PoolKey key) {
        if (key.names().isEmpty()) {
            return null;
        }
        for (Map.Entry<PoolKey, ArrayDeque<BackendConnection>> kind : kinds.entrySet()) {
            if (kind.getKey().canBecome(key) && !kind.getValue().isEmpty()) {
                BackendConnection connection = kind.getValue().removeLast();
                connection.become(key);
                return connection;
            }
        }
        return null;
    }

    /** Takes a matching connection that is the longest idle of its kind; null if there is none. */
    @Nullable
    BackendConnection takeOldest(Predicate<BackendConnection> such) {
        for (ArrayDeque<BackendConnection> free : kinds.values()) {
            BackendConnection oldest = free.peekFirst();
            if (oldest != null && such.test(oldest)) {
                return free.pollFirst();
            }
        }
        return null;
    }

    /** Closes the connections that have been idle since {@code nanos} or longer. */
    void closeSince(long nanos) {
        for (ArrayDeque<BackendConnection> free : kinds.values()) {
            for (BackendConnection first = free.peekFirst();
                    first != null && first.pooled.idleSinceNanos - nanos < 0;
                    first = free.peekFirst()) {
                free.removeFirst();
                first.discard();
            }
        }
        kinds.values().removeIf(ArrayDeque::isEmpty);
    }

    int count() {
        int count = 0;
        for (ArrayDeque<BackendConnection> free : kinds.values()) {
            count += free.size();
        }
        return count;
    }

    /** Returns the number of idle connections that yield, or of those that do not. */
    int count(boolean yielding) {
        int count = 0;
        for (Map.Entry<PoolKey, ArrayDeque<BackendConnection>> free : kinds.entrySet()) {
            count += free.getKey().yielding() == yielding ? free.getValue().size() : 0;
        }
        return count;
    }
}
