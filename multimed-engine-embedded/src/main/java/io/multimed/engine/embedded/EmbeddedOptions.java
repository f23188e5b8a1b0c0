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
 */
public record EmbeddedOptions(
        String engineUrl, int replicas, ReadPolicy policy, Freshness freshness, Duration patience) {
    public static final int MAX_REPLICAS = 64;

    public EmbeddedOptions {
        if (replicas < 1 || replicas > MAX_REPLICAS) {
            throw new IllegalArgumentException("replicas must be 1 to " + MAX_REPLICAS + ", not " + replicas);
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("negative patience: " + patience);
        }
    }

    /** Strong reads, sticky. */
    public static EmbeddedOptions of(String engineUrl, int replicas) {
        return new EmbeddedOptions(engineUrl, replicas, ReadPolicy.STICKY, Freshness.STRONG, Duration.ofSeconds(2));
    }
}
