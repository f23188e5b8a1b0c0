package io.multimed.endpoint.pg.backend;

import java.util.HashSet;
import java.util.Set;

/**
 * The databases in which no client is given a connection at present. Immutable.
 *
 * @param all whether these are all databases, whatever their names
 * @param named databases that are paused by name, which stay paused when all are resumed
 */
public record PausedDatabases(boolean all, Set<String> named) {
    public static final PausedDatabases NONE = new PausedDatabases(false, Set.of());

    public PausedDatabases {
        named = Set.copyOf(named);
    }

    /** Whether the database is paused. */
    public boolean covers(String database) {
        return all || named.contains(database);
    }

    /** Returns these with all databases paused, or only those that are paused by name. */
    public PausedDatabases withAll(boolean paused) {
        return new PausedDatabases(paused, named);
    }

    /** Returns these with the database paused by name, or no longer. */
    public PausedDatabases with(String database, boolean paused) {
        Set<String> names = new HashSet<>(named);
        if (paused) {
            names.add(database);
        } else {
            names.remove(database);
        }
        return new PausedDatabases(all, names);
    }
}
