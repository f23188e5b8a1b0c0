package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the client stops sending amid a segment. The messages that are there are sent then: PostgreSQL executes every
 * message as it comes, and sends errors, notices and long results without a Sync or Flush.
 */
final class Pause {
    /** Messages that a client writes at once mostly arrive within this time. */
    private static final long MOMENT_MILLIS = 10;
    /** A client that never stops sending is served after so many. */
    private static final int MOST_MOMENTS = 10;

    private final EventLoop loop;
    private final SessionControl session;
    private @Nullable ScheduledFuture<?> next;
    /** The bytes that were there a moment ago, and are there now. */
    private int before;

    private int now;
    private int moments;
    private boolean over;

    Pause(EventLoop loop, SessionControl session) {
        this.loop = loop;
        this.session = session;
    }

    /**
     * Whether the client has paused; if not yet, the session goes on when it has.
     *
     * @param bytes what is there of a segment whose end is not
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
        next = loop.schedule(this::look, MOMENT_MILLIS, TimeUnit.MILLISECONDS);
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

    /** The segment, as far as it is there, is being sent. */
    void end() {
        over = false;
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }
}
