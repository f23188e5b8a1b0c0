package io.multimed.endpoint.pg.backend;

import java.util.Map;

/**
 * What makes two engine sessions interchangeable at their start: connections are shared only among clients that agree in
 * all of it. Since the engine itself applies the start-up settings, {@code RESET} means to a client what it would mean
 * on a connection of its own.
 *
 * @param startup further parameters of the start-up packet, {@code application_name} excepted (it is set afterwards,
 *     because it may differ from client to client)
 * @param sharedCatalogs by which the engine let the client in, and what it added of its own
 * @param yielding the engine's process leaves the processors to others that want them
 */
public record PoolKey(
        String user, String database, Map<String, String> startup, SharedCatalogs sharedCatalogs, boolean yielding) {
    public PoolKey {
        startup = Map.copyOf(startup);
    }

    /** As a client begins a session. */
    public PoolKey(String user, String database, Map<String, String> startup, SharedCatalogs sharedCatalogs) {
        this(user, database, startup, sharedCatalogs, false);
    }

    /** For Multimed's own questions, whoever is let in meanwhile. */
    public PoolKey(String user, String database, Map<String, String> startup) {
        this(user, database, startup, SharedCatalogs.UNCHANGED);
    }

    /** The same, of those whose processes yield. */
    PoolKey yieldingOnes() {
        return new PoolKey(user, database, startup, sharedCatalogs, true);
    }

    // Asked for every transaction: what a record brings of its own goes through method handles and hashes the map.

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof PoolKey that
                        && yielding == that.yielding
                        && user.equals(that.user)
                        && database.equals(that.database)
                        && startup.equals(that.startup)
                        && sharedCatalogs.equals(that.sharedCatalogs);
    }

    @Override
    public int hashCode() {
        return 31 * user.hashCode() + database.hashCode();
    }
}
