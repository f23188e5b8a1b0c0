package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.ErrorFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The kinds for which an engine had no connection left, each with the kinds whose connections make room for it when they close. */
final class RefusedKinds {
    private final Map<PoolKey, Predicate<PoolKey>> kinds = new LinkedHashMap<>();

    /**
     * Returns a predicate for the connections that make room, when they close, for one of this kind, which the engine has refused.
     */
    static Predicate<PoolKey> underTheSameLimit(PoolKey key, ErrorFields error) {
        // The error messages for the limits of a role and of a database contain its name; those for other limits do
        // not.
        boolean ofRole = error.message().contains('"' + key.user() + '"');
        boolean ofDatabase = error.message().contains('"' + key.database() + '"');
        return other -> (!ofRole || other.user().equals(key.user()))
                && (!ofDatabase || other.database().equals(key.database()));
    }

    void add(PoolKey kind, Predicate<PoolKey> makesRoom) {
        kinds.remove(kind);
        kinds.put(kind, makesRoom);
    }

    boolean isRefused(PoolKey kind) {
        return kinds.containsKey(kind);
    }

    /** Whether closing a connection of kind {@code leaving} makes room for one of the refused kind. */
    boolean makesRoom(PoolKey leaving, PoolKey refused) {
        Predicate<PoolKey> underTheSameLimit = kinds.get(refused);
        return underTheSameLimit != null && underTheSameLimit.test(leaving);
    }

    /** Returns the refused kinds, those refused longest ago first, so that each has its turn. */
    List<PoolKey> inTurn() {
        return new ArrayList<>(kinds.keySet());
    }

    /** @return whether the kind was refused */
    boolean remove(PoolKey kind) {
        return kinds.remove(kind) != null;
    }

    void clear() {
        kinds.clear();
    }
}
