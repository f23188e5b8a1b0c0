package io.multimed.endpoint.pg.session;

/** Waits for a Satellite to have applied a required SCN. Event loop only. */
interface FreshnessWaiter {
    /** A Satellite has applied more, or patience may be over. */
    void mayHaveChanged();
}
