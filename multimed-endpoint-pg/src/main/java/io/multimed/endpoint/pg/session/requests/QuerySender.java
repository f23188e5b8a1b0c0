package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.AutocommitRead;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.ExplainedTexts;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.Placeholders;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Places Query messages, then sends them to the engine.
 *
 * <p>It has more fields than other classes, since it is a list of the parts that a Query concerns, each of which has one call
 * here.
 */
public final class QuerySender {
    private static final byte[] NO_TYPES = {0, 0};

    private final Exchange exchange;
    private final DeferredBegin deferred;
    private final AutocommitRead own;
    private final Unit unit;
    private final ClientStatements prepared;
    private final BackendPinning pinning;
    private final Replay replay;
    private final UnitPreparation preparation;
    private final ExecutionEffects effects;
    private final Sending sending;
    private final ExplainedStatements explanations;
    private final PartialMessage partial;
    private final SegmentReader segments;

    public QuerySender(
            Exchange exchange,
            DeferredBegin deferred,
            AutocommitRead own,
            Unit unit,
            ClientStatements prepared,
            BackendPinning pinning,
            Replay replay,
            UnitPreparation preparation,
            ExecutionEffects effects,
            Sending sending,
            ExplainedStatements explanations,
            PartialMessage partial,
            SegmentReader segments) {
        this.exchange = exchange;
        this.deferred = deferred;
        this.own = own;
        this.unit = unit;
        this.prepared = prepared;
        this.pinning = pinning;
        this.replay = replay;
        this.preparation = preparation;
        this.effects = effects;
        this.sending = sending;
        this.explanations = explanations;
        this.partial = partial;
        this.segments = segments;
    }

    /**
     * Places the Query at the head of {@code in}, whose statements {@link Unit#statements} knows.
     *
     * @param wellFormed whether it has arrived completely
     * @return false when it has to wait
     */
    boolean place(ByteBuf in, int total, boolean wellFormed) {
        List<Statement> statements = unit.statements();
        unit.seen(
                total,
                wellFormed ? Unit.Leaves.NOTHING : Unit.Leaves.ANYTHING,
                true,
                deferred.isOpen(),
                List.of(),
                wellFormed && isOwn(statements));
        if (wellFormed && BackendPinning.setsByFunction(statements)) {
            unit.creates(Placeholders.createdBy(text(in, total)));
        }
        return preparation.prepare(true);
    }

    /**
     * Whether the Query may be a transaction of its own. For the engine, a string of several statements is one transaction, whatever
     * block it begins.
     */
    private boolean isOwn(List<Statement> statements) {
        return statements.size() == 1 && statements.getFirst() instanceof Statement.Read && own.suits(statements);
    }

    /** Sends the Query at the head of {@code in}, which was placed. A long one need not have arrived completely. */
    void send(ByteBuf in, int total, boolean whole, boolean wellFormed) {
        List<Statement> statements = unit.statements();
        if (wellFormed && BackendPinning.setsByFunction(statements)) {
            pinning.functionSets(text(in, total));
        } else if (whole && total > 6 && BackendPinning.runsCode(statements)) {
            pinning.codeRuns(text(in, total));
        }
        replay.keep(in, total, statements);
        prepared.forgetUnnamed();
        exchange.expect(MessageKind.QUERY, effects.ofQuery(statements));
        segments.endedByQuery();
        sending.querySent();
        partial.pass(in, total);
        sending.sentAll(in);
    }

    /**
     * Sends the statement that the Query at the head of {@code in}, which was placed, is to explain. The engine only parses it: either
     * it reports an error, or the client is sent the explanation.
     *
     * @return false if the Query asks for no explanation
     */
    boolean sendExplained(ByteBuf in, int total) {
        if (!explanations.takes(unit.statements())) {
            return false;
        }
        byte[] sql = ByteBufUtil.getBytes(in, in.readerIndex() + 5, total - 6);
        List<String> lines = explanations.take(sql);
        if (lines == null) {
            return false;
        }
        in.skipBytes(total);
        prepared.forgetUnnamed();
        segments.endedByQuery();
        sending.querySent();
        BackendConnection backend = exchange.bound();
        byte[] parsed = ExplainedTexts.explained(sql);
        ByteBuf out = backend.buffer(64 + parsed.length);
        FrontendMessages.parse(out, "", parsed, NO_TYPES);
        backend.prepared().unnamed(null);
        exchange.expect(MessageKind.PARSE, Note.INTERNAL);
        ByteBuf answer = Unpooled.buffer(1024);
        ExplainedTexts.columns(answer);
        ExplainedTexts.rows(answer, lines);
        exchange.answer(ByteBufUtil.getBytes(answer));
        FrontendMessages.sync(out);
        exchange.expect(MessageKind.SYNC, Note.CLIENTS);
        backend.write(out);
        sending.sentAll(in);
        return true;
    }

    private static String text(ByteBuf in, int total) {
        return in.toString(in.readerIndex() + 5, total - 6, StandardCharsets.ISO_8859_1);
    }
}
