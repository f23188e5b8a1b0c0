package io.multimed.sim;

/** A violation found by the checker. */
final class Violation extends RuntimeException {
    Violation(String message) {
        super(message);
    }
}
