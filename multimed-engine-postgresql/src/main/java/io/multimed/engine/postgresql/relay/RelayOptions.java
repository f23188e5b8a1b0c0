package io.multimed.engine.postgresql.relay;

import java.time.Duration;

/**
 * The Relay's options.
 *
 * @param bufferBytes memory for the latest log, a power of two; a Satellite that lags by more reads the Master's segments
 * @param keepalive how often a Satellite that reports nothing is asked for its position
 * @param silence a Satellite that has not answered for this long is reported as silent; longer than {@code keepalive}
 * @param feedback how long one and the same xmin of a Satellite may hold back the Master's vacuum
 */
public record RelayOptions(int bufferBytes, Duration keepalive, Duration silence, Duration feedback) {
    /** Smallest buffer: the largest message of a walsender (MAX_SEND_SIZE, walsender.c) fits. */
    static final int MIN_BUFFER = 128 * 1024;

    public static final RelayOptions DEFAULT =
            new RelayOptions(16 * 1024 * 1024, Duration.ofMillis(200), Duration.ofMillis(1500), Duration.ofMinutes(5));

    public RelayOptions {
        if (bufferBytes < MIN_BUFFER || Integer.bitCount(bufferBytes) != 1) {
            throw new IllegalArgumentException(
                    "relay buffer: " + bufferBytes + " is not a power of two of at least " + MIN_BUFFER);
        }
        if (keepalive.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("relay keepalive below 1 ms: " + keepalive);
        }
        if (silence.compareTo(keepalive) <= 0) {
            throw new IllegalArgumentException("relay silence bound " + silence + " not above keepalive " + keepalive);
        }
        if (feedback.isNegative()) {
            throw new IllegalArgumentException("negative relay feedback bound: " + feedback);
        }
    }
}
