package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendUser;
import io.multimed.protocol.pg.FrontendMessages;
import io.netty.buffer.ByteBuf;

/** Ends the transaction that a session has left behind on a Satellite, then gives the connection back. */
final class RollBackAndRelease implements BackendUser {
    private final BackendConnection backend;

    RollBackAndRelease(BackendConnection backend) {
        this.backend = backend;
    }

    void start() {
        backend.reassign(this);
        ByteBuf out = backend.buffer(32);
        FrontendMessages.query(out, "ROLLBACK");
        backend.write(out);
        backend.prepared().unnamed(null);
    }

    @Override
    public boolean onMessage(byte type, ByteBuf in, int index, int length) {
        return false;
    }

    @Override
    public void onBytes(ByteBuf in, int from, int to) {}

    @Override
    public boolean wantsWholeMessages() {
        return false;
    }

    @Override
    public boolean wantsBoundary() {
        return false;
    }

    @Override
    public void onBoundary() {}

    @Override
    public void onReady(byte status) {
        backend.release();
    }

    @Override
    public void onClosed() {}

    @Override
    public boolean wantsMore() {
        return true;
    }
}
