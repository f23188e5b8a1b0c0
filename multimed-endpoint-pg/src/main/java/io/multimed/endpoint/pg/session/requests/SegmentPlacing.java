package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.AutocommitRead;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.ExtendedSender;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.Placeholders;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Places a segment on a node as a whole and notifies the parts of the session that it is going to be sent. */
public final class SegmentPlacing {
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final AutocommitRead own;
    private final ExtendedSender extended;
    private final Unit unit;
    private final BackendPinning pinning;
    private final Replay replay;
    private final Sending sending;
    private final SegmentRefusal refusal;
    private final PausedPortal pausedPortal;
    private final UnitPreparation preparation;

    public SegmentPlacing(
            Exchange exchange,
            TransactionBlock block,
            DeferredBegin deferred,
            AutocommitRead own,
            ExtendedSender extended,
            Unit unit,
            BackendPinning pinning,
            Replay replay,
            UnitPreparation preparation,
            Sending sending,
            SegmentRefusal refusal,
            PausedPortal pausedPortal) {
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
        this.own = own;
        this.extended = extended;
        this.unit = unit;
        this.pinning = pinning;
        this.replay = replay;
        this.preparation = preparation;
        this.sending = sending;
        this.refusal = refusal;
        this.pausedPortal = pausedPortal;
    }

    /**
     * Places the segment at the head of {@code in}, whose statements {@link Unit#statements} knows.
     *
     * @param alike whether there is room for its statements if another session's reply answers it
     * @param isExamined whether all its messages were examined
     * @return the attempt to send it; null when it has to wait
     */
    @Nullable
    SegmentAttempt place(
            ByteBuf in,
            Segment segment,
            SegmentStatements statements,
            SegmentNames names,
            boolean alike,
            boolean isExamined) {
        SegmentPortals portals = SegmentPortals.of(segment, statements);
        boolean synced = segment.endsWithSync();
        unit.seen(
                segment.length(),
                synced && !statements.asksRoute() ? names.leaves() : Unit.Leaves.ANYTHING,
                alike,
                deferred.isOpen(),
                names.uses(),
                synced && !portals.keeps() && own.suits(unit.statements()));
        List<String> sets = BackendPinning.setsByFunction(unit.statements()) ? texts(statements) : List.of();
        if (!sets.isEmpty()) {
            unit.creates(Placeholders.createdBy(sets.getFirst()));
        }
        if (portals.usesEarlier() && !pausedPortal.isBound() && exchange.isBound() && !exchange.isOwnTransaction()) {
            block.keepsPortal();
        }
        if (!preparation.prepare(false) || !refusal.isDecided(names)) {
            return null;
        }
        boolean paused = segment.end() == Segment.End.PAUSE;
        SegmentAttempt attempt = new SegmentAttempt(isExamined, segment.isComplete(), paused ? segment.length() : 0);
        refusal.refuse(attempt, in, segment.isComplete() ? statements.all() : unit.statements(), statements, names);
        refusal.forget();
        if (synced) {
            replay.keep(in, segment.length(), unit.statements());
        }
        sets.forEach(pinning::functionSets);
        if (BackendPinning.runsCode(unit.statements())) {
            texts(statements).forEach(pinning::codeRuns);
        }
        extended.firstBinds(exchange.isOwnTransaction() ? SegmentAnswers.begin(unit.statements()) : null);
        boolean wasOpen = block.isOpen();
        sending.sent();
        if (!wasOpen && block.isOpen() && !SegmentForms.executesSurely(segment)) {
            block.mayNotBegin();
        }
        if (!synced && exchange.onMaster()) {
            // The messages behind the Flush are not examined.
            sending.sentUnexamined();
        }
        leave(portals, paused);
        return attempt;
    }

    private static List<String> texts(SegmentStatements statements) {
        return statements.texts().stream()
                .map(sql -> new String(sql, StandardCharsets.ISO_8859_1))
                .toList();
    }

    /** Notes the portals that the segment leaves to later messages. */
    private void leave(SegmentPortals portals, boolean paused) {
        if (exchange.isOwnTransaction()) {
            return;
        }
        if (paused && portals.leavesUnnamed()) {
            pausedPortal.pauses();
        } else if (portals.leaves()) {
            block.keepsPortal();
        }
    }
}
