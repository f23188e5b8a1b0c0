package io.multimed.sql;

import java.time.Duration;
import java.util.Set;

/**
 * Limits of a {@link StatementClassifier}, and the functions that the user declares safe.
 *
 * @param maxShapes number of statement shapes remembered, rounded up to a power of two
 * @param maxStatementBytes longest statement that is analysed; the Master executes longer ones
 * @param maxShapesInFlight number of shapes that may be in the parser's queue at one time; further statements count as not
 *     understood
 * @param parseTimeout processor time that one parse may take, and the longest time that a statement waits for the parser
 * @param safeFunctions names (no schema, lower case unless quoted) of functions the user declares free of effects and the same
 *     on every node
 * @param rules the routing rules with which reads are compared
 */
public record ClassifierOptions(
        int maxShapes,
        int maxStatementBytes,
        int maxShapesInFlight,
        Duration parseTimeout,
        Set<String> safeFunctions,
        StatementRules rules) {

    public static final ClassifierOptions DEFAULT =
            new ClassifierOptions(16_384, 256 * 1024, 256, Duration.ofSeconds(1), Set.of());

    /** Makes options without routing rules. */
    public ClassifierOptions(
            int maxShapes,
            int maxStatementBytes,
            int maxShapesInFlight,
            Duration parseTimeout,
            Set<String> safeFunctions) {
        this(maxShapes, maxStatementBytes, maxShapesInFlight, parseTimeout, safeFunctions, StatementRules.NONE);
    }

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
        return new ClassifierOptions(maxShapes, maxStatementBytes, maxShapesInFlight, parseTimeout, functions, rules);
    }

    public ClassifierOptions withRules(StatementRules other) {
        return new ClassifierOptions(
                maxShapes, maxStatementBytes, maxShapesInFlight, parseTimeout, safeFunctions, other);
    }
}
