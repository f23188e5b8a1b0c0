package io.multimed.bench;

/** Thrown if a benchmark cannot be run, or its result is void; the message is one sentence for a person. */
public final class BenchException extends Exception {
    public BenchException(String message) {
        super(message);
    }

    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
