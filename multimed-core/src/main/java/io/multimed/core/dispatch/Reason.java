package io.multimed.core.dispatch;

/** Why a transaction was placed where it was; shown by {@code SHOW multimed.route} and counted in the metrics. */
public enum Reason {
    /** A read that a fresh Satellite took. */
    FRESH_SATELLITE("read on a fresh satellite"),
    /** The transaction may write. */
    UPDATE("may write"),
    /** The statement was not understood, so it may write. */
    UNCLASSIFIED("not known to be read-only"),
    /** It reads something that only the Master has or tells truly. */
    MASTER_ONLY("reads what only the master has"),
    /** It sets up the session rather than reading or writing data. */
    SESSION_CONTROL("session control"),
    /** SERIALIZABLE is checked by the Master alone. */
    SERIALIZABLE("serializable"),
    /** The session has chosen that its reads run there. */
    CHOSEN("chosen by the session"),
    /** The session holds state on a backend of the Master. */
    PINNED("session pinned to a private backend"),
    /** Every Satellite was behind for longer than a reader may wait. */
    WAIT_EXPIRED("satellites behind for too long"),
    /** An earlier reader has waited in vain, and no Satellite has got any further than that since. */
    OVERDUE("satellites overdue"),
    /** No Satellite serves. */
    NO_SATELLITE("no satellite serving"),
    /** The relay does not hear the Master, or may lack what it shows, so nothing can be said about freshness. */
    FLOOR_UNKNOWN("relay not connected or behind"),
    /** A Satellite refused the statement or failed before the first row, so the Master executed it. */
    RETRIED("re-run after a satellite could not answer");

    private final String text;

    Reason(String text) {
        this.text = text;
    }

    /** A few words for a person. */
    public String text() {
        return text;
    }
}
