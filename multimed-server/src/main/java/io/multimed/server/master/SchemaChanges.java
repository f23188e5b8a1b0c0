package io.multimed.server.master;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The changes of schemas, numbered in the order in which the relay receives them. What each database has changed is collected
 * from the moment somebody is about to read it.
 *
 * <p>The relay's thread writes; any thread reads.
 */
final class SchemaChanges {
    /** The changes of one database. */
    static final class OfDatabase {
        private volatile long last;
        private ChangedObjects objects = ChangedObjects.NONE;

        /** The number of the latest; 0 if there is none yet. */
        long last() {
            return last;
        }

        private synchronized void changed(long number, ChangedObjects more) {
            objects = objects.and(more);
            last = number;
        }

        /** The changes since the last {@link #settled}. */
        synchronized Pending pending() {
            return new Pending(last, objects);
        }

        /** Everything up to this number is known; if there is more by now, it is looked up together once more. */
        synchronized void settled(long number) {
            if (last == number) {
                objects = ChangedObjects.NONE;
            }
        }
    }

    /**
     * Changes of one database.
     *
     * @param last number of the latest
     * @param objects changed by them
     */
    record Pending(long last, ChangedObjects objects) {}

    private final AtomicLong numbers = new AtomicLong(1);
    private final Map<Integer, OfDatabase> databases = new ConcurrentHashMap<>();
    /** The latest change after which nothing is known of any database. */
    private volatile long everything;
    /** The latest change after which names may stand for other databases. */
    private volatile long names;
    /** The latest change of roles, whose names may be in a {@code search_path}. */
    private volatile long roles;

    /** A commit was received that is not visible to anybody yet. */
    void changed(int database, ChangedObjects objects) {
        long number = numbers.incrementAndGet();
        if (objects.databases()) {
            names = number;
        }
        if (objects.roles()) {
            roles = number;
        }
        if (objects.concernsSchema()) {
            if (database == 0) {
                everything = number;
            } else {
                OfDatabase changed = databases.get(database);
                if (changed != null) {
                    changed.changed(number, objects);
                }
            }
        }
    }

    /** Commits may have happened that nobody heard of. */
    void everythingMayHaveChanged() {
        long number = numbers.incrementAndGet();
        roles = number;
        everything = number;
    }

    /** The changes of a database, collected from now on. */
    OfDatabase of(int database) {
        return databases.computeIfAbsent(database, oid -> new OfDatabase());
    }

    /** The number of the latest change of all. */
    long last() {
        return numbers.get();
    }

    long everything() {
        return everything;
    }

    long names() {
        return names;
    }

    long roles() {
        return roles;
    }
}
