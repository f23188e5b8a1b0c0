package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;

/** Takes Query messages. Each is examined, then takes the short way of plain reads, or is answered without an engine, or is sent. */
public final class QueryReader {
    /** Most bytes of a message that is examined as a whole. */
    private final int mostBytes;

    private final Exchange exchange;
    private final AwaitingEngine engine;
    private final Classifying classifying;
    private final PlainReads plain;
    private final OrdinaryState ordinary;
    private final ProcessNumbering numbering;
    private final Unit unit;
    private final QueryRefusal refusal;
    private final QueryAnswers answers;
    private final QuerySender sender;

    public QueryReader(
            int mostBytes,
            Exchange exchange,
            AwaitingEngine engine,
            Classifying classifying,
            PlainReads plain,
            OrdinaryState ordinary,
            ProcessNumbering numbering,
            Unit unit,
            QueryRefusal refusal,
            QueryAnswers answers,
            QuerySender sender) {
        this.mostBytes = mostBytes;
        this.exchange = exchange;
        this.engine = engine;
        this.classifying = classifying;
        this.plain = plain;
        this.ordinary = ordinary;
        this.numbering = numbering;
        this.unit = unit;
        this.refusal = refusal;
        this.answers = answers;
        this.sender = sender;
    }

    /**
     * Takes the Query message at the head of {@code in}.
     *
     * @return whether to go on with the input
     */
    boolean query(ByteBuf in, int total) {
        boolean whole = total <= mostBytes;
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
        if (OneRead.areReads(sql.statements()) && plain.suits(total)) {
            switch (plain.place(sql.statements(), total, null)) {
                case ON_SATELLITE -> {
                    plain.sendQuery(in, total);
                    return true;
                }
                case WAITS -> {
                    return false;
                }
                case ELSEWHERE -> {}
            }
        }
        ordinary.ends();
        numbering.wanted(sql.processes());
        if (numbering.isWanted() && numbering.replaceInQuery(in, total)) {
            return true;
        }
        boolean namesUncertain = exchange.effects().decideNames()
                || (exchange.effects().prepare() && SqlNames.nameAny(sql.statements()));
        if (namesUncertain) {
            return engine.awaitReplies();
        }
        unit.statements(sql.statements());
        if (refusal.stopsUnsent(in, total)) {
            return true;
        }
        boolean explains = false;
        if (unit.mayNeedNoEngine()) {
            explains = sql.statements().getFirst() instanceof Statement.ExplainPlacement;
            switch (answers.answer(in, total)) {
                case GIVEN -> {
                    return true;
                }
                case WAITS -> {
                    return false;
                }
                case NONE -> {}
            }
        }
        if (!sender.place(in, total, wellFormed)) {
            return false;
        }
        if (!refusal.refuses(in, total, wellFormed) && !(explains && sender.sendExplained(in, total))) {
            sender.send(in, total, whole, wellFormed);
        }
        return true;
    }
}
