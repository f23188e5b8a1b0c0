package io.multimed.engine.embedded;

import io.multimed.model.Freshness;
import java.time.Duration;

/**
 * The options of a connection. The number of replicas belongs to the database and is the same for all connections; how a session
 * reads is its own choice.
 *
 * @param engineUrl the engine's own URL with its own options, such as {@code jdbc:h2:mem:shop;MODE=MySQL}; names the Master
 * @param replicas number of nodes including the Master, 1 to {@link #MAX_REPLICAS}; with 1, no changes are captured
 * @param policy rule that chooses one of several fresh Satellites for a read
 * @param freshness freshness with which a session starts
 * @param patience longest time that a read waits for a fresh Satellite before it goes to the Master
 * @param compare percentage of a core that the comparison of Satellites with the Master may take; 0 for no comparison. Belongs
 *     to the database: the connection that opens the database decides
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

    /** Makes options with the default share for the comparison. */
    public EmbeddedOptions(String engineUrl, int replicas, ReadPolicy policy, Freshness freshness, Duration patience) {
        this(engineUrl, replicas, policy, freshness, patience, DEFAULT_COMPARE);
    }

    /** Returns options for strong reads with the policy STICKY. */
    public static EmbeddedOptions of(String engineUrl, int replicas) {
        return new EmbeddedOptions(engineUrl, replicas, ReadPolicy.STICKY, Freshness.STRONG, Duration.ofSeconds(2));
    }
}
