package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.ErrorFields;
import org.jspecify.annotations.Nullable;

/** Whoever asked for a connection and is told of it later, on the event loop. */
public interface BackendWaiter extends BackendUser {
    /** The number by which its client knows its server process; a connection that served it last is preferred. */
    int clientProcessId();

    void acquired(BackendConnection connection);

    /** @param error what the engine answered; null when it could not be reached at all */
    void notAcquired(@Nullable ErrorFields error);
}
