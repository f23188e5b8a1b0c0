package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.SilentUser;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.protocol.pg.FrontendMessages;
import io.netty.buffer.ByteBuf;

/** Ends the transaction that a session has left behind on a Satellite, then gives the connection back. */
final class RollBackAndRelease extends SilentUser {
    private final BackendConnection backend;

    private RollBackAndRelease(BackendConnection backend) {
        this.backend = backend;
    }

    /** Takes the session's Satellite away from it, and ends the transaction there without waiting for the reply. */
    static void leave(Exchange exchange) {
        if (exchange.status() == 'I' && !exchange.isUnsynced()) {
            exchange.leave();
            return;
        }
        BackendConnection satellite = exchange.unbind();
        satellite.node().transactionEnded();
        new RollBackAndRelease(satellite).start();
    }

    private void start() {
        backend.reassign(this);
        ByteBuf out = backend.buffer(32);
        FrontendMessages.query(out, "ROLLBACK");
        backend.sparedFromCancel();
        backend.write(out);
        backend.prepared().unnamed(null);
    }

    @Override
    public void onReady(byte status) {
        if (status == 'I') {
            backend.release();
        } else {
            backend.discard();
        }
    }
}
