package io.multimed.engine.postgresql.relay;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Times of the attempts to reach the Master again, and the warning if that takes long.
 *
 * <p>Relay thread.
 */
final class Reconnection {
    private static final long FIRST_RETRY = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LAST_RETRY = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long WORTH_A_WARNING = TimeUnit.SECONDS.toNanos(3);

    private final Logger log;
    private long retryAt;
    private long retryDelay = FIRST_RETRY;
    private long streamingSince;
    /** Time at which the Relay last had the Master, or began to look for it. */
    private long awaySince = RelayLoop.now();

    private String warnedOf = "";

    Reconnection(Logger log) {
        this.log = log;
    }

    /** Returns the time of the next attempt. */
    long retryAt() {
        return retryAt;
    }

    /** Makes the first attempt due at once. */
    void begin() {
        awaySince = RelayLoop.now();
        retryAt = 0;
        retryDelay = FIRST_RETRY;
    }

    void streaming() {
        streamingSince = RelayLoop.now();
        warnedOf = "";
    }

    /**
     * Determines the time of the next attempt.
     *
     * @param wasStreaming whether a stream was lost rather than an attempt
     */
    void lost(boolean wasStreaming, String reason) {
        long now = RelayLoop.now();
        // Commits wait, so the first attempt is made at once, unless the lost connection was a short one.
        boolean lasted = wasStreaming && now - streamingSince > LAST_RETRY;
        retryAt = lasted ? 0 : now + retryDelay;
        retryDelay = lasted ? FIRST_RETRY : Math.min(2 * retryDelay, LAST_RETRY);
        if (wasStreaming) {
            awaySince = now;
        } else if (now - awaySince > WORTH_A_WARNING && !reason.equals(warnedOf)) {
            // There is no warning while the Master is only being stopped or started.
            log.warn("no connection to the master: {}", reason);
            warnedOf = reason;
        }
    }
}
