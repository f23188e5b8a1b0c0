package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.OwnPortals;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;

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
    private final ExplainedStatements explanations;
    private final BlockControl blocks;
    private final Exchange exchange;
    private final Unit unit;
    private final ClientStatements prepared;
    private final OwnPortals portals;
    private final SegmentReader segments;
    private final Sending sending;

    public QueryAnswers(
            LocalAnswers localAnswers,
            ExplainedStatements explanations,
            BlockControl blocks,
            Exchange exchange,
            Unit unit,
            ClientStatements prepared,
            OwnPortals portals,
            SegmentReader segments,
            Sending sending) {
        this.localAnswers = localAnswers;
        this.explanations = explanations;
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
        if (explanations.takes(unit.statements())) {
            return explain(in, total, unsynced);
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

    /** Makes the explanation for which the Query asks, and answers the Query if no engine has to parse its statement. */
    private Answer explain(ByteBuf in, int total, boolean unsynced) {
        byte[] sql = ByteBufUtil.getBytes(in, in.readerIndex() + 5, total - 6);
        if (!explanations.prepare(List.of(sql), total)) {
            return Answer.WAITS;
        }
        if (unsynced || explanations.needEngine()) {
            return Answer.NONE;
        }
        localAnswers.explain(in, total, sql);
        prepared.forgetUnnamed();
        portals.forgetUnnamed();
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
