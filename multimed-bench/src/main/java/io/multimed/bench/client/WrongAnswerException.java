package io.multimed.bench.client;

import java.sql.SQLException;

/** Thrown if the database's answer cannot be right: a row that must be there is not. */
public final class WrongAnswerException extends SQLException {
    /** SQLSTATE for missing data; no engine reports it for a query. */
    private static final String STATE = "02000";

    public WrongAnswerException(String what) {
        super(what, STATE);
    }
}
