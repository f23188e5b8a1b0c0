package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.ClientTasks;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the client stops sending in the middle of a segment. The available messages are sent then, since PostgreSQL executes
 * every message as it arrives, and sends errors, notices and long results without a Sync or Flush.
 */
public final class ClientPause {
    /** Time within which the messages that a client writes at once mostly arrive. */
    private static final long MOMENT_MILLIS = 10;
    /** Number of these intervals after which a client that never stops sending is served. */
    private static final int MOST_MOMENTS = 10;

    private final ClientTasks tasks;
    private final SessionControl session;
    private @Nullable ScheduledFuture<?> next;
    /** Number of bytes that were available at the last look, and that are available now. */
    private int before;

    private int now;
    private int moments;
    private boolean over;

    public ClientPause(ClientTasks tasks, SessionControl session) {
        this.tasks = tasks;
        this.session = session;
    }

    /**
     * Whether the client has paused. If it has not yet, the session is resumed when it has.
     *
     * @param bytes the available bytes of a segment whose end has not arrived
     */
    boolean hasBegun(int bytes) {
        now = bytes;
        if (!over && next == null) {
            moments = 0;
            watch();
        }
        return over;
    }

    private void watch() {
        before = now;
        next = tasks.in(MOMENT_MILLIS, this::look);
    }

    private void look() {
        next = null;
        if (now != before && ++moments < MOST_MOMENTS) {
            watch();
        } else {
            over = true;
            session.resume(Wait.NOTHING);
        }
    }

    /** Ends watching, because the available part of the segment is being sent. */
    void end() {
        over = false;
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }
}
