package io.multimed.endpoint.pg.backend;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What makes two engine sessions interchangeable at their start: connections are shared only among clients that agree in
 * all of it. Since the engine itself applies the start-up settings, {@code RESET} means to a client what it would mean
 * on a connection of its own.
 *
 * @param startup further parameters of the start-up packet, {@code application_name} excepted (it is set afterwards,
 *     because it may differ from client to client)
 * @param sharedCatalogs by which the engine let the client in, and what it added of its own
 * @param names the parameters with a qualified name that may have been set there: such a name exists until the engine
 *     session ends, so only a client for whom all of them exist can be served
 * @param yielding the engine's process leaves the processors to others that want them
 */
public record PoolKey(
        String user,
        String database,
        Map<String, String> startup,
        SharedCatalogs sharedCatalogs,
        Set<String> names,
        boolean yielding) {
    public PoolKey {
        startup = Map.copyOf(startup);
        names = Set.copyOf(names);
    }

    /** As a client begins a session. */
    public PoolKey(String user, String database, Map<String, String> startup, SharedCatalogs sharedCatalogs) {
        this(user, database, startup, sharedCatalogs, Set.of(), false);
    }

    /** For Multimed's own questions, whoever is let in meanwhile. */
    public PoolKey(String user, String database, Map<String, String> startup) {
        this(user, database, startup, SharedCatalogs.UNCHANGED);
    }

    /** The same, of those whose processes yield. */
    PoolKey yieldingOnes() {
        return new PoolKey(user, database, startup, sharedCatalogs, names, true);
    }

    /** The same, where these names may exist. */
    public PoolKey withNames(Set<String> existing) {
        return new PoolKey(user, database, startup, sharedCatalogs, existing, yielding);
    }

    /** The same, where these names may exist too. */
    PoolKey withMoreNames(Set<String> more) {
        Set<String> all = new HashSet<>(names);
        all.addAll(more);
        return withNames(all);
    }

    /** Whether a connection of this kind can become one of the other, by setting what does not exist on it yet. */
    boolean canBecome(PoolKey other) {
        return names.size() < other.names.size() && other.names.containsAll(names) && isAlikeButForNames(other);
    }

    private boolean isAlikeButForNames(PoolKey that) {
        return yielding == that.yielding
                && user.equals(that.user)
                && database.equals(that.database)
                && startup.equals(that.startup)
                && sharedCatalogs.equals(that.sharedCatalogs);
    }

    // Asked for every transaction: what a record brings of its own goes through method handles and hashes the map.

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof PoolKey that && names.equals(that.names) && isAlikeButForNames(that);
    }

    @Override
    public int hashCode() {
        return 31 * user.hashCode() + database.hashCode();
    }
}
