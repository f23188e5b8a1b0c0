package io.multimed.engine.postgresql.writeset;

/** Thrown if the Satellite does not have what the Master's changes need. */
final class DivergedException extends Exception {
    DivergedException(String what) {
        super(what);
    }
}
