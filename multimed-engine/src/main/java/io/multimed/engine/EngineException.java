package io.multimed.engine;

/** An engine could not do what was asked; the message is one sentence for the person who runs Multimed. */
public class EngineException extends Exception {
    public EngineException(String message) {
        super(message);
    }

    public EngineException(String message, Throwable cause) {
        super(message, cause);
    }
}
