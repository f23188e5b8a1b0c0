package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.session.block.OneSnapshot;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.prepared.TransactionScope;
import io.multimed.endpoint.pg.session.requests.Notifications;
import io.multimed.endpoint.pg.session.requests.SegmentReader;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.endpoint.pg.session.settings.Residue;
import org.jspecify.annotations.Nullable;

/**
 * The end of a transaction: the engine session is set back to what it was lent for, and asked what the transaction has left behind,
 * before its connection is given back.
 */
final class TransactionCompletion {
    private final Exchange exchange;
    private final Waiting waiting;
    private final TransactionBlock block;
    private final OneSnapshot oneSnapshot;
    private final SqlNames names;
    private final BackendPinning pinning;
    private final Notifications notifications;
    private final SegmentReader segments;
    private final PartialMessage partial;
    private final TransactionScope scope;

    TransactionCompletion(
            Exchange exchange,
            Waiting waiting,
            TransactionBlock block,
            TransactionScope scope,
            OneSnapshot oneSnapshot,
            SqlNames names,
            BackendPinning pinning,
            Notifications notifications,
            SegmentReader segments,
            PartialMessage partial) {
        this.exchange = exchange;
        this.waiting = waiting;
        this.block = block;
        this.scope = scope;
        this.oneSnapshot = oneSnapshot;
        this.names = names;
        this.pinning = pinning;
        this.notifications = notifications;
        this.segments = segments;
        this.partial = partial;
    }

    /** Notes that a unit of the transaction has failed. */
    void unitFailed() {
        pinning.failed();
    }

    /** Ends the transaction, whose last unit the engine has answered. The connection is given back unless the engine is asked more. */
    void ended() {
        scope.ended(keepsConnection());
        if (names.takeBack() || notifications.forgetRecalled()) {
            return;
        }
        if (keepsConnection()) {
            oneSnapshot.restore();
        }
        if (pinning.askIfNeeded()) {
            return;
        }
        block.leftNothing();
        if (!pinning.isPinned() && !waiting.is(Wait.ENGINE_WRITABLE) && !partial.isUnderWay()) {
            exchange.leave();
        }
    }

    private boolean keepsConnection() {
        return pinning.isPinned() || pinning.hasToAsk();
    }

    /**
     * Receives the residue of the transaction.
     *
     * @param residue what the transaction has left behind; null if the engine could not answer
     * @return false if the session cannot go on, since its state is not known
     */
    boolean residueKnown(@Nullable Residue residue) {
        return pinning.answered(residue);
    }

    /** Ends the transaction, which was lost with its connection. */
    void lost() {
        pinning.lost();
        scope.ended(false);
        names.loansLost();
        notifications.tell();
    }

    /**
     * Gives the connection back if the transaction has ended while the rest of its messages was still to come, for example after a
     * COPY that failed.
     */
    void giveBackIfOver() {
        if (exchange.isBound()
                && exchange.isDrained()
                && exchange.status() == 'I'
                && waiting.isNothing()
                && !exchange.isIgnored()
                && !exchange.isUnsynced()
                && !block.isOpen()
                && !segments.isOpen()
                && !partial.isUnderWay()
                && !keepsConnection()) {
            exchange.leave();
        }
    }
}
