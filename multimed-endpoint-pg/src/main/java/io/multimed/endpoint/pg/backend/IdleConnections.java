package io.multimed.endpoint.pg.backend;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The connections to one node that nobody uses; of each kind the one used last of all comes last. */
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

    /** The connection that served the client last, for what the engine remembers of it; else the one used last of all. */
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

    /** A connection that becomes one of this kind by names that are not set there yet; null if there is none. */
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

    /** One of such, which is of its kind the one that nobody has used for longest. */
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

    /** Closes those that nobody has used since {@code nanos}. */
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

    /** How many of those that yield there are, or of those that do not. */
    int count(boolean yielding) {
        int count = 0;
        for (Map.Entry<PoolKey, ArrayDeque<BackendConnection>> free : kinds.entrySet()) {
            count += free.getKey().yielding() == yielding ? free.getValue().size() : 0;
        }
        return count;
    }
}
