package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.endpoint.pg.session.block.AutocommitRead;
import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.Kind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.prepared.ExtendedSender;
import io.multimed.endpoint.pg.session.prepared.PreparedParts;
import io.multimed.endpoint.pg.session.prepared.ResultShapeCheck;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.routing.Pinning;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.RoutingParts;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.Placeholders;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.Processes;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes the units that are segments of extended query messages, up to Sync or Flush. A segment is examined and placed as a whole,
 * then its messages are sent one by one.
 */
final class SegmentReader {
    private final LoopContext loop;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final Unit unit;
    private final ExtendedSender extended;
    private final AwaitingEngine engine;
    private final Pinning pinning;
    private final Replay replay;
    private final Classifying classifying;
    private final Notifications notifications;
    private final LocalAnswers localAnswers;
    private final AutocommitRead own;
    private final Rejections rejections;
    private final Sending sending;
    private final ResultShapeCheck told;
    private final Failing failing;
    private final PartialMessage partial;
    private final ProcessNumbering numbering;
    private final SegmentScanner scanner = new SegmentScanner();
    private final Pause pause;
    private final PausedPortal pausedPortal;
    /** Stored in a field, since every message is sent with it. */
    private final Function<List<Statement>, Note> meaning;

    /** Whether messages have been sent that no Sync has followed yet. */
    private boolean open;
    /**
     * Whether the engine has been sent messages that no Sync has followed, even if the following messages are examined as a new
     * segment.
     */
    private boolean owesSync;
    /** Whether the client has been sent an error without an engine, so that messages are ignored up to Sync. */
    private boolean ignoring;
    /** The reason why one of the messages to come is refused; null if none is. */
    private @Nullable ErrorFields refused;
    /** Number of messages to send before that one. */
    private int sentBeforeRefused;
    /** Whether the segment at the head of the input was examined and its end had not arrived. */
    private boolean incomplete;
    /** Whether the messages sent now were not examined in advance. */
    private boolean unseen;
    /**
     * Whether the messages sent now were not examined as a part of the segment, because they stand behind a Flush or a pause, or
     * the segment is too long.
     */
    private boolean unscanned;
    /** Number of bytes of the segment up to the client's pause that are still to be sent; 0 if there is no pause. */
    private int beforePause;

    SegmentReader(
            SessionContext session,
            ExchangeParts parts,
            BlockParts blocks,
            PreparedParts prepared,
            RoutingParts placed,
            Classifying classifying,
            Notifications notifications,
            LocalAnswers localAnswers,
            Rejections rejections,
            Sending sending,
            ProcessNumbering numbering) {
        loop = session.loop();
        pause = new Pause(loop.loop(), session.owner());
        exchange = parts.exchange();
        engine = parts.engine();
        partial = parts.partial();
        failing = parts.failing();
        block = blocks.block();
        pausedPortal = new PausedPortal(block);
        deferred = blocks.deferred();
        own = blocks.own();
        extended = prepared.sender();
        told = prepared.told();
        unit = placed.unit();
        pinning = placed.pinning();
        replay = placed.replay();
        this.classifying = classifying;
        this.notifications = notifications;
        this.localAnswers = localAnswers;
        this.rejections = rejections;
        this.sending = sending;
        meaning = sending::whenExecuted;
        this.numbering = numbering;
    }

    /** Whether the end of a segment is still to come. */
    boolean isOpen() {
        return open;
    }

    boolean owesSync() {
        return owesSync;
    }

    /**
     * Drops the segment, because the engine is gone that was sent messages which no Sync has followed. No part of it goes on
     * elsewhere.
     */
    void lost() {
        beginAgain();
        owesSync = false;
    }

    boolean isIgnoring() {
        return ignoring;
    }

    /** Notes a Query or FunctionCall, which ends what messages without a Sync have begun. */
    void endedByQuery() {
        open = false;
        pausedPortal.forget();
    }

    /** Prepares for taking the sent messages again from their beginning. */
    void beginAgain() {
        open = false;
        incomplete = false;
        beforePause = 0;
        refused = null;
        pausedPortal.forget();
        told.forget();
    }

