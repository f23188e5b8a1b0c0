package io.multimed.server.startup;

/** Thrown when Multimed cannot run as requested; the message is one sentence for the user. */
public final class StartException extends Exception {
    public StartException(String message) {
        super(message);
    }

    public StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
