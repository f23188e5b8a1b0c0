package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.AutocommitRead;
import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.Kind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.ExtendedSender;
import io.multimed.endpoint.pg.session.prepared.PreparedParts;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.routing.Pinning;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.Routing;
import io.multimed.endpoint.pg.session.routing.RoutingParts;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.Placeholders;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Processes;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Takes the units that consist of one message and end with ReadyForQuery: Query and FunctionCall. */
final class QueryReader {
    private static final byte[] NO_SQL = {};

    private final LoopContext loop;
    private final Exchange exchange;
    private final DeferredBegin deferred;
    private final Unit unit;
    private final ClientStatements prepared;
    private final ExtendedSender extended;
    private final AwaitingEngine engine;
    private final Routing routing;
    private final Pinning pinning;
    private final Replay replay;
    private final Classifying classifying;
    private final LocalAnswers localAnswers;
    private final AutocommitRead own;
    private final Rejections rejections;
    private final Sending sending;
    private final Failing failing;
    private final PartialMessage partial;
    private final SegmentReader segments;
    private final ProcessNumbering numbering;

    QueryReader(
            SessionContext session,
            ExchangeParts parts,
            BlockParts blocks,
            PreparedParts prepared,
            RoutingParts placed,
            Classifying classifying,
            LocalAnswers localAnswers,
            Rejections rejections,
            Sending sending,
            SegmentReader segments,
            ProcessNumbering numbering) {
        loop = session.loop();
        exchange = parts.exchange();
        engine = parts.engine();
        partial = parts.partial();
        failing = parts.failing();
        deferred = blocks.deferred();
        own = blocks.own();
        this.prepared = prepared.clients();
        extended = prepared.sender();
        unit = placed.unit();
        routing = placed.routing();
        pinning = placed.pinning();
        replay = placed.replay();
        this.classifying = classifying;
        this.localAnswers = localAnswers;
        this.rejections = rejections;
        this.sending = sending;
        this.segments = segments;
        this.numbering = numbering;
    }

    /**
     * Takes the Query message at the head of {@code in}.
     *
     * @return whether to go on with the input
     */
    boolean query(ByteBuf in, int total) {
        boolean whole = total <= loop.options().limits().unitBytes();
        if (whole && in.readableBytes() < total) {
            return false;
        }
        // A message without its terminator is malformed, and the engine reports the error.
        boolean wellFormed = whole && total > 5 && in.getByte(in.readerIndex() + total - 1) == 0;
        ClassifiedSql sql =
                wellFormed ? classifying.query(in, in.readerIndex() + 5, total - 6) : ClassifiedSql.UNPARSED;
        if (sql == null) {
            return false;
        }
        numbering.wanted(sql.processes());
        if (numbering.isWanted() && numbering.replaceInQuery(in, total)) {
            return true;
        }
        boolean namesUncertain =
                exchange.decidesNames() || exchange.isPreparing() && SqlNames.nameAny(sql.statements());
        if (namesUncertain) {
            return engine.awaitReplies();
        }
        unit.statements(sql.statements());
        ErrorFields stopped = rejections.stoppedUnsent();
        if (stopped != null) {
            answerStopped(in, total, stopped);
            return true;
        }
        // Behind messages that no Sync has followed a transaction is open, which a Query does not end.
        boolean unsynced = segments.owesSync() && exchange.isBound();
        if (!unsynced && localAnswers.takes(true)) {
            return localAnswers.answer(in, total, false);
        }
        if (!segments.owesSync() && localAnswers.controlsBlock()) {
            in.skipBytes(total);
            Statement control = unit.statements().getFirst();
            boolean failed = deferred.status() == 'E';
            sent();
            localAnswers.controlByQuery(control, failed);
            return true;
        }
        unit.seen(
                total,
                wellFormed ? Unit.Leaves.NOTHING : Unit.Leaves.ANYTHING,
                true,
                loop.readCosts(),
                deferred.isOpen(),
                List.of(),
                // For the engine, a string of several statements is one transaction, whatever block it begins.
                wellFormed && unit.statements().size() == 1 && own.suits(unit.statements()));
        String sets = wellFormed && Pinning.setsByFunction(unit.statements())
                ? in.toString(in.readerIndex() + 5, total - 6, StandardCharsets.ISO_8859_1)
                : null;
        if (sets != null) {
            unit.creates(Placeholders.createdBy(sets));
        }
        if (!sending.prepare(true)) {
            return false;
        }
        ErrorFields refusal = rejections.reason(unit.statements());
        if (refusal != null) {
            refuse(in, total, refusal, wellFormed);
            return true;
        }
        if (sets != null) {
            pinning.functionSets(sets);
        } else if (whole && total > 6 && Pinning.runsCode(unit.statements())) {
            pinning.codeRuns(in.toString(in.readerIndex() + 5, total - 6, StandardCharsets.ISO_8859_1));
        }
        replay.keep(in, total, unit.statements());
        prepared.forgetUnnamed();
        exchange.expect(Kind.QUERY, extended.queryBegins(sending.whenExecuted()));
        sent();
        partial.pass(in, total);
        sending.sentAll(in);
        return true;
    }

    /**
     * Takes the FunctionCall message at the head of {@code in}.
     *
     * @return whether to go on with the input
     */
    boolean functionCall(ByteBuf in, int total) {
        unit.statements(ClassifiedSql.UNPARSED.statements());
        numbering.wanted(Processes.NONE);
        ErrorFields stopped = rejections.stoppedUnsent();
        if (stopped != null) {
            answerStopped(in, total, stopped);
            return true;
        }
        if (!routing.place()) {
            return false;
        }
        ErrorFields refusal = rejections.reason(unit.statements());
        if (refusal != null) {
            refuse(in, total, refusal, false);
            return true;
        }
        exchange.expect(Kind.FUNCTION_CALL, Note.CLIENTS);
        sent();
        partial.pass(in, total);
        sending.unitEnds();
        return true;
    }

    /** Takes the Query at the head of {@code in}, which is answered with another session's reply. */
    void answeredAlike(ByteBuf in) {
        in.skipBytes(unit.length());
        prepared.forgetUnnamed();
        extended.queryAnsweredAlike();
        segments.endedByQuery();
        sending.answeredAlike();
    }

    private void sent() {
        segments.endedByQuery();
        sending.querySent();
    }

    private void answerStopped(ByteBuf in, int total, ErrorFields why) {
        partial.drop(in, total);
        rejections.tellStopped(why);
        prepared.forgetUnnamed();
        rejections.ready();
    }

    /**
     * Makes the message fail with this error.
     *
     * @param wellFormed whether it is a Query that has arrived completely
     */
    private void refuse(ByteBuf in, int total, ErrorFields refusal, boolean wellFormed) {
        byte[] sql = wellFormed ? ByteBufUtil.getBytes(in, in.readerIndex() + 5, total - 6) : NO_SQL;
        partial.drop(in, total);
        unit.statements(List.of());
        sent();
        prepared.forgetUnnamed();
        failing.query(sql, refusal);
        sending.unitEnds();
    }
}
