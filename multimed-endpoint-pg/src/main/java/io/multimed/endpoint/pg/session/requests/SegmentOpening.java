package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Processes;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * Opens the segment at the head of the input. It is examined as a whole. Then it takes the short way of plain reads, or is answered
 * without an engine, or is placed, so that its messages can be sent.
 */
public final class SegmentOpening {
    private final Exchange exchange;
    private final AwaitingEngine engine;
    private final SegmentExamination examination;
    private final PlainReads plain;
    private final OrdinaryState ordinary;
    private final ProcessNumbering numbering;
    private final Unit unit;
    private final SegmentAnswers answers;
    private final SegmentPlacing placing;
    private final SegmentSender sender;
    private final TransactionBlock block;
    private final SegmentRefusal refusal;

    public SegmentOpening(
            Exchange exchange,
            AwaitingEngine engine,
            SegmentExamination examination,
            PlainReads plain,
            OrdinaryState ordinary,
            ProcessNumbering numbering,
            TransactionBlock block,
            Unit unit,
            SegmentAnswers answers,
            SegmentRefusal refusal,
            SegmentPlacing placing,
            SegmentSender sender) {
        this.exchange = exchange;
        this.engine = engine;
        this.examination = examination;
        this.plain = plain;
        this.ordinary = ordinary;
        this.numbering = numbering;
        this.block = block;
        this.unit = unit;
        this.answers = answers;
        this.refusal = refusal;
        this.placing = placing;
        this.sender = sender;
    }

    /** Whether the segment that was examined last can be answered without an engine. */
    boolean canAnswer() {
        return answers.canAnswer(examination.latest());
    }

    /** Examines the segment at the head of {@code in} and places it, or answers it. */
    SegmentOpened open(ByteBuf in) throws ProtocolException {
        if (exchange.effects().decideNames()) {
            return awaitReplies();
        }
        Segment segment = examination.scan(in);
        if (segment == null) {
            return SegmentOpened.Outcome.WAITS;
        }
        OneRead read = OneRead.of(segment);
        if (read != null && plain.suits(read)) {
            switch (plain.place(read.statements(), read.length(), read.used())) {
                case ON_SATELLITE -> {
                    if (plain.sendSegment(in, read)) {
                        examination.sent();
                        return SegmentOpened.Outcome.TAKEN;
                    }
                }
                case WAITS -> {
                    return SegmentOpened.Outcome.WAITS;
                }
                case ELSEWHERE -> {}
            }
        }
        ordinary.ends();
        return openAnyOther(in, segment);
    }

    private SegmentOpened openAnyOther(ByteBuf in, Segment scanned) throws ProtocolException {
        if (exchange.effects().prepare()
                && !(scanned.isComplete() && scanned.isClassified() && namesNothing(scanned))) {
            // The reply shows which statement a name denotes, and whether the engine holds it.
            return awaitReplies();
        }
        Segment segment = examination.classify(scanned, in);
        if (segment == null) {
            return SegmentOpened.Outcome.WAITS;
        }
        SegmentStatements statements = SegmentStatements.of(segment);
        SegmentNames names = SegmentNames.of(segment);
        numbering.wanted(segment.isComplete() ? statements.processes() : Processes.NONE);
        if (numbering.isWanted() && numbering.replaceInSegment(in, segment.length())) {
            return SegmentOpened.Outcome.TAKEN;
        }
        if (names.leaves() != Unit.Leaves.NOTHING && exchange.effects().askForResidue()) {
            // Until the residue is known, the session would share none of the statements that it prepares.
            return awaitReplies();
        }
        boolean isExamined = segment.isComplete() && (segment.endsWithSync() || block.isOpen());
        if (segment.isComplete()) {
            if (!segment.needsEngine() && !exchange.isBound() && segment.length() > 0) {
                return answered(answers.answerCloses(in, segment));
            }
        } else if (examination.awaitsRest(segment, in)) {
            return SegmentOpened.Outcome.WAITS;
        }
        unit.statements(isExamined ? statements.all() : ClassifiedSql.UNPARSED.statements());
        if (segment.isComplete() && !(sender.owesSync() && exchange.isBound())) {
            SegmentOpened.Outcome outcome = answers.answer(in, segment, statements);
            if (outcome != null) {
                return answered(outcome);
            }
        }
        if (exchange.isBound() && exchange.isIgnored()) {
            // None of it is executed.
            unit.statements(List.of());
        }
        if (refusal.stopsUnsent()) {
            return SegmentOpened.Outcome.FAILED;
        }
        SegmentAttempt attempt = placing.place(in, segment, statements, names, answers.canAnswer(segment), isExamined);
        if (attempt == null) {
            return SegmentOpened.Outcome.WAITS;
        }
        examination.sent();
        return attempt;
    }

    private SegmentOpened awaitReplies() {
        engine.awaitReplies();
        return SegmentOpened.Outcome.WAITS;
    }

    private SegmentOpened answered(boolean isAnswered) {
        return answered(isAnswered ? SegmentOpened.Outcome.TAKEN : SegmentOpened.Outcome.WAITS);
    }

    private SegmentOpened answered(SegmentOpened.Outcome outcome) {
        if (outcome == SegmentOpened.Outcome.TAKEN) {
            examination.answered();
        }
        return outcome;
    }

    /** Whether neither its messages nor its SQL use statements that earlier messages have prepared. */
    private static boolean namesNothing(Segment segment) {
        return SegmentNames.of(segment).isSelfContained()
                && !SqlNames.nameAny(SegmentStatements.of(segment).all());
    }
}
