package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.catalog.ChangedObjects;

/**
 * Finds out which objects a transaction has changed, from the invalidation messages of its commit record (storage/sinval.h).
 *
 * <p>A message about a cache of system catalog rows has a hash of the row's key. If the key is one OID, that hash has an
 * inverse, so the row is known. Each release numbers the caches differently (utils/syscache.h, catalog/syscache_ids.h).
 *
 * <p>A row of {@code pg_attribute}, {@code pg_rewrite}, {@code pg_index} or {@code pg_trigger} needs no message of its own:
 * each change of one comes with a relation cache message about its relation. Statistics change no meaning.
 */
final class Invalidations {
    /** Kinds of messages that are not numbers of caches; kinds that no commit record contains are left out. */
    private static final byte CATALOG = -1;

    private static final byte RELATION = -2;
    private static final byte SNAPSHOT = -5;
    private static final byte FIRST_CACHE = 0;

    /** pg_depend, which changes alone when an object is added to an extension. */
    private static final int DEPENDENCIES = 2608;
    /** pg_db_role_setting, in which ALTER ROLE … SET and ALTER DATABASE … SET store their settings. */
    private static final int ROLE_SETTINGS = 2964;

    /** Numbers of caches in PostgreSQL 15 to 17. From {@code pg_index} on those of 18 are higher by 2. */
    private static final int ATTNAME = 6;

    private static final int ATTNUM = 7;
    private static final int AUTHNAME = 10;
    private static final int AUTHOID = 11;
    private static final int CONSTROID = 19;
    private static final int DATABASEOID = 21;
    private static final int INDEXRELID = 32;
    private static final int NAMESPACENAME = 35;
    private static final int NAMESPACEOID = 36;
    private static final int PARTRELID = 43;
    private static final int RELNAMENSP = 54;
    private static final int RELOID = 55;
    private static final int RULERELNAME = 58;
    private static final int SEQRELID = 59;
    private static final int STATRELATTINH = 63;
    private static final int TYPENAMENSP = 79;
    private static final int TYPEOID = 80;

    /** The last cache before those that 18 has added. */
    private static final int LAST_COMMON = 26;

    private static final int ADDED_IN_18 = 2;
    private static final int UNKNOWN_NUMBERS = -1;

    private int added = UNKNOWN_NUMBERS;
    private ChangedObjects.Builder objects = new ChangedObjects.Builder();
    private boolean dependencies;
    private boolean any;

    /** @param magic of the log's pages, which tells the release */
    void release(int magic) {
        added = switch (magic) {
            case WalFormat.MAGIC_15, WalFormat.MAGIC_16, WalFormat.MAGIC_17 -> 0;
            case WalFormat.MAGIC_18 -> ADDED_IN_18;
            default -> UNKNOWN_NUMBERS;
        };
    }

    /**
     * Takes one message.
     *
     * @param database 0 if it is about something that all databases share
     * @param value hash of a key, or an OID
     */
    void message(byte kind, int database, int value) {
        any = true;
        if (kind >= FIRST_CACHE) {
            if (database == 0) {
                shared(kind);
            } else {
                row(kind, value);
            }
        } else if (kind == RELATION) {
            relation(database, value);
        } else if (kind == SNAPSHOT) {
            if (value == ROLE_SETTINGS) {
                objects.sessions();
            }
            dependencies |= value == DEPENDENCIES;
        } else if (kind != CATALOG || database != 0) {
            objects.others();
        }
    }

    private void relation(int database, int oid) {
        if (database == 0) {
            // A shared catalog alone, or all of them after a change of publications: no names change.
            return;
        }
        if (oid == 0) {
            objects.others();
        } else {
            objects.relation(oid);
        }
    }

    private void shared(int cache) {
        objects.sessions();
        if (cache == AUTHNAME || cache == AUTHOID) {
            objects.roles();
        } else if (cache == DATABASEOID) {
            objects.databases();
        }
    }

    private void row(int numbered, int hash) {
        if (added == UNKNOWN_NUMBERS) {
            objects.others();
            return;
        }
        switch (numbered > LAST_COMMON ? numbered - added : numbered) {
            case RELOID, INDEXRELID, SEQRELID, PARTRELID -> objects.relation(oid(hash));
            case TYPEOID -> objects.type(oid(hash));
            case CONSTROID -> objects.constraint(oid(hash));
            case NAMESPACEOID -> objects.namespace(oid(hash));
            case RELNAMENSP, TYPENAMENSP, NAMESPACENAME, ATTNAME, ATTNUM, RULERELNAME, STATRELATTINH -> {
                // Another message names the object.
            }
            default -> objects.others();
        }
    }

    /** The inverse of murmurhash32 (common/hashfn.h), which hashes an OID. */
    static int oid(int hash) {
        int h = hash;
        h ^= h >>> 16;
        h *= 0x7ed1b41d;
        h ^= h >>> 13 ^ h >>> 26;
        h *= 0xa5cb9243;
        h ^= h >>> 16;
        return h;
    }

    /** Returns the objects that the messages since the last call name. */
    ChangedObjects end() {
        if (dependencies && objects.namesNothing()) {
            objects.others();
        }
        ChangedObjects changed = objects.build();
        forget();
        return changed;
    }

    /** Drops the messages taken so far: their record does not end. */
    void forget() {
        if (any) {
            objects = new ChangedObjects.Builder();
            dependencies = false;
            any = false;
        }
    }
}
