package io.multimed.engine.postgresql.writeset;

/** Where the write sets of partial Satellites come from. */
public enum CaptureKind {
    /** From PostgreSQL's decoding of its log, for which {@code wal_level} must be {@code logical}. */
    LOG,
    /** From triggers, whatever {@code wal_level} is. */
    TRIGGERS;

    /** Makes the capture of one database. */
    Capture of(MasterDatabase database) {
        return this == LOG ? new LogCapture(database) : new TriggerCapture(database);
    }
}
