package io.multimed.endpoint.pg.session.exchange;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendWaiter;
import io.multimed.endpoint.pg.session.reads.CoalescedRead;
import io.multimed.endpoint.pg.session.reads.UnitTimer;
import io.multimed.endpoint.pg.session.settings.Residue;
import io.multimed.model.Role;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine's replies to a session, as they arrive on the connection that it holds. Bytes that the client asked for are passed on;
 * the ends of units and the loss of the connection are reported to the session.
 *
 * <p>It has more fields and lines than other classes, since it is the one receiver that a connection knows, and passes each event
 * to the part that the event concerns.
 *
 * <p>The usual replies to a plain read take a short way: nothing but their order is checked. Any other message leads to {@link
 * ReplyHandler}.
 */
final class ReplyStream implements BackendWaiter {
    private static final int READY_BYTES = 6;
    private static final ErrorFields IDLE_WHILE_OTHERS_WAIT = ErrorFields.fatal(
                    SqlState.IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                    "terminating connection due to idle-in-transaction timeout")
            .withDetail("Others wait for a connection to the engine, and no more may be opened.")
            .withHint("pools.idle_in_transaction in the configuration of Multimed says how long a transaction may be"
                    + " idle then.");

    private final ExchangeOwner owner;
    private final ClientLink client;
    private final int processId;
    private final Exchange exchange;
    private final Replies replies;
    private final CopyIn copyIn;
    private final HeldReplies held;
    private final ReplyHandler handler;
    private final ConnectionOffer offer;
    private final SchemaWatch schema;
    private final UnitTimer timer;
    /** The read whose reply other sessions wait for too; null if there is none. */
    private @Nullable CoalescedRead coalesced;
    /** Whether nothing but a plain read of the client's is outstanding, to which the engine has replied as usual so far. */
    private boolean plainRead;
    /** Whether the client's cancel request waits, because Multimed's own statement runs before the client's unit. */
    private boolean cancelAfterwards;

    ReplyStream(
            ExchangeOwner owner,
            ClientLink client,
            int processId,
            Exchange exchange,
            SentMessages sent,
            HeldReplies held,
            ReplyHandler handler,
            ConnectionOffer offer,
            SchemaWatch schema,
            UnitTimer timer) {
        this.owner = owner;
        this.client = client;
        this.processId = processId;
        this.exchange = exchange;
        replies = sent.replies();
        copyIn = sent.copyIn();
        this.held = held;
        this.handler = handler;
        this.offer = offer;
        this.schema = schema;
        this.timer = timer;
    }

    /**
     * Begins to receive from another connection.
     *
     * @param followed the read for whose reply other sessions wait too; null if there is none
     */
    void begin(@Nullable CoalescedRead followed) {
        coalesced = followed;
        plainRead = false;
        cancelAfterwards = false;
        handler.begin();
    }

    /** Begins a plain read. Its replies take the short way until {@link #endPlainRead} or a reply that is not usual. */
    void beginPlainRead() {
        plainRead = replies.isEmpty() && coalesced == null;
    }

    /** Ends the short way, because other messages are sent, too. */
    void endPlainRead() {
        plainRead = false;
    }

    /** Whether a plain read is under way, or has just ended, and the engine has replied as usual. */
    boolean isPlainRead() {
        return plainRead;
    }

    /** Ends receiving, because the session gives up the connection or has lost it. */
    void end() {
        timer.abandon();
        plainRead = false;
        if (coalesced != null) {
            dissolveCoalesced();
        }
    }

    private void dissolveCoalesced() {
        if (coalesced != null) {
            coalesced.dissolve();
            coalesced = null;
        }
    }

    /** Cancels the client's running unit without hitting any other statement. */
    void cancel() {
        plainRead = false;
        if (!exchange.bound().isHeardBy(this)) {
            owner.sharing().cancelUnheard();
        } else if (replies.isHeadInternal()) {
            cancelAfterwards = true;
        } else {
            exchange.bound().cancel();
        }
    }

    /** Cancels the running unit because it has taken too long. The client is sent this error. */
    void timeOut(ErrorFields why) {
        handler.cancelledFor(why);
        cancel();
    }

    /** Measures how long the unit that is sent next uses a processor. */
    void time(List<Statement> unit) {
        timer.begin(exchange.bound(), unit);
    }

    /** Whether the engine has answered the present unit with an error. Resets the answer. */
    boolean takeFailed() {
        return handler.result().takeFailed();
    }

    private void cancelIfAwaited() {
        if (cancelAfterwards && !replies.isHeadInternal()) {
            cancelAfterwards = false;
            if (!replies.isEmpty()) {
                exchange.bound().cancel();
            }
        }
    }

    // --- BackendWaiter

    @Override
    public int clientProcessId() {
        return processId;
    }

    @Override
    public void acquired(BackendConnection connection) {
        owner.acquired(connection);
    }

    @Override
    public void notAcquired(@Nullable ErrorFields error) {
        owner.notAcquired(error);
    }

    @Override
    public boolean mayFollow(BackendConnection connection) {
        return owner.sharing().mayFollow(connection);
    }

    @Override
    public int owed() {
        return replies.readies();
    }

    @Override
    public BooleanSupplier stateBehind() {
        return schema.sinceFirst();
    }

    @Override
    public void displaced() {
        held.end();
        schema.lost();
        owner.sharing().displaced(exchange.unbind());
    }

    @Override
    public void heldOthersUp() {
        offer.heldOthersUp();
    }

    @Override
    public boolean mayUseReserved() {
        return "on".equals(exchange.reported().get("is_superuser"));
    }

    @Override
    public void idleForTooLong() {
        owner.fail(IDLE_WHILE_OTHERS_WAIT);
    }

    // --- BackendUser

