package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.routing.Routing;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Processes;
import io.netty.buffer.ByteBuf;

/** Takes FunctionCall messages. */
public final class FunctionCallReader {
    private final Exchange exchange;
    private final Unit unit;
    private final ProcessNumbering numbering;
    private final Routing routing;
    private final QueryRefusal refusal;
    private final SegmentReader segments;
    private final Sending sending;
    private final PartialMessage partial;

    public FunctionCallReader(
            Exchange exchange,
            Unit unit,
            ProcessNumbering numbering,
            Routing routing,
            QueryRefusal refusal,
            SegmentReader segments,
            Sending sending,
            PartialMessage partial) {
        this.exchange = exchange;
        this.unit = unit;
        this.numbering = numbering;
        this.routing = routing;
        this.refusal = refusal;
        this.segments = segments;
        this.sending = sending;
        this.partial = partial;
    }

    /**
     * Takes the FunctionCall message at the head of {@code in}.
     *
     * @return whether to go on with the input
     */
    boolean take(ByteBuf in, int total) {
        unit.statements(ClassifiedSql.UNPARSED.statements());
        numbering.wanted(Processes.NONE);
        if (refusal.stopsUnsent(in, total)) {
            return true;
        }
        if (!routing.place()) {
            return false;
        }
        if (refusal.refuses(in, total, false)) {
            return true;
        }
        exchange.expect(MessageKind.FUNCTION_CALL, Note.CLIENTS);
        segments.endedByQuery();
        sending.querySent();
        partial.pass(in, total);
        sending.unitEnds();
        return true;
    }
}
