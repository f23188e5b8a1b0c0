package io.multimed.dist;

/** A distribution cannot be made; the message says why, in one sentence. */
final class DistException extends Exception {
    private static final long serialVersionUID = 1;

    DistException(String message) {
        super(message);
    }
}
