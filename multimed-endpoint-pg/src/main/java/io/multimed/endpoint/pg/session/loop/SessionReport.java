package io.multimed.endpoint.pg.session.loop;

/** The present activity of a session, as administrators and other clients see it. Event loop only. */
public interface SessionReport {
    /** The state of the session, for {@code SHOW CLIENTS}. */
    String state();

    /** The node on which the latest transaction ran, and the reason, for {@code SHOW CLIENTS}. */
    String route();

    /** The fingerprint of the shape of the read that was placed last, for {@code SHOW CLIENTS}; empty if it was no read. */
    String shape();

    /** The name of the engine to which the session is bound; empty if there is none. */
    String boundTo();

    /** How far the session has got. */
    default SessionProgress progress() {
        return SessionProgress.UNKNOWN;
    }

    /** The activity of the session, for {@code pg_stat_activity}. */
    SessionActivity activity();
}
