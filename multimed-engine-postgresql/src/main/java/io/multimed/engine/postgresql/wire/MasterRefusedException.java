package io.multimed.engine.postgresql.wire;

/** Thrown if the Master answered with an error, or against its protocol. */
public final class MasterRefusedException extends Exception {
    private final String sqlState;

    public MasterRefusedException(String sqlState, String message) {
        super(message);
        this.sqlState = sqlState;
    }

    /** Five characters, or empty if there is none. */
    public String sqlState() {
        return sqlState;
    }
}
