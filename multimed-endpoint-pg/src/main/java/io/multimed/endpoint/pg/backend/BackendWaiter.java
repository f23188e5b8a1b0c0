package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.ErrorFields;
import org.jspecify.annotations.Nullable;

/** Whoever asked for a connection and is told of it later, on the event loop. */
public interface BackendWaiter extends BackendUser {
    /** The number by which its client knows its server process; a connection that served it last is preferred. */
    int clientProcessId();

    void acquired(BackendConnection connection);

    /**
     * Whether what it is going to send may be sent behind the unit of another on this connection: all of it, at once, as
     * the engine session is now, and nothing else.
     */
    default boolean mayFollow(BackendConnection connection) {
        return false;
    }

    /** How long what it is going to send is expected to keep a processor busy, in nanoseconds; 0 if that is short. */
    default long expectedNanos() {
        return 0;
    }

    /** How many ReadyForQuery the engine owes it for what it has sent behind others. */
    default int owed() {
        return 1;
    }

    /** What it has sent behind others it must send elsewhere: the connection is not its own any more. */
    default void displaced() {}

    /** Others had to leave because what it has sent takes long, and not for want of a processor. */
    default void heldOthersUp() {}

    /** Whether it may use one of the connections that are reserved for logins and superusers. */
    default boolean mayUseReserved() {
        return false;
    }

    /** Its transaction has been idle for long, and others wait for a connection: its session ends. */
    default void idleForTooLong() {}

    /** @param error what the engine answered; null when it could not be reached at all */
    void notAcquired(@Nullable ErrorFields error);
}
