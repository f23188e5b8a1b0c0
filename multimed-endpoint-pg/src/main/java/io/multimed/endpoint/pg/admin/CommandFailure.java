package io.multimed.endpoint.pg.admin;

import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.concurrent.CompletionException;

/** The failure of a command, with the error for its client. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ErrorFields error;

    CommandFailure(ErrorFields error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    CommandFailure(String sqlState, String message) {
        this(ErrorFields.error(sqlState, message));
    }

    /** Returns the error for the client of a command that has failed in any way. */
    public static ErrorFields error(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof CommandFailure known
                ? known.error
                : ErrorFields.error(SqlState.INTERNAL_ERROR, cause.toString());
    }
}
