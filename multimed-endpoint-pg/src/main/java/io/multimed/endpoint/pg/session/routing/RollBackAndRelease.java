package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.SilentUser;
import io.multimed.protocol.pg.FrontendMessages;
import io.netty.buffer.ByteBuf;

/** Ends the transaction that a session has left behind on a Satellite, then gives the connection back. */
final class RollBackAndRelease extends SilentUser {
    private final BackendConnection backend;

    RollBackAndRelease(BackendConnection backend) {
        this.backend = backend;
    }

    void start() {
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