    @Override
    public boolean onMessage(byte type, ByteBuf in, int index, int length) {
        if (plainRead) {
            boolean ready = type == Backend.READY_FOR_QUERY;
            if ((!ready || in.getByte(index + 5) == 'I') && replies.takeOfRead(type)) {
                if (type == Backend.DATA_ROW || type == Backend.COMMAND_COMPLETE) {
                    held.decided();
                }
                return true;
            }
            plainRead = false;
        }
        return handler.onMessage(type, in, index, length);
    }

    @Override
    public void onBytes(ByteBuf in, int from, int to) {
        if (coalesced != null) {
            coalesced.told(in, from, to);
        }
        if (!held.passes(in, from, to)) {
            return;
        }
        ComputationalNode node = exchange.bound().node();
        if (plainRead || node.role() == Role.SATELLITE) {
            owner.satelliteAnswers(node);
        }
        held.release();
        client.write(in.retainedSlice(from, to - from));
    }

    @Override
    public boolean wantsWholeMessages() {
        return replies.headNote().internal();
    }

    @Override
    public boolean wantsBoundary() {
        // The reply to a plain read has no boundary before its ReadyForQuery.
        return !plainRead && (held.hasSubstitute() || replies.headKind() == MessageKind.LOCAL || isEndAwaited());
    }

    /** Whether the session waits for all replies, and they have arrived. During COPY the client has to respond. */
    private boolean isEndAwaited() {
        return (replies.isEmpty() || copyIn.isReading()) && owner.awaitsReplies();
    }

    @Override
    public void onBoundary() {
        if (held.hasSubstitute()) {
            // The substitute is meant for this client only.
            dissolveCoalesced();
        }
        held.passSubstitute();
        while (replies.headKind() == MessageKind.LOCAL) {
            if (replies.remove().subject() instanceof Subject.Own answer) {
                ByteBuf reply = client.buffer(answer.reply().length).writeBytes(answer.reply());
                if (coalesced != null && answer.forEngine()) {
                    coalesced.told(reply, 0, reply.readableBytes());
                }
                held.pass(reply);
            }
        }
        if (isEndAwaited()) {
            // After a Flush no ReadyForQuery shows that every message has been answered.
            owner.resume(Wait.REPLIES);
        }
    }

    @Override
    public void onReady(byte status) {
        if (plainRead) {
            offer.answered();
            if (timer.isRunning()) {
                timer.end(exchange.bound());
            }
            owner.plainReadEnded();
            return;
        }
        exchange.ready(status);
        cancelIfAwaited();
        UnitResult result = handler.result();
        boolean failed = result.takeFailed();
        ErrorFields internal = result.takeInternalError();
        ErrorFields lost = result.takeLostTransaction();
        Residue residue = result.takeResidue();
        if (held.isDiscarding() && replies.isEmpty()) {
            held.end();
            owner.runElsewhere();
            return;
        }
        if (lost != null) {
            owner.fail(
                    ErrorFields.fatal(lost.sqlState(), "the engine has lost the transaction before: " + lost.message())
                            .withHint("Look whether its changes are there before you repeat it."));
            return;
        }
        if (residue != null) {
            owner.residueKnown(failed ? null : residue);
            return;
        }
        if (internal != null) {
            owner.preparationFailed(internal);
            return;
        }
        if (replies.isEmpty()) {
            offer.answered();
        } else {
            offer.readyForMore(exchange.bound());
        }
        if (failed) {
            timer.abandon();
        } else if (offer.isComplete() && replies.isEmpty()) {
            timer.end(exchange.bound());
        }
        boolean answered = result.takeClients();
        if (answered && coalesced != null) {
            endCoalesced(coalesced, failed);
        } else {
            endUnit(answered, failed);
        }
    }

    private void endUnit(boolean answered, boolean failed) {
        if (!exchange.isOwnTransaction()) {
            owner.unitEnded(failed);
            return;
        }
        if (answered) {
            ByteBuf ready = client.buffer(8);
            BackendMessages.readyForQuery(ready, owner.statusBehindOwn(failed));
            held.pass(ready);
        }
        owner.ownTransactionEnded(answered, failed);
    }

    /**
     * Ends a unit whose reply other sessions wait for too. The others are served last, since they then go on with messages of their
     * own.
     */
    private void endCoalesced(CoalescedRead done, boolean failed) {
        if (failed || !replies.isEmpty()) {
            // If more messages have been sent behind the unit, their replies are not for the other sessions.
            dissolveCoalesced();
            endUnit(true, failed);
            return;
        }
        int behind = exchange.isOwnTransaction() ? 0 : READY_BYTES;
        coalesced = null;
        try {
            endUnit(true, false);
        } finally {
            done.complete(behind);
        }
    }

    @Override
    public void onClosed() {
        BackendLoss loss = new BackendLoss(
                exchange.bound(),
                held.isUnseen(),
                !replies.allInternal(),
                // Before a Sync no status shows the failure.
                exchange.status() == 'E' || exchange.isIgnored(),
                exchange.isOwnTransaction(),
                exchange.bound().isAmidMessage() && !held.isDiscarding(),
                handler.farewell());
        exchange.lost();
        schema.lost();
        owner.backendLost(loss);
    }

    @Override
    public boolean wantsMore() {
        // The other sessions must not wait for a client that does not read. The amount kept for them is bounded.
        return client.isWritable() || (coalesced != null && coalesced.isFollowed());
    }

    @Override
    public boolean awaitsEngine() {
        return !replies.isEmpty();
    }

    @Override
    public boolean keepsOthersWaiting() {
        if (replies.isEmpty()) {
            return exchange.status() != 'I' || exchange.isUnsynced();
        }
        return !client.isWritable()
                || (copyIn.isReading() && exchange.isBound() && exchange.bound().isWritable());
    }
}
