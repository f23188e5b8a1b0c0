package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.AnsweredMessages;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.ExplainedTexts;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.endpoint.pg.session.routing.LatestRoute;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.MultimedSettings;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Objects;

/** Answers units that need no engine: SHOW multimed.route, EXPLAIN (MULTIMED), LISTEN and UNLISTEN, and messages that close statements or portals. */
public final class LocalAnswers {
    private final ClientLink client;
    private final Exchange exchange;
    private final DeferredBegin deferred;
    private final Unit unit;
    private final ClientStatements prepared;
    private final AwaitingEngine engine;
    private final LatestRoute route;
    private final BackendPinning pinning;
    private final Notifications notifications;
    private final AnsweredMessages answered;
    private final ExplainedStatements explanations;

    public LocalAnswers(
            ClientLink client,
            Exchange exchange,
            DeferredBegin deferred,
            Unit unit,
            ClientStatements prepared,
            AnsweredMessages answered,
            AwaitingEngine engine,
            LatestRoute route,
            BackendPinning pinning,
            Notifications notifications,
            ExplainedStatements explanations) {
        this.client = client;
        this.exchange = exchange;
        this.deferred = deferred;
        this.unit = unit;
        this.prepared = prepared;
        this.answered = answered;
        this.engine = engine;
        this.route = route;
        this.pinning = pinning;
        this.notifications = notifications;
        this.explanations = explanations;
    }

    /**
     * Whether the unit consists of SHOW multimed.route, or of LISTEN and UNLISTEN.
     *
     * @param plain whether each statement is executed once and leaves no prepared statement
     */
    boolean takes(boolean plain) {
        return (MultimedSettings.asksRoute(unit.statements()) && deferred.status() != 'E')
                || (plain && notifications.takes(unit.statements()) && !pinning.isPinned());
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
            OwnAnswers.route(out, route.text(), deferred.status());
            unit.reset();
            client.write(out);
            deferred.answered();
            return true;
        }
        return listen(in, length, segment);
    }

    /** Answers the Query at the head of {@code in}, whose statement has been explained. */
    void explain(ByteBuf in, int total, byte[] sql) {
        List<String> lines = Objects.requireNonNull(explanations.take(sql));
        in.skipBytes(total);
        ByteBuf out = client.buffer(1024);
        ExplainedTexts.columns(out);
        ExplainedTexts.rows(out, lines);
        BackendMessages.readyForQuery(out, deferred.status());
        unit.reset();
        client.write(out);
        deferred.answered();
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
        answered.answer(in, length, deferred.status());
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
            answered.remember(in, start + length);
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
}
