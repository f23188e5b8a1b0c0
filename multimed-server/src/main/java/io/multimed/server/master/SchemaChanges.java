package io.multimed.server.master;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import io.multimed.engine.postgresql.catalog.InsertedObjects;
import java.util.Map;
import java.util.Set;
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
        private final LoggedTemporaries temporaries = new LoggedTemporaries();

        /** The number of the latest; 0 if there is none yet. */
        long last() {
            return last;
        }

        private synchronized void inserted(InsertedObjects.Row row) {
            temporaries.inserted(row);
        }

        private synchronized ChangedObjects concerningOthers(ChangedObjects more) {
            return temporaries.withoutThese(more);
        }

        private synchronized void changed(long number, ChangedObjects more) {
            objects = objects.and(more);
            last = number;
        }

        private synchronized void forgetTemporaries(boolean andSchemas) {
            if (andSchemas) {
                temporaries.forget();
            } else {
                temporaries.forgetObjects();
            }
        }

        /** The changes since the last {@link #settled}. */
        synchronized Pending pending() {
            return new Pending(last, objects);
        }

        /** Everything up to this number is known; if there is more by now, it is looked up together once more. */
        private boolean settled(long number) {
            if (last == number) {
                objects = ChangedObjects.NONE;
            }
            return last == number;
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

    /**
     * The part of a commit's changes that may concern other sessions than its own: without those of temporary objects that the log
     * has shown being created.
     */
    ChangedObjects concerningOthers(int database, ChangedObjects objects, InsertedObjects inserted) {
        if (inserted.oidsBeginAnew()) {
            databases.values().forEach(one -> one.forgetTemporaries(false));
        }
        for (InsertedObjects.Row row : inserted.rows()) {
            OfDatabase of = databases.get(row.database());
            if (of != null) {
                of.inserted(row);
            }
        }
        OfDatabase changed = databases.get(database);
        return changed == null ? objects : changed.concerningOthers(objects);
    }

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

    /**
     * It is known what a database holds.
     *
     * @param number of the latest change of it that is known
     * @param everythingThen what {@link #everything} was before that was looked up
     * @param temporarySchemas OIDs of its schemas for temporary objects
     */
    void settled(OfDatabase database, long number, long everythingThen, Set<Integer> temporarySchemas) {
        synchronized (database) {
            // Of later changes it is not known yet whether they concern these schemas.
            if (database.settled(number) && everything == everythingThen) {
                database.temporaries.schemas(temporarySchemas);
            }
        }
    }

    /** Commits may have happened that nobody heard of. */
    void everythingMayHaveChanged() {
        long number = numbers.incrementAndGet();
        roles = number;
        everything = number;
        databases.values().forEach(one -> one.forgetTemporaries(true));
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