    /** Ignores messages up to Sync, because the engine that has failed, and would ignore them, is gone. */
    void ignoreUpToSync() {
        ignoring = true;
        pausedPortal.forget();
    }

    /**
     * Takes a message that is ignored because an earlier one has failed.
     *
     * @return whether to go on with the input
     */
    boolean ignore(ByteBuf in, byte type, int total) {
        incomplete = false;
        if (type == Frontend.SYNC) {
            if (in.readableBytes() < total) {
                return false;
            }
            ignoring = false;
            rejections.ready();
        }
        partial.drop(in, total);
        return true;
    }

    /**
     * Takes the extended query message at the head of {@code in}.
     *
     * @return whether to go on with the input
     */
    boolean message(ByteBuf in, byte type, int total) throws ProtocolException {
        boolean wasIncomplete = incomplete;
        incomplete = false;
        if (!open) {
            int most = loop.options().limits().unitBytes();
            if (wasIncomplete
                    && in.readableBytes() < most
                    && scanner.isStillIncomplete(in)
                    && !(scanner.length() > 0 && pause.hasBegun(in.readableBytes()))) {
                incomplete = true;
                return false;
            }
            if (!open(in)) {
                return false;
            }
            if (!open) {
                return true;
            }
        }
        if (type != Frontend.SYNC && type != Frontend.FLUSH && exchange.isDeallocating()) {
            // The reply shows which statements the engine holds when it reaches this message, and which the client has.
            return engine.awaitReplies();
        }
        int there = Math.min(total, in.readableBytes());
        if (there < total && !canBeSentInParts(type, total, there)) {
            return false;
        }
        // The units for a Satellite were examined as a whole, so their size is bounded.
        if (exchange.onMaster() && !engine.takesMore()) {
            return false;
        }
        if (unscanned && there == total) {
            numbering.amid(extended.sqlNamedBy(in, type));
            if (numbering.isWanted()) {
                if (type == Frontend.PARSE && numbering.replaceInSegment(in, total)) {
                    return true;
                }
                if (type == Frontend.BIND) {
                    if (!numbering.isReady()) {
                        return false;
                    }
                    numbering.tell();
                }
            }
        }
        owesSync = type != Frontend.SYNC;
        boolean last = type == Frontend.FLUSH || beforePause == total;
        beforePause = Math.max(0, beforePause - total);
        if (type == Frontend.SYNC || last && !exchange.onMaster()) {
            // On a Satellite, the messages behind a Flush or a pause are examined as a segment of their own.
            open = false;
        }
        unseen |= last;
        unscanned |= last;
        if (unseen && there == total) {
            byte[] sql = extended.sqlNamedBy(in, type);
            if (sql != null) {
                pinning.codeRuns(new String(sql, StandardCharsets.ISO_8859_1));
            }
        }
        boolean limited = type == Frontend.EXECUTE && there >= 4 && in.getInt(in.readerIndex() + total - 4) != 0;
        if (limited && !exchange.isOwnTransaction()) {
            block.keepsPortal();
        }
        if (beforePause == 0 && !last) {
            pausedPortal.sent(type, !limited);
        }
        if (refused != null && sentBeforeRefused-- == 0) {
            if (type == Frontend.PARSE) {
                failing.parse(in, total, refused);
            } else {
                failing.message(in, total, type == Frontend.BIND ? Kind.BIND : Kind.DESCRIBE, refused);
            }
            refused = null;
            return true;
        }
        if (exchange.isIgnored() && type != Frontend.SYNC) {
            // The engine would ignore it, and its effects would be undone separately, in another order than those of
            // messages sent before.
            partial.drop(in, total);
            return true;
        }
        extended.send(in, type, total, meaning);
        if (type == Frontend.SYNC) {
            sending.sentAll(in);
        }
        return true;
    }

    /**
     * Takes the segment at the head of {@code in}, which is answered with another session's reply. A BEGIN before the read is
     * answered here.
     */
    void answeredAlike(ByteBuf in) {
        int end = in.readerIndex() + unit.length();
        String begins = begin();
        extended.firstBinds(begins);
        open = false;
        owesSync = false;
        told.forget();
        sending.answeredAlike();
        extended.answeredAlike(in, end, begins != null);
    }

