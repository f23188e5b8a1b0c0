package io.multimed.endpoint.pg.session;

import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;

/**
 * Answers the units that need no engine: SHOW multimed.route, LISTEN and UNLISTEN, and the closing of what was prepared.
 */
final class Unaided {
    private final ClientLink client;
    private final Exchange exchange;
    private final Unit unit;
    private final ClientStatements prepared;
    private final ExtendedSender extended;
    private final Placing placing;
    private final Pinning pinning;
    private final Listening listening;

    Unaided(
            ClientLink client,
            Exchange exchange,
            Unit unit,
            ClientStatements prepared,
            ExtendedSender extended,
            Placing placing,
            Pinning pinning,
            Listening listening) {
        this.client = client;
        this.exchange = exchange;
        this.unit = unit;
        this.prepared = prepared;
        this.extended = extended;
        this.placing = placing;
        this.pinning = pinning;
        this.listening = listening;
    }

    /**
     * Whether the unit's statements are of that kind.
     *
     * @param plain each of them is executed once and leaves no prepared statement
     */
    boolean takes(boolean plain) {
        return MultimedSettings.asksRoute(unit.statements)
                || plain && !pinning.isPinned() && listening.takes(unit.statements);
    }

    /**
     * Answers the unit at the head of {@code in}.
     *
     * @param segment it consists of extended query messages
     * @return false when it has to wait
     */
    boolean answer(ByteBuf in, int length, boolean segment) {
        if (!exchange.isDrained()) {
            return placing.awaitReplies();
        }
        if (MultimedSettings.asksRoute(unit.statements)) {
            in.skipBytes(length);
            ByteBuf out = client.buffer(256);
            OwnAnswers.route(out, placing.route(), placing.status());
            unit.reset();
            client.write(out);
            return true;
        }
        return listen(in, length, segment);
    }

    /** A segment about nothing but SHOW multimed.route. @return false when it has to wait */
    boolean answerRoute(ByteBuf in, int length) {
        if (!exchange.isDrained()) {
            return placing.awaitReplies();
        }
        unit.reset();
        extended.answerRoute(in, length, placing.status());
        return true;
    }

    private boolean listen(ByteBuf in, int length, boolean segment) {
        if (!listening.done(unit.statements)) {
            return false;
        }
        ErrorFields failure = listening.takeFailure();
        ByteBuf out = client.buffer(64);
        if (segment) {
            OwnAnswers.listeningSegment(in, length, out, unit.statements, failure);
        } else {
            in.skipBytes(length);
            OwnAnswers.listening(out, unit.statements, failure);
        }
        unit.reset();
        prepared.forgetUnnamed();
        client.write(out);
        return true;
    }

    /** A segment that only closes statements and portals, while the session has no backend. */
    void answerClosing(ByteBuf in, int length) {
        unit.reset();
        ByteBuf out = client.buffer(64);
        OwnAnswers.closingSegment(in, length, out, prepared, extended, placing.status());
        client.write(out);
    }
}
