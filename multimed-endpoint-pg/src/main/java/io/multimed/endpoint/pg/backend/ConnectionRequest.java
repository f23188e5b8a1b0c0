package io.multimed.endpoint.pg.backend;

/** Somebody who has asked a node for a connection of a kind, and since when. */
record ConnectionRequest(PoolKey key, BackendWaiter waiter, long sinceNanos) {
    ConnectionRequest ofKind(PoolKey other) {
        return new ConnectionRequest(other, waiter, sinceNanos);
    }
}
