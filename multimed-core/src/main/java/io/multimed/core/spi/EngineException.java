package io.multimed.core.spi;

/** Failure of an engine to do what was requested. The message is one sentence for the person who runs Multimed. */
public class EngineException extends Exception {
    public EngineException(String message) {
        super(message);
    }

    public EngineException(String message, Throwable cause) {
        super(message, cause);
    }
}
