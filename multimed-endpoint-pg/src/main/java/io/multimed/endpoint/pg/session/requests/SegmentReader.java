package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.OutstandingEffects;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.ProtocolException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Takes the units that are segments of extended query messages, up to Sync or Flush. A segment is examined and placed as a whole
 * ({@link SegmentOpening}), then its messages are sent one by one ({@link SegmentSender}).
 */
public final class SegmentReader {
    private final EndpointLimits limits;
    private final Exchange exchange;
    private final AwaitingEngine engine;
    private final PartialMessage partial;
    private final SegmentExamination examination;
    private final SegmentOpening opening;
    private final SegmentSender sender;
    private final SegmentAnswers answers;
    private final SegmentRefusal refusal;
    private final UnsentFailure unsent;
    /** The sending of the latest segment; null if none is. */
    private @Nullable SegmentAttempt attempt;
    /** Whether the client has been sent an error without an engine, so that messages are ignored up to Sync. */
    private boolean ignoring;

    public SegmentReader(
            EndpointLimits limits,
            Exchange exchange,
            AwaitingEngine engine,
            PartialMessage partial,
            UnsentFailure unsent,
            SegmentExamination examination,
            SegmentOpening opening,
            SegmentSender sender,
            SegmentAnswers answers,
            SegmentRefusal refusal) {
        this.limits = limits;
        this.exchange = exchange;
        this.engine = engine;
        this.partial = partial;
        this.unsent = unsent;
        this.examination = examination;
        this.opening = opening;
        this.sender = sender;
        this.answers = answers;
        this.refusal = refusal;
    }

    /** Whether the end of a segment is still to come. */
    public boolean isOpen() {
        return attempt != null && !attempt.isOver();
    }

    /** Whether no segment has begun and no message is ignored or refused. */
    public boolean isIdle() {
        boolean isOver = attempt == null || (attempt.isOver() && !attempt.isUnfinished());
        return isOver && !ignoring && sender.isIdle();
    }

    boolean owesSync() {
        return sender.owesSync();
    }

    /**
     * Drops the segment, because the engine is gone that was sent messages which no Sync has followed. No part of it goes on
     * elsewhere.
     */
    public void lost() {
        beginAgain();
        sender.owesNothing();
    }

    boolean isIgnoring() {
        return ignoring;
    }

    /** Notes a Query or FunctionCall, which ends what messages without a Sync have begun. */
    void endedByQuery() {
        attempt = null;
        sender.forgetPortal();
    }

    /** Prepares for taking the sent messages again from their beginning. */
    public void beginAgain() {
        attempt = null;
        examination.forgetIncomplete();
        sender.forgetPortal();
        refusal.forget();
    }

    /** Ignores messages up to Sync, because the engine that has failed, and would ignore them, is gone. */
    public void ignoreUpToSync() {
        ignoring = true;
        sender.forgetPortal();
    }

    /**
     * Takes a message that is ignored because an earlier one has failed.
     *
     * @return whether to go on with the input
     */
    boolean ignore(ByteBuf in, byte type, int total) {
        examination.forgetIncomplete();
        if (type == Frontend.SYNC) {
            if (in.readableBytes() < total) {
                return false;
            }
            ignoring = false;
            unsent.ready();
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
        SegmentAttempt sending = attempt;
        if (sending == null || sending.isOver()) {
            if (examination.isIncomplete() && examination.isAwaited(in)) {
                return false;
            }
            SegmentOpened opened = opening.open(in);
            if (opened instanceof SegmentOpened.Outcome outcome) {
                return ended(outcome);
            }
            sending = (SegmentAttempt) opened;
            attempt = sending;
        } else {
            examination.forgetIncomplete();
        }
        return send(sending, in, type, total);
    }

    private boolean ended(SegmentOpened.Outcome outcome) {
        return switch (outcome) {
            case WAITS -> false;
            case TAKEN -> true;
            case FAILED -> {
                refusal.forget();
                ignoring = true;
                yield true;
            }
        };
    }

    private boolean send(SegmentAttempt sending, ByteBuf in, byte type, int total) {
        if (type != Frontend.SYNC && type != Frontend.FLUSH && areNamesUncertain(sending)) {
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
        return sender.send(sending, in, type, total, there);
    }

    /**
     * Whether outstanding messages decide which statement a name denotes. An examined segment was opened only when that did not
     * matter to it, but it may deallocate statements itself.
     */
    private boolean areNamesUncertain(SegmentAttempt sending) {
        OutstandingEffects effects = exchange.effects();
        return effects.deallocate() || (sending.isUnscanned() && (effects.decideNames() || effects.prepare()));
    }

    /**
     * Whether a message can be sent in parts. A Bind is passed on as it arrives once its names are complete. A Parse is kept,
     * unless it is too long.
     */
    private boolean canBeSentInParts(byte type, int total, int there) {
        return there >= limits.unitBytes()
                && switch (type) {
                    case Frontend.BIND -> true;
                    case Frontend.PARSE -> total > limits.prepared().statementBytes();
                    default -> false;
                };
    }

    /**
     * Takes the segment at the head of {@code in}, which is answered with another session's reply. A BEGIN before the read is
     * answered here.
     */
    public void answeredAlike(ByteBuf in) {
        attempt = null;
        sender.owesNothing();
        refusal.forget();
        answers.answeredAlike(in);
    }

    /**
     * Whether the session still has room for the statements that the segment prepares, as when it was examined.
     */
    public boolean canAnswer() {
        return opening.canAnswer();
    }
}
