package io.multimed.endpoint.pg.backend;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The idle connections to one node, by kind; within a kind, the most recently used comes last. */
final class IdleConnections {
    private final Map<PoolKey, ArrayDeque<BackendConnection>> kinds = new HashMap<>();

    void add(BackendConnection connection) {
        kinds.computeIfAbsent(connection.key(), key -> new ArrayDeque<>()).addLast(connection);
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
     * most recently used one.
     */
    @Nullable
    BackendConnection take(PoolKey key, int clientProcessId) {
        ArrayDeque<BackendConnection> free = kinds.get(key);
        if (free == null) {
            return null;
        }
        BackendConnection last = free.peekLast();
        if (last == null || last.lastClient() == clientProcessId) {
            return free.pollLast();
        }
        for (BackendConnection connection : free) {
            if (connection.lastClient() == clientProcessId) {
                free.remove(connection);
                return connection;
            }
        }
        return free.pollLast();
    }

    /**
     * Takes a connection that can become one of this kind because some of the kind's names are not set there yet; null if there is
     * none.
     */
    @Nullable
    BackendConnection takeToBecome(PoolKey key) {
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
                    first != null && first.idleSinceNanos - nanos < 0;
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
