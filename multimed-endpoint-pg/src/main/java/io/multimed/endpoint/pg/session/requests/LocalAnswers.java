package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.ExtendedSender;
import io.multimed.endpoint.pg.session.prepared.PreparedParts;
import io.multimed.endpoint.pg.session.routing.Pinning;
import io.multimed.endpoint.pg.session.routing.Routing;
import io.multimed.endpoint.pg.session.routing.RoutingParts;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.MultimedSettings;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;

/**
 * Answers units that need no engine: SHOW multimed.route, LISTEN and UNLISTEN, messages that close statements or portals, the begin
 * of a block, and the end of a block that no engine knows.
 */
final class LocalAnswers {
    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final SessionVariables variables;
    private final Unit unit;
    private final ClientStatements prepared;
    private final ExtendedSender extended;
    private final AwaitingEngine engine;
    private final Routing routing;
    private final Pinning pinning;
    private final Notifications notifications;

    LocalAnswers(
            SessionContext session,
            ExchangeParts parts,
            BlockParts blocks,
            PreparedParts prepared,
            RoutingParts placed,
            SessionVariables variables,
            Notifications notifications) {
        client = session.client();
        exchange = parts.exchange();
        engine = parts.engine();
        block = blocks.block();
        deferred = blocks.deferred();
        this.variables = variables;
        unit = placed.unit();
        routing = placed.routing();
        pinning = placed.pinning();
        this.prepared = prepared.clients();
        extended = prepared.sender();
        this.notifications = notifications;
    }

    /**
     * Whether the unit consists of SHOW multimed.route, or of LISTEN and UNLISTEN.
     *
     * @param plain whether each statement is executed once and leaves no prepared statement
     */
    boolean takes(boolean plain) {
        return MultimedSettings.asksRoute(unit.statements()) && deferred.status() != 'E'
                || plain && !pinning.isPinned() && notifications.takes(unit.statements());
    }

    /**
     * Answers the unit at the head of {@code in}.
     *
     * @param segment whether it consists of extended query messages
     * @return false when it has to wait
     */
    boolean answer(ByteBuf in, int length, boolean segment) {
        if (!exchange.isDrained()) {
            return engine.awaitReplies();
        }
        if (MultimedSettings.asksRoute(unit.statements())) {
            in.skipBytes(length);
            ByteBuf out = client.buffer(256);
            OwnAnswers.route(out, routing.route(), deferred.status());
            unit.reset();
            client.write(out);
            deferred.answered();
            return true;
        }
        return listen(in, length, segment);
    }

    /**
     * Answers a segment of messages that need not be sent to an engine.
     *
     * @return false when it has to wait
     */
    boolean answerSegment(ByteBuf in, int length) {
        if (!exchange.isDrained()) {
            return engine.awaitReplies();
        }
        unit.reset();
        extended.answer(in, length, deferred.status());
        deferred.answered();
        return true;
    }

    private boolean listen(ByteBuf in, int length, boolean segment) {
        if (!notifications.done(unit.statements())) {
            return false;
        }
        ErrorFields failure = notifications.takeFailure();
        ByteBuf out = client.buffer(64);
        if (segment) {
            int start = in.readerIndex();
            extended.remember(in, start + length);
            in.readerIndex(start);
            OwnAnswers.listeningSegment(in, length, out, unit.statements(), failure);
        } else {
            in.skipBytes(length);
            OwnAnswers.notifications(out, unit.statements(), failure);
            prepared.forgetUnnamed();
        }
        unit.reset();
        client.write(out);
        return true;
    }

    // --- blocks

    /** Whether the unit is the begin of a block, or the end of a block that no engine knows. */
    boolean controlsBlock() {
        if (exchange.isBound() || unit.statements().size() != 1) {
            return false;
        }
        return switch (unit.statements().getFirst()) {
            case Statement.Begin ignored -> !block.isOpen();
            case Statement.Commit commit -> block.isOpen() && !commit.chain() && !deferred.isLost();
            case Statement.Rollback rollback -> block.isOpen() && !rollback.chain();
            default -> false;
        };
    }

    /**
     * Executes such a statement and notifies all parts of the session.
     *
     * @param failed whether the block that it ends has failed
     * @return the tag of its CommandComplete
     */
    String execute(Statement statement, boolean failed) {
        if (statement instanceof Statement.Begin begin) {
            // The BEGIN is sent to the engine together with the first statement behind it. That saves a round trip, and
            // the session holds no connection while the client is idle.
            deferred.begin(begin);
            return begin.tag();
        }
        // A session that gave up waiting for an engine need not wait for one again.
        deferred.forget();
        variables.transactionEnded(false);
        extended.transactionEnded();
        return statement instanceof Statement.Commit && !failed ? "COMMIT" : "ROLLBACK";
    }

    /** Executes such a statement and answers the Query message that contained it. */
    void controlByQuery(Statement statement, boolean failed) {
        prepared.forgetUnnamed();
        String tag = execute(statement, failed);
        ByteBuf out = client.buffer(32);
        BackendMessages.commandComplete(out, tag);
        BackendMessages.readyForQuery(out, deferred.status());
        client.write(out);
        controlled();
    }

    /** Delivers notifications after the client has received the reply that a block has begun or ended. */
    void controlled() {
        notifications.tell();
    }
}
