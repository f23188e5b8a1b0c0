package io.multimed.engine.embedded;

import io.multimed.model.Freshness;
import java.time.Duration;

/**
 * What a connection asks for. The number of replicas is the database's, and the same for all; how a session reads is its own.
 *
 * @param engineUrl the engine's own URL with its own options, {@code jdbc:h2:mem:shop;MODE=MySQL}: names the Master
 * @param replicas nodes in all, Master included, 1 to {@link #MAX_REPLICAS}; 1 installs no capture
 * @param policy which fresh Satellite takes a read
 * @param freshness what a session starts with
 * @param patience how long a read waits for a fresh Satellite before the Master takes it
 * @param compare percent of a core that the comparison of Satellites with the Master may take; 0 for none. The database's: whoever
 *     opens it decides
 */
public record EmbeddedOptions(
        String engineUrl, int replicas, ReadPolicy policy, Freshness freshness, Duration patience, int compare) {
    public static final int MAX_REPLICAS = 64;
    public static final int MAX_COMPARE = 100;
    public static final int DEFAULT_COMPARE = 1;

    public EmbeddedOptions {
        if (replicas < 1 || replicas > MAX_REPLICAS) {
            throw new IllegalArgumentException("replicas must be 1 to " + MAX_REPLICAS + ", not " + replicas);
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("negative patience: " + patience);
        }
        if (compare < 0 || compare > MAX_COMPARE) {
            throw new IllegalArgumentException("compare must be 0 to " + MAX_COMPARE + ", not " + compare);
        }
    }

    /** With the comparison as it is by default. */
    public EmbeddedOptions(String engineUrl, int replicas, ReadPolicy policy, Freshness freshness, Duration patience) {
        this(engineUrl, replicas, policy, freshness, patience, DEFAULT_COMPARE);
    }

    /** Strong reads, sticky. */
    public static EmbeddedOptions of(String engineUrl, int replicas) {
        return new EmbeddedOptions(engineUrl, replicas, ReadPolicy.STICKY, Freshness.STRONG, Duration.ofSeconds(2));
    }
}
