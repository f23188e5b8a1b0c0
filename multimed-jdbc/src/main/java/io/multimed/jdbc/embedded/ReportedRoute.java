package io.multimed.jdbc.embedded;

/** The place where the previous statement ran, with the reason; the answer to {@code SHOW multimed.route}. */
enum ReportedRoute {
    NONE("nowhere yet"),
    READ("satellite: a read by itself"),
    READ_ONLY("satellite: a read-only transaction"),
    NO_SATELLITE("master: no fresh satellite"),
    CHOSEN("master: chosen by the connection"),
    MASTER("master: not recognised as a read, or part of a transaction that may write");

    private final String words;

    ReportedRoute(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
