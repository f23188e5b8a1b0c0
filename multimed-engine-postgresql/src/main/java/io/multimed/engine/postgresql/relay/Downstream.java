package io.multimed.engine.postgresql.relay;

/** The receiver's notifications to the Satellites' side, on the relay thread. */
interface Downstream {
    /** The Master has said who it is. */
    void identified(MasterIdentity identity);

    /** The log buffer has grown; everything up to {@code safeEnd} is confirmed and may be handed on. */
    void grown(long safeEnd);
}
