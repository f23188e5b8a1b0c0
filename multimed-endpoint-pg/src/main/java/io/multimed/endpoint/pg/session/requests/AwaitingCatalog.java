package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.config.EndpointTimeouts;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.sql.DatabaseCatalog;
import java.time.Duration;

/** The bounded wait of the session's unit for its database's catalog, which is being read again after a change of the schema. */
public final class AwaitingCatalog {
    private static final int CATALOG_POLL_MILLIS = 20;

    private final LoopContext loop;
    private final EndpointServices.Schemas schemas;
    private final String database;
    private final SessionControl owner;
    private final Exchange exchange;
    private final Waiting waiting;
    private final Unit unit;

    public AwaitingCatalog(
            LoopContext loop,
            EndpointServices.Schemas schemas,
            String database,
            SessionControl owner,
            Exchange exchange,
            Waiting waiting,
            Unit unit) {
        this.loop = loop;
        this.schemas = schemas;
        this.database = database;
        this.owner = owner;
        this.exchange = exchange;
        this.waiting = waiting;
        this.unit = unit;
    }

    /** Whether the unit can still wait. */
    boolean hasPatience() {
        EndpointTimeouts timeouts = loop.options().timeouts();
        Duration bound = exchange.isBound() ? timeouts.master() : timeouts.freshness();
        long patience = (unit.hasWaitedForRule() ? timeouts.connection() : bound).toNanos();
        return loop.nanoTime() - unit.admission().arrive(loop.nanoTime()) < patience;
    }

    /** Begins the wait. */
    void begin() {
        waiting.begin(Wait.CATALOG);
        awaitNews();
    }

    private void awaitNews() {
        waiting.alarmIn(CATALOG_POLL_MILLIS, this::look);
        schemas.whenKnown(
                database,
                () -> loop.loop().execute(() -> {
                    if (waiting.is(Wait.CATALOG)) {
                        look();
                    }
                }));
    }

    /** Resumes the session only when the catalog is known or the time is up, since a long unit is expensive to examine. */
    private void look() {
        if (schemas.catalog(database).version() == DatabaseCatalog.UNKNOWN.version() && hasPatience()) {
            awaitNews();
        } else {
            owner.resume(Wait.CATALOG);
        }
    }
}
