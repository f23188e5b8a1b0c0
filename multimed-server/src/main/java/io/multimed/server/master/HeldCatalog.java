package io.multimed.server.master;

import io.multimed.engine.postgresql.catalog.SchemaReader;
import io.multimed.engine.postgresql.catalog.TemporaryObjects;
import io.multimed.sql.DatabaseCatalog;

/** Catalog of a database when it was read, the changes up to which it is known, and whether it has been requested since. Any thread. */
final class HeldCatalog {
    /** The positions in {@link SchemaChanges} up to which a database's catalog is known. */
    record UpTo(long own, long everything, long names) {}

    private final int database;
    private final DatabaseCatalog catalog;
    private final TemporaryObjects temporary;
    private final SchemaChanges.OfDatabase changes;
    private final long version;
    private final UpTo upTo;
    private final long notBeforeNanos;
    private volatile boolean used;
    /** Whether a change is known that only reading the whole schema settles, and nobody waits for it. */
    private volatile boolean postponed;

    /**
     * @param database its OID
     * @param changes those of the database
     * @param version of the schema when the catalog was read
     * @param notBeforeNanos time before which no other read is begun without a request, in {@link System#nanoTime}
     */
    HeldCatalog(
            int database,
            SchemaReader.Schema schema,
            SchemaChanges.OfDatabase changes,
            long version,
            UpTo upTo,
            long notBeforeNanos) {
        this.database = database;
        catalog = schema.catalog();
        temporary = schema.temporary();
        this.changes = changes;
        this.version = version;
        this.upTo = upTo;
        this.notBeforeNanos = notBeforeNanos;
    }

    /** Returns the same catalog after a new check. */
    HeldCatalog checkedUpTo(UpTo now) {
        return new HeldCatalog(
                database, new SchemaReader.Schema(catalog, temporary), changes, version, now, notBeforeNanos);
    }

    /** Whether nothing has changed since the catalog was read or checked. */
    boolean isCurrent(SchemaChanges all) {
        return upTo.own == changes.last() && upTo.everything == all.everything() && upTo.names == all.names();
    }

    /** Whether nothing but relations, types, constraints and schemas has changed since. */
    boolean knowsFunctions(SchemaChanges all) {
        return changes.lastOther() <= upTo.own && upTo.everything == all.everything();
    }

    /** Whether it is the catalog of the database with this OID; one that was dropped may have had the same name. */
    boolean isOf(int oid) {
        return database == oid;
    }

    DatabaseCatalog catalog() {
        return catalog;
    }

    TemporaryObjects temporary() {
        return temporary;
    }

    SchemaChanges.OfDatabase ownChanges() {
        return changes;
    }

    long version() {
        return version;
    }

    UpTo upTo() {
        return upTo;
    }

    /** Notes that a session has requested it. */
    void use() {
        if (!used) {
            used = true;
        }
    }

    boolean isUsed() {
        return used;
    }

    /** Whether no other read may begin yet without a request. */
    boolean mustRest(long nowNanos) {
        return nowNanos - notBeforeNanos < 0;
    }

    /** Postpones the next read without a request; returns the time until then, in nanoseconds. */
    long postpone(long nowNanos) {
        postponed = true;
        return notBeforeNanos - nowNanos;
    }

    /** Whether the next read without a request has been postponed to a later time. */
    boolean isPostponed() {
        return postponed && mustRest(System.nanoTime());
    }
}
