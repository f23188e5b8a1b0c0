package io.multimed.core.dispatch;

/** The reason for a transaction's placement, as shown by {@code SHOW multimed.route} and counted in the metrics. */
public enum Reason {
    /** A fresh Satellite executed the read. */
    FRESH_SATELLITE("read on a fresh satellite"),
    /** The transaction may write. */
    UPDATE("may write"),
    /** The statement was not understood, so it may write. */
    UNCLASSIFIED("not known to be read-only"),
    /** The statement reads something that only the Master has or shows correctly. */
    MASTER_ONLY("reads what only the master has"),
    /** The statement sets up the session rather than reading or writing data. */
    SESSION_CONTROL("session control"),
    /** The transaction is SERIALIZABLE, which only the Master checks. */
    SERIALIZABLE("serializable"),
    /** The Satellite on which its block had begun does not hold all that it reads. */
    NOT_HELD("reads more than the satellite of its block holds"),
    /** The session has chosen that its reads run on the Master. */
    CHOSEN("chosen by the session"),
    /** A routing rule, or a hint in the statement, sends the read to the Master. */
    RULE("sent by a rule"),
    /** The session holds state on a backend of the Master. */
    PINNED("session pinned to a private backend"),
    /** Every Satellite was behind for longer than a reader may wait. */
    WAIT_EXPIRED("satellites behind for too long"),
    /** An earlier reader has waited in vain, and no Satellite has since applied the SCN that it required. */
    OVERDUE("satellites overdue"),
    /** No Satellite serves. */
    NO_SATELLITE("no satellite serving"),
    /** The relay is not connected to the Master, or may lack commits that the Master shows, so nothing is known about freshness. */
    FLOOR_UNKNOWN("relay not connected or behind"),
    /** A Satellite refused the statement or failed before the first row, so the Master executed it. */
    RETRIED("re-run after a satellite could not answer");

    private final String text;

    Reason(String text) {
        this.text = text;
    }

    /** Returns a short description for people. */
    public String text() {
        return text;
    }
}
