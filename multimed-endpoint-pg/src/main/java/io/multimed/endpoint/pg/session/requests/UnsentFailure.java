package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.endpoint.pg.session.prepared.TransactionScope;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The failure of a unit that no engine was sent, because the unit was stopped while it waited. */
public final class UnsentFailure {
    private final ClientLink client;
    private final DeferredBegin deferred;
    private final TransactionScope scope;
    private final Unit unit;
    private final @Nullable UnitWatch watch;

    /** @param watch null if nobody watches */
    public UnsentFailure(
            ClientLink client, DeferredBegin deferred, TransactionScope scope, Unit unit, @Nullable UnitWatch watch) {
        this.client = client;
        this.deferred = deferred;
        this.scope = scope;
        this.unit = unit;
        this.watch = watch;
    }

    /**
     * Sends the client the error. If a block is open, it has failed with the unit, or is over if the unit was to end a lost block.
     */
    void tell(ErrorFields why) {
        if (deferred.isLost() && deferred.tellsLost(unit.statements())) {
            deferred.forget();
            scope.ended(false);
        } else {
            deferred.fail();
        }
        unit.reset();
        if (watch != null) {
            watch.answered(true);
        }
        ByteBuf out = client.buffer(128);
        BackendMessages.error(out, why);
        client.write(out);
    }

    /** Ends a unit with ReadyForQuery and the transaction status, where no engine does. */
    void ready() {
        ByteBuf out = client.buffer(8);
        BackendMessages.readyForQuery(out, deferred.status());
        client.write(out);
    }
}