    /** The tag of the BEGIN with which the unit begins; null if it does not begin with one. */
    private @Nullable String begin() {
        return !unit.statements().isEmpty() && unit.statements().getFirst() instanceof Statement.Begin begin
                ? begin.tag()
                : null;
    }

    /** Whether neither its messages nor its SQL use statements that earlier messages have prepared. */
    private boolean namesNothing() {
        return scanner.isSelfContained() && !SqlNames.nameAny(scanner.statements());
    }

    /** Whether the segment that was examined last can be answered without an engine. */
    boolean canAnswer() {
        return extended.canAnswer(scanner.prepared(), scanner.length());
    }

    /** Answers the segment, which begins a block or ends a block that no engine knows. */
    private boolean control(ByteBuf in) {
        Statement control = unit.statements().getFirst();
        boolean failed = deferred.status() == 'E';
        sending.sent();
        extended.firstBinds(localAnswers.execute(control, failed));
        extended.answer(in, scanner.length(), deferred.status());
        localAnswers.controlled();
        return true;
    }

    /**
     * Makes the segment fail if it must. If one of its statements is the reason, the failure is in the place of that statement. The
     * messages before it are executed, such as the savepoint to which the client is going to roll back.
     */
    private void refuse(ByteBuf in, List<Statement> statements, List<PreparedStatement> uses) {
        ErrorFields ofWhole = rejections.ofWhole(statements);
        if (ofWhole != null) {
            refuse(in, ofWhole, 0);
            return;
        }
        int first = rejections.firstRefused(statements);
        ErrorFields reason = first < 0 ? null : rejections.ofItself(statements.get(first));
        if (reason != null) {
            refuse(in, reason, statements.equals(scanner.statements()) ? scanner.messageOf(first) : 0);
            return;
        }
        PreparedStatement changed = told.refused(uses);
        if (changed != null) {
            refuse(in, ResultShapeCheck.REFUSAL, scanner.messageThatUses(changed));
        }
    }

    private void refuse(ByteBuf in, ErrorFields reason, int before) {
        if (before == 0) {
            failing.segment(in, reason);
            unit.statements(List.of());
            return;
        }
        refused = reason;
        sentBeforeRefused = before;
        unit.statements(scanner.statementsBefore(before));
    }

    /**
     * Whether a message can be sent in parts. A Bind is passed on as it arrives once its names are complete. A Parse is kept,
     * unless it is too long.
     */
    private boolean canBeSentInParts(byte type, int total, int there) {
        EndpointLimits limits = loop.options().limits();
        return there >= limits.unitBytes()
                && switch (type) {
                    case Frontend.BIND -> true;
                    case Frontend.PARSE -> total > limits.prepared().statementBytes();
                    default -> false;
                };
    }

    private SegmentScanner.Result scan(ByteBuf in) throws ProtocolException {
        classifying.begin();
        return scanner.scan(in, classifying);
    }

