package io.multimed.endpoint.pg.backend;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The requests to cancel what one connection executes, and what none of them may hit.
 *
 * <p>Each request takes a connection and a process of the engine, so there is one under way at most, however often a client
 * asks. While it is, what Multimed itself tells the engine is held back, and so is what the client sends when that has ended which it
 * wanted cancelled.
 *
 * <p>All that ends when the engine does not act upon the request for long.
 *
 * <p>An engine process ignores a request that comes before it has read the statement. A client of its own would be seen to
 * wait and ask again; whoever asks through Multimed may have sent the statement long before the engine was.
 */
final class CancelRequests {
    private static final long MOST_HELD_BACK = 64 * 1024;
    /** How long after a request an engine that says nothing is asked again; doubled each time. */
    private static final long INSIST_MILLIS = 100;

    private static final int MOST_INSISTED = 5;
    /** How long is waited for an engine to act upon a request; its main process may be stopped. */
    private static final long PATIENCE_MILLIS = 5_000;

    private final BackendConnection connection;
    private final Connector connector;
    private boolean underWay;
    /** What runs now is to be cancelled once more, when the request under way has been acted upon. */
    private boolean again;

    /**
     * Counts what the engine has said, and what Multimed itself has sent, so that a request can tell whether there was
     * any of it since.
     */
    private long heardOrTold;

    /** What is sent only when the request under way has been acted upon; null when nothing is held back. */
    private @Nullable Queue<ByteBuf> heldBack;

    private long heldBackBytes;
    /** The connection was released meanwhile. */
    private boolean released;
    /** A request has not been waited for any longer: it may hit whatever is executed at any time from now on. */
    private boolean overdue;
    /** A request was sent, and nothing has failed since that it may have hit. */
    private boolean unaccounted;

    CancelRequests(BackendConnection connection, Connector connector) {
        this.connection = connection;
        this.connector = connector;
    }

    /** Whether a request may hit what others execute on the connection. */
    boolean isUnderWay() {
        return underWay || overdue;
    }

    /** Whether that is so for good. */
    boolean isOverdue() {
        return overdue;
    }

    /** The engine has said something. */
    void heard() {
        heardOrTold++;
    }

    /** What was to be cancelled has ended: what is sent from now on is not meant. */
    void ended() {
        again = false;
        // What follows it may be hit instead.
        unaccounted = isUnderWay();
        spare();
    }

    /** What is written from now on must not be hit by the request that is under way. */
    void spare() {
        heardOrTold++;
        if (underWay && heldBack == null) {
            heldBack = new ArrayDeque<>();
        }
    }

    boolean holdsBack() {
        return heldBack != null;
    }

    /** Takes over the bytes if they have to be held back. @return whether they are */
    boolean holdBack(ByteBuf bytes) {
        Queue<ByteBuf> queue = heldBack;
        if (queue == null) {
            return false;
        }
        heldBackBytes += bytes.readableBytes();
        queue.add(bytes);
        return true;
    }

    /** Whether nothing more should be written now. */
    boolean isFull() {
        return heldBackBytes >= MOST_HELD_BACK;
    }

    /** Sends what was held back, or drops it if the connection is closed. */
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
            connection.writeHeldBack(now);
        }
    }

    /** Asks the engine to cancel what the connection executes now. */
    void request() {
        if (underWay) {
            again = true;
        } else {
            send(heardOrTold, 0);
        }
    }

    /**
     * The connection is to be used by somebody else.
     *
     * @return false when it must not yet: a late request must not hit the next transaction. It is released once more then
     */
    boolean release() {
        released = underWay;
        unaccounted &= underWay;
        return !released;
    }

    /** Something has, most likely because of a request. */
    void failed() {
        unaccounted = false;
    }

    /** Whether what has ended well now may have been hit by a request all the same; asked once. */
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
                connection.secret(),
                () -> actedUpon(before, insisted),
                PATIENCE_MILLIS,
                this::giveUp);
    }

    /**
     * The client goes on, as it would with the engine alone, and takes the risk that what it sends now is hit. Nobody else is to: the
     * connection is closed once it is released.
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
                if (heardOrTold == before && !underWay && !connection.isClosed()) {
                    send(before, insisted + 1);
                }
            });
        }
    }
}
