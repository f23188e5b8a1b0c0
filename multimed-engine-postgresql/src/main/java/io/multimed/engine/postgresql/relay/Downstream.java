package io.multimed.engine.postgresql.relay;

/** The receiver's notifications to the Satellites' side, on the relay thread. */
interface Downstream {
    /** Reports the Master's identity. */
    void identified(MasterIdentity identity);

    /** Reports that the log buffer has grown; everything up to {@code safeEnd} is confirmed and may be handed on. */
    void grown(long safeEnd);
}
