package io.multimed.endpoint.pg.backend;

import io.netty.buffer.ByteBuf;

/** A holder of a connection without a client: passes on none of the engine's messages. */
public abstract class SilentUser implements BackendUser {
    @Override
    public boolean onMessage(byte type, ByteBuf in, int index, int length) {
        return false;
    }

    @Override
    public boolean wantsWholeMessages() {
        return false;
    }

    @Override
    public final void onBytes(ByteBuf in, int from, int to) {}

    @Override
    public final boolean wantsBoundary() {
        return false;
    }

    @Override
    public final void onBoundary() {}

    @Override
    public void onReady(byte status) {}

    @Override
    public void onClosed() {}

    @Override
    public final boolean wantsMore() {
        return true;
    }
}
