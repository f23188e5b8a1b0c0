package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.prepared.AnsweredMessages;
import io.multimed.endpoint.pg.session.prepared.ExtendedSender;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes segments that are answered without sending them to an engine: here, or with another session's reply. */
public final class SegmentAnswers {
    private final LocalAnswers localAnswers;
    private final ExplainedStatements explanations;
    private final DeferredBegin deferred;
    private final ExtendedSender extended;
    private final Unit unit;
    private final Sending sending;
    private final AnsweredMessages answered;
    private final BlockControl blocks;

    public SegmentAnswers(
            LocalAnswers localAnswers,
            ExplainedStatements explanations,
            BlockControl blocks,
            DeferredBegin deferred,
            ExtendedSender extended,
            AnsweredMessages answered,
            Unit unit,
            Sending sending) {
        this.localAnswers = localAnswers;
        this.explanations = explanations;
        this.blocks = blocks;
        this.deferred = deferred;
        this.extended = extended;
        this.answered = answered;
        this.unit = unit;
        this.sending = sending;
    }

    /** Whether there is room for the statements that the segment prepares. */
    boolean canAnswer(Segment segment) {
        return answered.canAnswer(segment.prepared(), segment.length());
    }

    /**
     * Answers a segment that only closes statements or portals and synchronises.
     *
     * @return false when it has to wait
     */
    boolean answerCloses(ByteBuf in, Segment segment) {
        return localAnswers.answerSegment(in, segment.length());
    }

    /**
     * Answers the segment at the head of {@code in} if its form and its statements permit that.
     *
     * @return null if it has to be sent to an engine
     */
    SegmentOpened.@Nullable Outcome answer(ByteBuf in, Segment segment, SegmentStatements statements) {
        if (deferred.status() != 'E' && SegmentForms.isOnlyOwn(segment)) {
            if (segment.endsWithSync() && !explanations.prepare(statements.explained(), segment.length())) {
                return SegmentOpened.Outcome.WAITS;
            }
            boolean parses = statements.asksExplanation() && explanations.needEngine();
            if (!parses && canAnswer(segment)) {
                return outcome(localAnswers.answerSegment(in, segment.length()));
            }
        }
        if (SegmentForms.isOneExecution(segment) && canAnswer(segment) && blocks.takes()) {
            control(in, segment);
            return SegmentOpened.Outcome.TAKEN;
        }
        if (localAnswers.takes(SegmentForms.isPlain(segment))) {
            return outcome(localAnswers.answer(in, segment.length(), true));
        }
        return null;
    }

    private static SegmentOpened.Outcome outcome(boolean answered) {
        return answered ? SegmentOpened.Outcome.TAKEN : SegmentOpened.Outcome.WAITS;
    }

    /** Answers a segment that begins a block or ends a block that no engine knows. */
    private void control(ByteBuf in, Segment segment) {
        Statement control = unit.statements().getFirst();
        boolean failed = blocks.hasFailed();
        sending.sent();
        extended.firstBinds(blocks.execute(control, failed));
        answered.answer(in, segment.length(), deferred.status());
        blocks.controlled();
    }

    /**
     * Takes the segment at the head of {@code in}, which is answered with another session's reply. A BEGIN before the read is
     * answered here.
     */
    void answeredAlike(ByteBuf in) {
        int end = in.readerIndex() + unit.length();
        String begins = begin(unit.statements());
        extended.firstBinds(begins);
        sending.answeredAlike();
        answered.answeredAlike(in, end, begins != null);
    }

    /** The tag of the BEGIN with which the statements begin; null if they do not begin with one. */
    static @Nullable String begin(List<Statement> statements) {
        return !statements.isEmpty() && statements.getFirst() instanceof Statement.Begin begin ? begin.tag() : null;
    }
}
