package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;

/** The waits for the engine whose connection the session holds: to answer, and to take more bytes. */
public final class AwaitingEngine {
    private final SessionControl session;
    private final Exchange exchange;
    private final Instructions instructions;
    private final Waiting waiting;

    AwaitingEngine(SessionControl session, Exchange exchange, Instructions instructions, Waiting waiting) {
        this.session = session;
        this.exchange = exchange;
        this.instructions = instructions;
        this.waiting = waiting;
    }

    /** Waits until all has been answered: also what no Sync has followed, which an engine otherwise need not answer. @return false */
    public boolean awaitReplies() {
        if (exchange.isUnsynced()) {
            instructions.flush();
        }
        if (!exchange.onlyInternal()) {
            // What these show the client, the unit must not unsee.
            session.placeAnew();
        }
        return waiting.begin(Wait.REPLIES);
    }

    /** Whether the engine takes more bytes now. @return false when that has to be waited for */
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
