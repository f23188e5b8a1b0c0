package io.multimed.engine.mariadb.wire;

import io.multimed.protocol.mysql.ErrMessage;
import java.io.IOException;

/** An error that an engine reports. */
public final class EngineSqlException extends IOException {
    private final int code;

    EngineSqlException(ErrMessage error) {
        super(error.message() + " (" + error.code() + ")");
        this.code = error.code();
    }

    /** Returns the engine's number of the error. */
    public int code() {
        return code;
    }
}
