package io.multimed.sim;

/** What the checker found. */
final class Violation extends RuntimeException {
    Violation(String message) {
        super(message);
    }
}
