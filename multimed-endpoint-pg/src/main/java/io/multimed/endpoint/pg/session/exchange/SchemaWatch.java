package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.services.EndpointServices;
import java.util.function.BooleanSupplier;

/**
 * Whether the schema of the session's database may have changed since the statements of its transaction were classified.
 *
 * <p>A classification says which code a statement runs, and so what it can leave behind in the engine session. A statement that
 * waits for a lock, or for its turn, runs the code that is there when its wait ends. If the schema has changed by the end of the
 * transaction, the classification proves nothing about the state of the engine session, and no other session may be given that
 * state. Event loop only.
 */
public final class SchemaWatch {
    private static final long NOTHING = Long.MAX_VALUE;

    private final EndpointServices.Schemas schemas;
    private final String database;
    /** The last change when the unit at the head of the client's input was examined. */
    private long examined = NOTHING;
    /** The last change when the first unit of the transaction was examined; {@link #NOTHING} if none was sent. */
    private long since = NOTHING;
    /** The same of the transaction that has ended last. */
    private long ended = NOTHING;

    public SchemaWatch(EndpointServices.Schemas schemas, String database) {
        this.schemas = schemas;
        this.database = database;
    }

    /** Notes that the unit at the head of the input is about to be classified. */
    public void examine() {
        examined = schemas.lastChange();
    }

    /** Notes that the unit is being sent. */
    public void sent() {
        if (since == NOTHING) {
            since = examined;
        }
    }

    /** Notes that the connection is gone, or belongs to others, and with it all that was sent. */
    void lost() {
        since = NOTHING;
    }

    /** Ends the transaction. @return whether the schema may have changed since its first unit was classified */
    public boolean endsChanged() {
        ended = since;
        since = NOTHING;
        // The number of the last change of any database answers almost always.
        return ended != NOTHING && schemas.lastChange() != ended && schemas.hasChangedSince(database, ended);
    }

    /**
     * Returns a check for later: whether the schema has changed since the first unit of the present transaction was classified, or of the
     * one that has just ended.
     */
    BooleanSupplier sinceFirst() {
        long first = since != NOTHING ? since : ended;
        return () -> first != NOTHING && schemas.hasChangedSince(database, first);
    }
}
