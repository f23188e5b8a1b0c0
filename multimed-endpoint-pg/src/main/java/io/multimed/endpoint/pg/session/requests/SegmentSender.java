package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.prepared.ExtendedSender;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.Frontend;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Sends the messages of a segment one by one, once the segment is placed. */
public final class SegmentSender {
    private final Exchange exchange;
    private final TransactionBlock block;
    private final ExtendedSender extended;
    private final BackendPinning pinning;
    private final Failing failing;
    private final PartialMessage partial;
    private final ProcessNumbering numbering;
    private final Sending sending;
    private final PausedPortal pausedPortal;
    /** Stored in a field, since every message is sent with it. */
    private final Function<List<Statement>, Note> meaning;
    /**
     * Whether the engine has been sent messages that no Sync has followed, even if the following messages are examined as a new
     * segment.
     */
    private boolean owesSync;

    public SegmentSender(
            Exchange exchange,
            TransactionBlock block,
            ExtendedSender extended,
            BackendPinning pinning,
            Failing failing,
            PartialMessage partial,
            ProcessNumbering numbering,
            ExecutionEffects effects,
            Sending sending,
            PausedPortal pausedPortal) {
        this.exchange = exchange;
        this.block = block;
        this.extended = extended;
        this.pinning = pinning;
        this.failing = failing;
        this.partial = partial;
        this.numbering = numbering;
        this.sending = sending;
        this.pausedPortal = pausedPortal;
        meaning = effects::of;
    }

    /** Whether the engine waits for neither a Sync nor the execution of a portal behind a pause. */
    boolean isIdle() {
        return !owesSync && !pausedPortal.isBound();
    }

    /** Forgets the portal behind a pause, because no engine holds it any more. */
    void forgetPortal() {
        pausedPortal.forget();
    }

    /** Whether the engine has been sent messages that no Sync has followed. */
    boolean owesSync() {
        return owesSync;
    }

    /** Notes that no engine waits for a Sync any more. */
    void owesNothing() {
        owesSync = false;
    }

    /**
     * Sends the message at the head of {@code in}, or its failure in its place.
     *
     * @param there number of its bytes that have arrived
     * @return false when the session has to wait first
     */
    boolean send(SegmentAttempt attempt, ByteBuf in, byte type, int total, int there) {
        boolean isWhole = there == total;
        if (attempt.isUnscanned() && isWhole) {
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
        if (type == Frontend.EXECUTE && isWhole && numbering.isWanted()) {
            numbering.tellChanged();
        }
        owesSync = type != Frontend.SYNC;
        boolean last = attempt.takes(total, type == Frontend.FLUSH);
        if (type == Frontend.SYNC || (last && !exchange.onMaster())) {
            // On a Satellite, the messages behind a Flush or a pause are examined as a segment of their own.
            attempt.end();
        }
        if (attempt.isUnseen() && isWhole) {
            byte[] sql = extended.sqlNamedBy(in, type);
            if (sql != null) {
                pinning.codeRuns(new String(sql, StandardCharsets.ISO_8859_1));
            }
        }
        boolean limited = type == Frontend.EXECUTE && there >= 4 && in.getInt(in.readerIndex() + total - 4) != 0;
        if (limited && !exchange.isOwnTransaction()) {
            block.keepsPortal();
        }
        if (attempt.isBehindPause() && !last) {
            pausedPortal.sent(type, !limited);
        }
        ErrorFields refused = attempt.takeRefusal();
        if (refused != null) {
            fail(in, type, total, refused);
        } else if (exchange.isIgnored() && type != Frontend.SYNC) {
            // The engine would ignore it, and its effects would be undone separately, in another order than those of
            // messages sent before.
            partial.drop(in, total);
        } else {
            extended.send(in, type, total, meaning);
            if (type == Frontend.SYNC) {
                sending.sentAll(in);
            }
        }
        return true;
    }

    private void fail(ByteBuf in, byte type, int total, ErrorFields reason) {
        if (type == Frontend.PARSE) {
            failing.parse(in, total, reason);
        } else {
            failing.message(in, total, type == Frontend.BIND ? MessageKind.BIND : MessageKind.DESCRIBE, reason);
        }
    }
}
