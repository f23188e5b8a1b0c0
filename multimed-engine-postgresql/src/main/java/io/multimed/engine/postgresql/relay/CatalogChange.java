package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.catalog.ChangedObjects;
import io.multimed.engine.postgresql.catalog.InsertedObjects;

/**
 * A committed transaction that changed system catalogs.
 *
 * @param database OID of the database in which it ran; 0 if its commit record does not say
 * @param scn end of the commit record
 * @param transaction 64-bit number of the transaction, as in {@code pg_current_snapshot()}
 * @param objects changed by it
 * @param inserted by this and other transactions, in the log since the last change
 */
public record CatalogChange(
        int database, long scn, long transaction, ChangedObjects objects, InsertedObjects inserted) {
    /** Returns the same change with a part of its objects. */
    public CatalogChange with(ChangedObjects some) {
        return new CatalogChange(database, scn, transaction, some, inserted);
    }
}
