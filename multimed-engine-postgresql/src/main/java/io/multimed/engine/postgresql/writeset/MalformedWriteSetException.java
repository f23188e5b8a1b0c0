package io.multimed.engine.postgresql.writeset;

/** Thrown if a message is not as PostgreSQL documents it; nothing received from here on can be trusted. */
final class MalformedWriteSetException extends RuntimeException {
    MalformedWriteSetException(String what) {
        super(what);
    }
}
