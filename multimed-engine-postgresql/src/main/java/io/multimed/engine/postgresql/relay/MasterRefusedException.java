package io.multimed.engine.postgresql.relay;

/** Thrown if the Master answered with an error, or against its protocol. */
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
