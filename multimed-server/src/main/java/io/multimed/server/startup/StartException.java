package io.multimed.server.startup;

/** Multimed cannot run as asked; the message is one sentence for the person who asked. */
public final class StartException extends Exception {
    public StartException(String message) {
        super(message);
    }

    public StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
