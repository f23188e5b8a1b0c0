package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.OwnPortals;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;

/** Takes Query messages that are answered without sending them to an engine: here, or with another session's reply. */
public final class QueryAnswers {
    /** The answer to a Query. */
    enum Answer {
        /** It has been given. */
        GIVEN,
        /** It has to wait. */
        WAITS,
        /** Only an engine can give it. */
        NONE
    }

    private final LocalAnswers localAnswers;
    private final BlockControl blocks;
    private final Exchange exchange;
    private final Unit unit;
    private final ClientStatements prepared;
    private final OwnPortals portals;
    private final SegmentReader segments;
    private final Sending sending;

    public QueryAnswers(
            LocalAnswers localAnswers,
            BlockControl blocks,
            Exchange exchange,
            Unit unit,
            ClientStatements prepared,
            OwnPortals portals,
            SegmentReader segments,
            Sending sending) {
        this.localAnswers = localAnswers;
        this.blocks = blocks;
        this.exchange = exchange;
        this.unit = unit;
        this.prepared = prepared;
        this.portals = portals;
        this.segments = segments;
        this.sending = sending;
    }

    /** Answers the Query at the head of {@code in} if its statements permit that. */
    Answer answer(ByteBuf in, int total) {
        // Behind messages that no Sync has followed a transaction is open, which a Query does not end.
        boolean unsynced = segments.owesSync() && exchange.isBound();
        if (!unsynced && localAnswers.takes(true)) {
            return localAnswers.answer(in, total, false) ? Answer.GIVEN : Answer.WAITS;
        }
        if (segments.owesSync() || !blocks.takes()) {
            return Answer.NONE;
        }
        in.skipBytes(total);
        Statement control = unit.statements().getFirst();
        boolean failed = blocks.hasFailed();
        segments.endedByQuery();
        sending.querySent();
        blocks.answerQuery(control, failed);
        return Answer.GIVEN;
    }

    /** Takes the Query at the head of {@code in}, which is answered with another session's reply. */
    public void answeredAlike(ByteBuf in) {
        in.skipBytes(unit.length());
        prepared.forgetUnnamed();
        portals.forgetUnnamed();
        segments.endedByQuery();
        sending.answeredAlike();
    }
}
