package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.ErrorFields;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A session that has asked for a connection and is notified later, on the event loop. */
public interface BackendWaiter extends BackendUser {
    /**
     * Returns the process number that the client knows for its session. The pool prefers the connection that served this client
     * last.
     */
    int clientProcessId();

    void acquired(BackendConnection connection);

    /**
     * Whether the session may send its unit behind the unit of another session on this connection. If so, it sends the whole unit
     * at once, with the engine session as it is, and nothing else.
     */
    default boolean mayFollow(BackendConnection connection) {
        return false;
    }

    /** Returns the number of ReadyForQuery messages that the engine owes for units sent behind others. */
    default int owed() {
        return 1;
    }

    /**
     * Returns a check for the time when the engine has executed what the session has sent, asked after the session has left: whether
     * the state of the engine session is not known then, so that no other session may be given it.
     */
    default BooleanSupplier stateBehind() {
        return () -> false;
    }

    /** Called when the connection no longer belongs to this session, which must send its unit elsewhere. */
    default void displaced() {}

    /** Called when others had to leave because this session's unit takes long, although it did not lack a processor. */
    default void heldOthersUp() {}

    /** Whether the session may use one of the connections reserved for logins and superusers. */
    default boolean mayUseReserved() {
        return false;
    }

    /** Ends the session, because its transaction has been idle for long and others wait for a connection. */
    default void idleForTooLong() {}

    /** @param error the engine's answer; null if the engine could not be reached */
    void notAcquired(@Nullable ErrorFields error);
}
