package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.requests.SegmentReader;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.endpoint.pg.session.routing.Unit;
import org.jspecify.annotations.Nullable;

/** Takes back a unit that was sent while the client has seen nothing of its answer. It is in the input again. */
final class UnitRestart {
    private final SegmentReader segments;
    private final ClientStatements prepared;
    private final Unit unit;
    private final BackendPinning pinning;
    private final Waiting waiting;
    private final @Nullable UnitWatch watch;

    /** @param watch null if nobody watches */
    UnitRestart(
            SegmentReader segments,
            ClientStatements prepared,
            Unit unit,
            BackendPinning pinning,
            Waiting waiting,
            @Nullable UnitWatch watch) {
        this.segments = segments;
        this.prepared = prepared;
        this.unit = unit;
        this.pinning = pinning;
        this.waiting = waiting;
        this.watch = watch;
    }

    /** Restores the state before the unit. */
    void restart() {
        segments.beginAgain();
        prepared.unitBeginsAgain();
        unit.reset();
        pinning.nothingSent();
        waiting.end();
        if (watch != null) {
            watch.restarts();
        }
    }
}
