package io.multimed.sim;

/** A violation found by the checker. */
final class GuaranteeViolation extends RuntimeException {
    GuaranteeViolation(String message) {
        super(message);
    }
}
