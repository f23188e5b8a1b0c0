package io.multimed.engine.postgresql.writeset;

/** Thrown if the transactions that have not ended take more memory than they may. */
public final class WriteSetTooLargeException extends Exception {
    WriteSetTooLargeException(long maxBytes) {
        super("the transactions that have not ended take more than " + (maxBytes >> 20) + " MB");
    }
}
