package io.multimed.engine.postgresql.relay;

/** The log is not what PostgreSQL writes; nothing received from here on can be trusted. */
final class MalformedLogException extends RuntimeException {
    MalformedLogException(long position, String what) {
        super("log at " + Lsn.format(position) + ": " + what);
    }
}
