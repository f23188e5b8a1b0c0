package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.reads.ReadCosts;
import org.jspecify.annotations.Nullable;

/**
 * The offer of a session's connection to other sessions, which may send their units behind the unit of this session. The connection
 * is offered once the engine session is sure to be in the state that they expect.
 */
final class ConnectionOffer {
    private final Replies replies;
    private final ReadCosts readCosts;
    private final ExchangeOwner owner;
    /** Whether the messages sent since the connection was bound end at the end of a unit. */
    private boolean complete;
    /** Whether the connection is to be offered as soon as the outstanding replies allow. */
    private boolean intended;
    /** Whether the connection was offered and no other session had to leave it since. */
    private boolean made;

    ConnectionOffer(Replies replies, ReadCosts readCosts, ExchangeOwner owner) {
        this.replies = replies;
        this.readCosts = readCosts;
        this.owner = owner;
    }

    /** Begins anew on another connection. */
    void begin() {
        complete = false;
        made = false;
    }

    /** Notes that the whole unit has been sent, and offers the connection if that is {@code wanted} and as soon as it is possible. */
    void sentAll(@Nullable BackendConnection connection, boolean wanted) {
        complete = true;
        intended = wanted;
        if (connection != null) {
            makeIfPossible(connection);
        }
    }

    /** Offers the connection behind a plain read, which leaves the engine session as it was. */
    void sentRead(BackendConnection connection) {
        complete = true;
        made = true;
        connection.offer();
    }

    /** Notes that another message is sent: the connection is not to be offered before the end of that unit. */
    void sentMore() {
        intended = false;
    }

    /** Whether the messages sent since the connection was bound end at the end of a unit. */
    boolean isComplete() {
        return complete;
    }

    private void makeIfPossible(BackendConnection connection) {
        if (intended && !replies.any(Note::concernsOthers)) {
            intended = false;
            made = true;
            connection.offer();
        }
    }

    /** Notes a ReadyForQuery behind which the engine owes more replies. */
    void readyForMore(BackendConnection connection) {
        if (intended) {
            makeIfPossible(connection);
        }
    }

    /** Notes that all of the unit has been answered. */
    void answered() {
        if (made) {
            made = false;
            if (readCosts.areAnyLong()) {
                owner.sharing().heldNobodyUp();
            }
        }
    }

    /** Notes that other sessions had to leave the connection. */
    void heldOthersUp() {
        made = false;
        owner.sharing().heldOthersUp();
    }
}
