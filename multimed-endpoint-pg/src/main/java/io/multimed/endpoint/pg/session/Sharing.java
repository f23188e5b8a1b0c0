package io.multimed.endpoint.pg.session;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.ConnectionSharing;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.prepared.ExtendedSender;
import io.multimed.endpoint.pg.session.prepared.PreparedParts;
import io.multimed.endpoint.pg.session.requests.Notifications;
import io.multimed.endpoint.pg.session.requests.RequestReader;
import io.multimed.endpoint.pg.session.routing.BackendCheckout;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.RoutingParts;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.BackendMessages;
import io.netty.buffer.ByteBuf;

/**
 * The session's sharing with other sessions: of connections, on which one session's unit is sent behind another's, and of
 * executions, whose reply several sessions receive.
 */
final class Sharing implements ConnectionSharing {
    private final LoopContext loop;
    private final Session session;
    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final SessionVariables variables;
    private final Waiting waiting;
    private final Unit unit;
    private final BackendCheckout checkout;
    private final Replay replay;
    private final ExtendedSender extended;
    private final Notifications notifications;
    private final RequestReader requests;

    Sharing(
            Session session,
            SessionContext context,
            ExchangeParts parts,
            BlockParts blocks,
            PreparedParts prepared,
            RoutingParts placed,
            SessionVariables variables,
            RequestReader requests) {
        loop = context.loop();
        this.session = session;
        client = context.client();
        exchange = parts.exchange();
        waiting = parts.waiting();
        block = blocks.block();
        deferred = blocks.deferred();
        this.variables = variables;
        unit = placed.unit();
        checkout = placed.checkout();
        replay = placed.replay();
        extended = prepared.sender();
        this.requests = requests;
        notifications = requests.notifications();
    }

    // --- a connection

    @Override
    public boolean mayFollow(BackendConnection connection) {
        return checkout.mayFollow(connection);
    }

    @Override
    public long expectedNanos() {
        return unit.expectedNanos();
    }

    @Override
    public void displaced(BackendConnection from) {
        from.node().transactionEnded();
        sendAgain();
        unit.displaced();
        session.process();
    }

    @Override
    public void cancelUnheard() {
        exchange.leave();
        sendAgain();
        unit.cancel();
        session.process();
    }

    private void sendAgain() {
        if (replay.holdsUnit()) {
            replay.again();
            session.beginAgain();
        } else if (waiting.is(Wait.REPLIES)) {
            // Nothing of it was sent: only Multimed had asked something for it.
            waiting.end();
        }
    }

    @Override
    public void heldOthersUp() {
        loop.readCosts().heldOthersUp(requests.sentLast());
    }

    @Override
    public void heldNobodyUp() {
        loop.readCosts().heldNobodyUp(requests.sentLast());
    }

    // --- an execution

    /** Answers the waiting unit with the node's reply to another session. */
    void answeredAlike(ComputationalNode node, ByteBuf answer) {
        if (!requests.canBeAnsweredAlike(client.input())) {
            session.resume(Wait.SAME_READ);
            return;
        }
        waiting.end();
        session.satelliteAnswers(node);
        requests.answeredAlike(client.input());
        client.write(answer.retainedDuplicate());
        ByteBuf ready = client.buffer(8);
        BackendMessages.readyForQuery(ready, deferred.status());
        client.write(ready);
        checkout.answeredAlike();
        loop.counters().query();
        if (!block.isOpen()) {
            variables.transactionEnded(false);
            extended.transactionEnded();
            notifications.tell();
        }
        deferred.answered();
        session.process();
    }
}