    /**
     * Examines a new segment and places it, or answers it.
     *
     * @return false when it has to wait
     */
    private boolean open(ByteBuf in) throws ProtocolException {
        if (exchange.decidesNames()) {
            return engine.awaitReplies();
        }
        SegmentScanner.Result result = scan(in);
        boolean paused = false;
        if (result == SegmentScanner.Result.MORE_INPUT
                && scanner.length() > 0
                && in.readableBytes() < loop.options().limits().unitBytes()) {
            if (!pause.hasBegun(in.readableBytes())) {
                incomplete = true;
                return false;
            }
            scanner.endHere();
            paused = true;
            result = SegmentScanner.Result.COMPLETE;
        }
        if (exchange.isPreparing() && !(result == SegmentScanner.Result.COMPLETE && namesNothing())) {
            // The reply shows which statement a name denotes, and whether the engine holds it.
            return engine.awaitReplies();
        }
        while (result == SegmentScanner.Result.UNCLASSIFIED) {
            if (!classifying.findOut()) {
                return false;
            }
            result = scan(in);
        }
        numbering.wanted(result == SegmentScanner.Result.COMPLETE ? scanner.processes() : Processes.NONE);
        if (numbering.isWanted() && numbering.replaceInSegment(in, scanner.length())) {
            return true;
        }
        if (scanner.leaves() != Unit.Leaves.NOTHING && exchange.isAskedForResidue()) {
            // Until the residue is known, the session would share none of the statements that it prepares.
            return engine.awaitReplies();
        }
        unseen = true;
        unscanned = result != SegmentScanner.Result.COMPLETE;
        switch (result) {
            case MORE_INPUT -> {
                if (in.readableBytes() < loop.options().limits().unitBytes()) {
                    incomplete = true;
                    return false;
                }
                unit.statements(ClassifiedSql.UNPARSED.statements());
            }
            default -> {
                if (!scanner.needsEngine() && !exchange.isBound() && scanner.length() > 0) {
                    return localAnswers.answerSegment(in, scanner.length());
                }
                unseen = !scanner.endsWithSync() && !block.isOpen();
                unit.statements(unseen ? ClassifiedSql.UNPARSED.statements() : scanner.statements());
                if (!(owesSync && exchange.isBound())) {
                    if (deferred.status() != 'E' && scanner.isOnlyRoute() && canAnswer()) {
                        return localAnswers.answerSegment(in, scanner.length());
                    }
                    if (scanner.isOneExecution() && canAnswer() && localAnswers.controlsBlock()) {
                        return control(in);
                    }
                    if (localAnswers.takes(scanner.isPlain())) {
                        return localAnswers.answer(in, scanner.length(), true);
                    }
                }
            }
        }
        if (exchange.isBound() && exchange.isIgnored()) {
            // None of it is executed.
            unit.statements(List.of());
        }
        ErrorFields stopped = rejections.stoppedUnsent();
        if (stopped != null) {
            rejections.tellStopped(stopped);
            told.forget();
            ignoring = true;
            return true;
        }
        boolean synced = result == SegmentScanner.Result.COMPLETE && scanner.endsWithSync();
        List<PreparedStatement> uses = scanner.uses();
        unit.seen(
                scanner.length(),
                synced && !scanner.asksRoute() ? scanner.leaves() : Unit.Leaves.ANYTHING,
                canAnswer(),
                loop.readCosts(),
                deferred.isOpen(),
                uses,
                synced && !scanner.keepsPortal() && own.suits(unit.statements()));
        List<String> sets = Pinning.setsByFunction(unit.statements())
                ? scanner.texts().stream()
                        .map(sql -> new String(sql, StandardCharsets.ISO_8859_1))
                        .toList()
                : List.of();
        if (!sets.isEmpty()) {
            unit.creates(Placeholders.createdBy(sets.getFirst()));
        }
        if (scanner.usesEarlierPortal()
                && !pausedPortal.isBound()
                && exchange.isBound()
                && !exchange.isOwnTransaction()) {
            block.keepsPortal();
        }
        if (!sending.prepare(false) || !told.prepare(uses)) {
            return false;
        }
        refuse(in, result == SegmentScanner.Result.COMPLETE ? scanner.statements() : unit.statements(), uses);
        told.forget();
        if (synced) {
            replay.keep(in, scanner.length(), unit.statements());
        }
        sets.forEach(pinning::functionSets);
        if (Pinning.runsCode(unit.statements())) {
            scanner.texts().forEach(sql -> pinning.codeRuns(new String(sql, StandardCharsets.ISO_8859_1)));
        }
        extended.firstBinds(exchange.isOwnTransaction() ? begin() : null);
        sending.sent();
        if (!synced && exchange.onMaster()) {
            // The messages behind the Flush are not examined.
            pinning.sent(ClassifiedSql.UNPARSED.statements());
            notifications.sent(ClassifiedSql.UNPARSED.statements());
        }
        if (paused && scanner.leavesUnnamedPortal() && !exchange.isOwnTransaction()) {
            pausedPortal.pauses();
        } else if (scanner.leavesPortal() && !exchange.isOwnTransaction()) {
            block.keepsPortal();
        }
        pause.end();
        beforePause = paused ? scanner.length() : 0;
        open = true;
        return true;
    }
}
