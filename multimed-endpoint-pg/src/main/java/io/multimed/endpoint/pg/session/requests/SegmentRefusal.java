package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.prepared.ResultShapeCheck;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * Makes a placed segment fail if it must not be executed. If one of its statements is the reason, the failure is in the place of that
 * statement. The messages before it are executed, such as the savepoint to which the client is going to roll back.
 */
public final class SegmentRefusal {
    private final Rejections rejections;
    private final ResultShapeCheck shapes;
    private final Failing failing;
    private final Unit unit;
    private final UnsentFailure unsent;

    public SegmentRefusal(
            Rejections rejections, UnsentFailure unsent, ResultShapeCheck shapes, Failing failing, Unit unit) {
        this.rejections = rejections;
        this.unsent = unsent;
        this.shapes = shapes;
        this.failing = failing;
        this.unit = unit;
    }

    /**
     * Answers the segment with an error if it was stopped before an engine was sent it.
     *
     * @return whether it was stopped
     */
    boolean stopsUnsent() {
        ErrorFields stopped = rejections.stoppedUnsent();
        if (stopped == null) {
            return false;
        }
        unsent.tell(stopped);
        return true;
    }

    /**
     * Finds out whether statements prepared earlier still return what their clients expect.
     *
     * @return false when an answer must be awaited first
     */
    boolean isDecided(SegmentNames names) {
        return shapes.prepare(names.uses());
    }

    /** Forgets the answers, because another segment is examined next. */
    void forget() {
        shapes.forget();
    }

    /**
     * Makes the segment fail if it must.
     *
     * @param about the statements that the unit executes
     */
    void refuse(
            SegmentAttempt attempt,
            ByteBuf in,
            List<Statement> about,
            SegmentStatements statements,
            SegmentNames names) {
        ErrorFields ofWhole = rejections.ofWhole(about);
        if (ofWhole != null) {
            refuseWhole(in, ofWhole);
            return;
        }
        int first = rejections.firstRefused(about);
        ErrorFields reason = first < 0 ? null : rejections.ofItself(about.get(first));
        if (reason != null) {
            refuse(attempt, in, reason, about.equals(statements.all()) ? statements.messageOf(first) : 0, statements);
            return;
        }
        PreparedStatement changed = shapes.refused(names.uses());
        if (changed != null) {
            refuse(attempt, in, ResultShapeCheck.REFUSAL, names.messageThatUses(changed), statements);
        }
    }

    private void refuse(
            SegmentAttempt attempt, ByteBuf in, ErrorFields reason, int before, SegmentStatements statements) {
        if (before == 0) {
            refuseWhole(in, reason);
            return;
        }
        attempt.refuse(reason, before);
        unit.statements(statements.before(before));
    }

    private void refuseWhole(ByteBuf in, ErrorFields reason) {
        failing.segment(in, reason);
        unit.statements(List.of());
    }
}
