package io.multimed.server.master;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import io.multimed.engine.postgresql.catalog.InsertedObjects;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The changes of schemas, numbered in the order in which the relay receives them. The changes of a database are collected from its
 * first read on.
 *
 * <p>The relay's thread writes; any thread reads.
 */
final class SchemaChanges {
    /** The changes of one database. */
    static final class OfDatabase {
        private volatile long last;
        private volatile long lastOther;
        private ChangedObjects objects = ChangedObjects.NONE;
        private final LoggedTemporaries temporaries = new LoggedTemporaries();

        /** Returns the number of the latest change; 0 if there is none yet. */
        long last() {
            return last;
        }

        /** Returns the number of the latest change of anything but relations, types, constraints and schemas; 0 if there is none. */
        long lastOther() {
            return lastOther;
        }

        private synchronized void inserted(InsertedObjects.Row row) {
            temporaries.inserted(row);
        }

        private synchronized ChangedObjects concerningOthers(ChangedObjects more) {
            return temporaries.withoutThese(more);
        }

        private synchronized void changed(long number, ChangedObjects more) {
            objects = objects.and(more);
            lastOther = more.others() ? number : lastOther;
            last = number;
        }

        private synchronized void forgetTemporaries(boolean andSchemas) {
            if (andSchemas) {
                temporaries.forget();
            } else {
                temporaries.forgetObjects();
            }
        }

        /** Returns the changes since the last {@link #settled}. */
        synchronized Pending pending() {
            return new Pending(last, objects);
        }

        /**
         * Records that everything up to this number is known. If there are later changes, all of them are looked up together again.
         */
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
    /** Number of the latest change that all other fields show. */
    private volatile long published = 1;
    /** Number of the latest change after which nothing is known of any database. */
    private volatile long everything;
    /** Number of the latest change after which names may denote other databases. */
    private volatile long names;
    /** Number of the latest change of roles, whose names may be in a {@code search_path}. */
    private volatile long roles;

    /**
     * Returns the part of a commit's changes that may concern sessions other than its own: without those of temporary objects whose
     * creation the log has shown.
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

    /** Records a received commit that is not visible to any client yet. */
    synchronized void changed(int database, ChangedObjects objects) {
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
        published = number;
    }

    /**
     * Records that a database's catalog is known.
     *
     * @param number of the latest change of it that is known
     * @param everythingThen value of {@link #everything} before the catalog was read
     * @param temporarySchemas OIDs of its schemas for temporary objects
     */
    void settled(OfDatabase database, long number, long everythingThen, Set<Integer> temporarySchemas) {
        synchronized (database) {
            // It is not known yet whether later changes concern these schemas.
            if (database.settled(number) && everything == everythingThen) {
                database.temporaries.schemas(temporarySchemas);
            }
        }
    }

    /** Records that commits may have happened that Multimed did not receive. */
    synchronized void everythingMayHaveChanged() {
        long number = numbers.incrementAndGet();
        roles = number;
        everything = number;
        databases.values().forEach(one -> one.forgetTemporaries(true));
        published = number;
    }

    /** Records that names have other meanings for partial Satellites. */
    synchronized void carriedTablesChanged() {
        everything = numbers.incrementAndGet();
        published = everything;
    }

    /** Returns the changes of a database, collected from now on. */
    OfDatabase of(int database) {
        return databases.computeIfAbsent(database, oid -> new OfDatabase());
    }

    /** Returns the number of the latest change of all. */
    long last() {
        return numbers.get();
    }

    /** Returns the number of the latest change of all that the other methods show. */
    long published() {
        return published;
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
