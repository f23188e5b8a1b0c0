package io.multimed.sql;

import java.time.Duration;
import java.util.Set;

/**
 * Bounds of a {@link StatementClassifier}, and what the user vouches for.
 *
 * @param maxShapes statement shapes remembered, rounded up to a power of two
 * @param maxStatementBytes longer statements are not looked at; the Master executes them
 * @param maxShapesInFlight shapes being parsed at one time; beyond it statements count as not understood
 * @param parseTimeout the processor time that one parse may take, and how long a statement waits for a parser at most
 * @param safeFunctions names (no schema, lower case unless quoted) of functions the user declares free of effects and
 *     the same on every node
 */
public record ClassifierOptions(
        int maxShapes, int maxStatementBytes, int maxShapesInFlight, Duration parseTimeout, Set<String> safeFunctions) {

    public static final ClassifierOptions DEFAULT =
            new ClassifierOptions(16_384, 256 * 1024, 256, Duration.ofSeconds(1), Set.of());

    public ClassifierOptions {
        if (maxShapes < 1 || maxShapes > 1 << 24) {
            throw new IllegalArgumentException("maxShapes must be 1 to 16777216: " + maxShapes);
        }
        if (maxStatementBytes < 1 || maxShapesInFlight < 1) {
            throw new IllegalArgumentException("bounds must be positive");
        }
        if (parseTimeout.isNegative() || parseTimeout.isZero()) {
            throw new IllegalArgumentException("parseTimeout must be positive: " + parseTimeout);
        }
        safeFunctions = Set.copyOf(safeFunctions);
    }

    public ClassifierOptions withSafeFunctions(Set<String> functions) {
        return new ClassifierOptions(maxShapes, maxStatementBytes, maxShapesInFlight, parseTimeout, functions);
    }
}
