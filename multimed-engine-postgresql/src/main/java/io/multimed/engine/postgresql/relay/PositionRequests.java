package io.multimed.engine.postgresql.relay;

import io.multimed.core.propagation.FreshnessGate;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Asks Satellites for the positions that they have applied: those behind the floor often while readers wait, all others so that their silence is
 * noticed.
 *
 * <p>Relay thread; times are those of {@link RelayLoop#now}, in nanoseconds.
 */
final class PositionRequests {
    /** Shortest time between two requests to a Satellite for its position, however many readers wait. */
    private static final long ASK_INTERVAL = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<SatelliteLink> links;
    private final FeedLog log;
    private final FreshnessGate gate;
    private final long keepalive;
    private final long silence;
    /** Whether readers have waited since it was last seen that none does. */
    private boolean demanded;

    private long next;

    PositionRequests(List<SatelliteLink> links, FeedLog log, FreshnessGate gate, RelayOptions options) {
        this.links = links;
        this.log = log;
        this.gate = gate;
        keepalive = options.keepalive().toNanos();
        silence = options.silence().toNanos();
    }

    /** Notes that readers wait for Satellites to make progress. */
    void demand() {
        demanded = true;
        next = 0;
    }

    /** Returns the time of the next call of {@link #ask}. */
    long next() {
        return next;
    }

    /** Asks the Satellites from which nothing has been heard for too long, and checks for silence. */
    void ask(long now) {
        long soonest = now + keepalive;
        boolean waiting = demanded && gate.readersWait();
        demanded = waiting;
        long floor = log.floor();
        for (int i = 0; i < links.size(); i++) {
            SatelliteFeed feed = links.get(i).feed();
            if (feed == null) {
                continue;
            }
            boolean behind = waiting && links.get(i).node().applied() < floor;
            long interval = behind ? ASK_INTERVAL : keepalive;
            long due = feed.lastContact() + interval;
            if (now >= due) {
                feed.ask(now);
                feed.pump();
                due = now + interval;
            }
            soonest = Math.min(soonest, due);
            feed.checkSilence(now, silence);
        }
        next = waiting ? Math.min(soonest, now + ASK_INTERVAL) : soonest;
    }
}
