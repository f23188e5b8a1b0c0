package io.multimed.endpoint.pg.client;

import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;

/** Thrown when the admin database refuses a message; the conversation continues. */
final class AdminRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ErrorFields error;

    private AdminRefusal(ErrorFields error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    AdminRefusal(String sqlState, String message) {
        this(ErrorFields.error(sqlState, message));
    }

    static AdminRefusal unknownCommand() {
        return new AdminRefusal(
                ErrorFields.error(SqlState.SYNTAX_ERROR, "the multimed database does not know this command")
                        .withHint("SHOW HELP names those that it knows."));
    }

    ErrorFields error() {
        return error;
    }
}
