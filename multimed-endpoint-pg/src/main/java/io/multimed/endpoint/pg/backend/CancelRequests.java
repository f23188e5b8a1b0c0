package io.multimed.endpoint.pg.backend;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The cancel requests of one connection, and the protection of later statements from them.
 *
 * <p>Each request occupies a connection and a process of the engine, so at most one is under way, however often a client asks.
 * While one is under way, statements of Multimed's own are held back. Once the statement to be cancelled has ended, the client's
 * next messages are held back too.
 *
 * <p>Holding back ends if the engine does not act upon the request for long.
 *
 * <p>An engine process ignores a request that arrives before it has read the statement. A direct client would see that it still
 * waits, and ask again. A client of Multimed may have sent the statement long before the engine received it, so the request is
 * repeated.
 */
final class CancelRequests {
    private static final long MOST_HELD_BACK = 64 * 1024;
    /** Time after which a request is repeated if the engine has said nothing; doubled each time. */
    private static final long INSIST_MILLIS = 100;

    private static final int MOST_INSISTED = 5;
    /** Longest wait for an engine to act upon a request; its main process may be stopped. */
    private static final long PATIENCE_MILLIS = 5_000;

    private final BackendConnection connection;
    private final EngineConnector connector;
    private boolean underWay;
    /** Whether to send another request as soon as the engine has acted upon the present one. */
    private boolean again;

    /** Number of times that statements were protected from the present request. */
    private long spared;

    /** Messages to send once the engine has acted upon the present request; null if nothing is held back. */
    private @Nullable Queue<ByteBuf> heldBack;

    private long heldBackBytes;
    /** Whether the connection was released while a request was under way. */
    private boolean released;
    /** Whether the wait for a request was given up. That request may hit any later execution. */
    private boolean overdue;
    /** Whether a request was sent and no statement that it may have hit has failed since. */
    private boolean unaccounted;

    CancelRequests(BackendConnection connection, EngineConnector connector) {
        this.connection = connection;
        this.connector = connector;
    }

    /** Whether a request may hit executions of other users of the connection. */
    boolean isUnderWay() {
        return underWay || overdue;
    }

    /** Whether a request may hit later executions at any time, because the wait for it was given up. */
    boolean isOverdue() {
        return overdue;
    }

    /**
     * Number that grows with every message from the engine and every statement of Multimed's own. A request compares it to learn
     * whether there were any since it was sent.
     */
    private long heardOrTold() {
        return connection.replies.heard + spared;
    }

    /** Records that the execution to be cancelled has ended, so that later messages are protected. */
    void ended() {
        again = false;
        // The request may hit the next statement instead.
        unaccounted = underWay || overdue;
        spared++;
        if (underWay) {
            spare();
        }
    }

    /** Protects everything written from now on from the request that is under way. */
    void spare() {
        spared++;
        if (underWay && heldBack == null) {
            heldBack = new ArrayDeque<>();
        }
    }

    /** Whether no request may hit executions of other users of the connection, and nothing is held back because of one. */
    boolean isIdle() {
        return !underWay && !overdue && heldBack == null;
    }

    /** Holds the bytes back, and takes over their reference, if necessary. @return whether they are held back */
    boolean holdBack(ByteBuf bytes) {
        Queue<ByteBuf> queue = heldBack;
        if (queue == null) {
            return false;
        }
        heldBackBytes += bytes.readableBytes();
        queue.add(bytes);
        return true;
    }

    /** Whether so much is held back that nothing more should be written now. */
    boolean isFull() {
        return heldBackBytes >= MOST_HELD_BACK;
    }

    /** Sends the messages held back, or drops them if the connection is closed. */
    void endHolding() {
        Queue<ByteBuf> now = heldBack;
        if (now == null) {
            return;
        }
        heldBack = null;
        heldBackBytes = 0;
        if (connection.isClosed()) {
            now.forEach(ByteBuf::release);
        } else {
            connection.withdrawOffer();
            now.forEach(connection::send);
            connection.writabilityChanged();
        }
    }

    /** Asks the engine to cancel the connection's present execution. */
    void request() {
        if (underWay) {
            again = true;
        } else {
            send(heardOrTold(), 0);
        }
    }

    /**
     * Prepares the connection for another user.
     *
     * @return false if it must wait, because a late request must not hit the next transaction. It is then released again later
     */
    boolean release() {
        released = underWay;
        unaccounted &= underWay;
        return !released;
    }

    /** Records that a statement has failed, most likely because of a request. */
    void failed() {
        unaccounted = false;
    }

    /** Returns whether a request may have hit the statement that has just succeeded, and resets the answer to false. */
    boolean takeUnaccounted() {
        boolean answer = unaccounted;
        unaccounted = false;
        return answer;
    }

    private void send(long before, int insisted) {
        underWay = true;
        unaccounted = true;
        connector.cancel(
                connection.processId(),
                connection.session.opening.secret(),
                () -> actedUpon(before, insisted),
                PATIENCE_MILLIS,
                this::giveUp);
    }

    /**
     * Gives up waiting for the request. The client continues, as it would with a single engine, at the risk that the request hits
     * its next statement. To protect other clients the connection is closed when it is released.
     */
    private void giveUp() {
        underWay = false;
        again = false;
        overdue = true;
        endHolding();
        if (released) {
            released = false;
            connection.discard();
        }
    }

    private void actedUpon(long before, int insisted) {
        underWay = false;
        if (again && !released && !connection.isClosed()) {
            again = false;
            connection.cancel();
            return;
        }
        endHolding();
        if (released) {
            released = false;
            connection.release();
        } else if (insisted < MOST_INSISTED) {
            connector.after(INSIST_MILLIS << insisted, () -> {
                if (heardOrTold() == before && !underWay && !connection.isClosed()) {
                    send(before, insisted + 1);
                }
            });
        }
    }
}
