package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.wire.Lsn;

/** Thrown if the log does not have PostgreSQL's format; nothing received from here on can be trusted. */
final class MalformedLogException extends RuntimeException {
    MalformedLogException(long position, String what) {
        super("log at " + Lsn.format(position) + ": " + what);
    }
}
