package io.multimed.endpoint.pg.session.loop;

/** Waits for a Satellite to have applied a required SCN. Event loop only. */
public interface FreshnessWaiter {
    /** A Satellite has applied more, or patience may be over. */
    void mayHaveChanged();
}
