package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;

/** Makes Query and FunctionCall messages fail that must not be executed. */
public final class QueryRefusal {
    private static final byte[] NO_SQL = {};

    private final Rejections rejections;
    private final UnsentFailure unsent;
    private final Failing failing;
    private final PartialMessage partial;
    private final Unit unit;
    private final ClientStatements prepared;
    private final SegmentReader segments;
    private final Sending sending;

    public QueryRefusal(
            Rejections rejections,
            UnsentFailure unsent,
            Failing failing,
            PartialMessage partial,
            Unit unit,
            ClientStatements prepared,
            SegmentReader segments,
            Sending sending) {
        this.rejections = rejections;
        this.unsent = unsent;
        this.failing = failing;
        this.partial = partial;
        this.unit = unit;
        this.prepared = prepared;
        this.segments = segments;
        this.sending = sending;
    }

    /**
     * Answers the message at the head of {@code in} with an error if it was stopped before an engine was sent it.
     *
     * @return whether it was stopped
     */
    boolean stopsUnsent(ByteBuf in, int total) {
        ErrorFields stopped = rejections.stoppedUnsent();
        if (stopped == null) {
            return false;
        }
        partial.drop(in, total);
        unsent.tell(stopped);
        prepared.forgetUnnamed();
        unsent.ready();
        return true;
    }

    /**
     * Makes the message at the head of {@code in}, which was placed, fail on its engine if it must.
     *
     * @param wellFormed whether it is a Query that has arrived completely
     * @return whether it fails
     */
    boolean refuses(ByteBuf in, int total, boolean wellFormed) {
        ErrorFields reason = rejections.reason(unit.statements());
        if (reason == null) {
            return false;
        }
        byte[] sql = wellFormed ? ByteBufUtil.getBytes(in, in.readerIndex() + 5, total - 6) : NO_SQL;
        partial.drop(in, total);
        unit.statements(List.of());
        segments.endedByQuery();
        sending.querySent();
        prepared.forgetUnnamed();
        failing.query(sql, reason);
        sending.unitEnds();
        return true;
    }
}
