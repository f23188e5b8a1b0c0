package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.ErrorFields;
import org.jspecify.annotations.Nullable;

/** A waiter that must not be notified of anything. */
final class QueueingWaiter extends SilentUser implements BackendWaiter {
    @Override
    public int clientProcessId() {
        return 0;
    }

    @Override
    public void acquired(BackendConnection connection) {
        throw new AssertionError("no connection was to be given");
    }

    @Override
    public void notAcquired(@Nullable ErrorFields error) {
        throw new AssertionError("nobody was to be refused");
    }

    @Override
    public void onReady(byte status) {
        throw new AssertionError("nothing was sent");
    }
}
