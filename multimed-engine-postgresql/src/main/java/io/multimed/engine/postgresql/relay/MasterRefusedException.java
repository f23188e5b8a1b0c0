package io.multimed.engine.postgresql.relay;

/** The Master answered with an error, or not as its protocol says. */
final class MasterRefusedException extends Exception {
    private final String sqlState;

    MasterRefusedException(String sqlState, String message) {
        super(message);
        this.sqlState = sqlState;
    }

    /** Five characters, or empty if there is none. */
    String sqlState() {
        return sqlState;
    }
}
