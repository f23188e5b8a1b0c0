package io.multimed.endpoint.pg.backend;

import java.util.Map;

/**
 * What makes two engine sessions interchangeable at their start: connections are shared only among clients that agree in
 * all of it. Since the engine itself applies the start-up settings, {@code RESET} means to a client what it would mean
 * on a connection of its own.
 *
 * @param startup further parameters of the start-up packet, {@code application_name} excepted (it is set afterwards,
 *     because it may differ from client to client)
 * @param roleSettings what the engine added of its own when the client connected
 */
public record PoolKey(String user, String database, Map<String, String> startup, RoleSettings roleSettings) {
    public PoolKey {
        startup = Map.copyOf(startup);
    }

    /** For Multimed's own questions, to which no role's settings matter. */
    public PoolKey(String user, String database, Map<String, String> startup) {
        this(user, database, startup, RoleSettings.NONE_CHANGED);
    }

    // Asked for every transaction: what a record brings of its own goes through method handles and hashes the map.

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof PoolKey that
                        && user.equals(that.user)
                        && database.equals(that.database)
                        && startup.equals(that.startup)
                        && roleSettings.equals(that.roleSettings);
    }

    @Override
    public int hashCode() {
        return 31 * user.hashCode() + database.hashCode();
    }
}
