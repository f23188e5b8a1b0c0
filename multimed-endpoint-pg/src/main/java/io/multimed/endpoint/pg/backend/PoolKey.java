package io.multimed.endpoint.pg.backend;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The kind of an engine session: everything that makes two engine sessions interchangeable at their start. Connections are shared
 * only among clients that agree in all of it. Since the engine itself applies the start-up settings, {@code RESET} means to a
 * client the same as on a connection of its own.
 *
 * @param startup further parameters of the start-up packet, except {@code application_name} (which is set afterwards, because
 *     it may differ from client to client)
 * @param sharedCatalogs the state of the shared catalogs by which the engine admitted the client and added settings of its own
 * @param names the parameters with a qualified name that may have been set there: such a name exists until the engine session
 *     ends, so only a client for whom all of them exist can be served
 * @param yielding whether the engine's process leaves the processors to others that want them
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

    /** Creates the kind with which a client begins a session. */
    public PoolKey(String user, String database, Map<String, String> startup, SharedCatalogs sharedCatalogs) {
        this(user, database, startup, sharedCatalogs, Set.of(), false);
    }

    /** Creates the kind for Multimed's own queries, which does not depend on changes of the shared catalogs. */
    public PoolKey(String user, String database, Map<String, String> startup) {
        this(user, database, startup, SharedCatalogs.UNCHANGED);
    }

    /** Returns the yielding kind that is otherwise equal. */
    PoolKey yieldingOnes() {
        return new PoolKey(user, database, startup, sharedCatalogs, names, true);
    }

    /** Returns the kind on which these names may exist, and that is otherwise equal. */
    public PoolKey withNames(Set<String> existing) {
        return new PoolKey(user, database, startup, sharedCatalogs, existing, yielding);
    }

    /** Returns the kind on which these names may exist too, and that is otherwise equal. */
    PoolKey withMoreNames(Set<String> more) {
        Set<String> all = new HashSet<>(names);
        all.addAll(more);
        return withNames(all);
    }

    /** Whether a connection of this kind can become one of the other, by setting parameters that do not exist on it yet. */
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

    // This is called for every transaction. A record's own equals goes through method handles, and its hashCode hashes
    // the map.

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof PoolKey that && names.equals(that.names) && isAlikeButForNames(that));
    }

    @Override
    public int hashCode() {
        return 31 * user.hashCode() + database.hashCode();
    }
}
