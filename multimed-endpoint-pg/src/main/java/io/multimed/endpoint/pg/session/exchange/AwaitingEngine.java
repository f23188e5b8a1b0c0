package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;

/** The waits for the engine whose connection the session holds: for its replies, and for room to send more bytes. */
public final class AwaitingEngine {
    private final SessionControl session;
    private final Exchange exchange;
    private final Instructions instructions;
    private final Waiting waiting;

    public AwaitingEngine(SessionControl session, Exchange exchange, Instructions instructions, Waiting waiting) {
        this.session = session;
        this.exchange = exchange;
        this.instructions = instructions;
        this.waiting = waiting;
    }

    /**
     * Waits until every message has been answered. If extended query messages were sent without a Sync, sends a Flush, since the
     * engine otherwise need not answer them yet.
     *
     * @return false
     */
    public boolean awaitReplies() {
        if (exchange.isUnsynced()) {
            instructions.flush();
        }
        if (!exchange.onlyInternal()) {
            // The client sees these replies, so the next unit must see at least as much.
            session.placeAnew();
        }
        return waiting.begin(Wait.REPLIES);
    }

    /**
     * Whether the engine takes more bytes now.
     *
     * @return false when the session has to wait for that
     */
    public boolean takesMore() {
        BackendConnection backend = exchange.bound();
        if (backend.isWritable()) {
            return true;
        }
        waiting.begin(Wait.ENGINE_WRITABLE);
        backend.withdrawOffer();
        backend.onWritable(() -> session.resume(Wait.ENGINE_WRITABLE));
        return false;
    }
}
