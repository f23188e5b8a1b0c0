package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.ErrorFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The kinds for which an engine had no connection left, and the end of which others makes room for one. */
final class RefusedKinds {
    private final Map<PoolKey, Predicate<PoolKey>> kinds = new LinkedHashMap<>();

    /** Which connections, when they close, make room for one of this kind, which the engine has refused. */
    static Predicate<PoolKey> underTheSameLimit(PoolKey key, ErrorFields error) {
        // Of the limits, those of a role and of a database name it.
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

    /** Whether the end of a connection of the one kind makes room for one of the other, which was refused. */
    boolean makesRoom(PoolKey leaving, PoolKey refused) {
        Predicate<PoolKey> underTheSameLimit = kinds.get(refused);
        return underTheSameLimit != null && underTheSameLimit.test(leaving);
    }

    /** Those that were refused longest ago come first, so that each has its turn. */
    List<PoolKey> inTurn() {
        return new ArrayList<>(kinds.keySet());
    }

    /** @return whether it was refused */
    boolean remove(PoolKey kind) {
        return kinds.remove(kind) != null;
    }

    void clear() {
        kinds.clear();
    }
}
