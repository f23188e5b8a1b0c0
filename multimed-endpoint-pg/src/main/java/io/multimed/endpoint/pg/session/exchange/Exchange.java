package io.multimed.endpoint.pg.session.exchange;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendWaiter;
import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.session.reads.CoalescedRead;
import io.multimed.endpoint.pg.session.reads.UnitTimer;
import io.multimed.endpoint.pg.session.settings.Residue;
import io.multimed.model.Role;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages and replies that are outstanding between a session and the engine whose connection it holds.
 *
 * <p>The exchange knows for each reply whether the client asked for it. It holds back the replies to the first unit on a Satellite
 * until the first row or the end of the command. So a read that the Satellite refuses or cancels, or that it leaves unanswered when
 * it dies, can be executed elsewhere without the client noticing.
 */
public final class Exchange implements BackendWaiter {
    private static final String UTF8 = "UTF8";
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
    private final Map<String, String> reported = new LinkedHashMap<>();
    private final Replies replies = new Replies();
    private final CopyIn copyIn = new CopyIn(replies);
    private final HeldReplies held;
    private final ReplyHandler replyHandler;
    private final Unanswered unanswered;
    private final UnitTimer timer;
    private @Nullable BackendConnection backend;
    private byte status = 'I';
    /** Whether the transaction had failed and a message was sent since that may end the failed state. */
    private boolean recovering;

    /** Whether the engine ignores all messages until the next Sync. */
    private boolean ignored;

    /** Whether extended query messages were sent that no Sync has followed. */
    private boolean unsynced;

    /** Number of the latest entry that deallocates prepared statements by SQL. */
    private long deallocating;
    /** Number of the latest entry that deallocates prepared statements in any way. */
    private long decidingNames;
    /** Number of the latest entry that prepares a statement. */
    private long preparing;
    /** Number of the latest preparing entry that a Sync follows. Messages sent now are executed even if that preparation failed. */
    private long preparingBefore;
    /** Number of the latest entry that asks for the residue of a transaction. */
    private long askingForResidue;

    /** Whether the client's cancel request waits, because Multimed's own statement runs before the client's unit. */
    private boolean cancelAfterwards;

    /** Whether the messages sent since the connection was bound end at the end of a unit. */
    private boolean complete;
    /**
     * Whether other sessions may send their units behind it, once the engine session is sure to be in the state that they expect.
     */
    private boolean sharing;
    /** Whether other sessions were allowed to follow and none of them had to leave. */
    private boolean shared;
    /** The read whose reply other sessions wait for too; null if there is none. */
    private @Nullable CoalescedRead coalesced;
    /** Whether the engine does not know of the client's transaction block. */
    private boolean ownTransaction;

    Exchange(SessionContext session) {
        owner = session.owner();
        client = session.client();
        processId = session.processId();
        held = new HeldReplies(client);
        timer = new UnitTimer(session.loop().readCosts());
        replyHandler = new ReplyHandler(session, this, replies, held);
        unanswered = new Unanswered(client, this, replies);
    }

    /** The connection that the session holds; null if it holds none. */
    public @Nullable BackendConnection backend() {
        return backend;
    }

    /**
     * The connection that the session holds.
     *
     * @throws IllegalStateException if the session holds none
     */
    public BackendConnection bound() {
        if (backend == null) {
            throw new IllegalStateException("no backend bound");
        }
        return backend;
    }

    /** Whether the session holds a connection. */
    public boolean isBound() {
        return backend != null;
    }

    /** Whether the session holds a connection to the Master. */
    public boolean onMaster() {
        return backend != null && backend.node().role() == Role.MASTER;
    }

    /** Whether the engine does not know of the client's transaction block and executes a transaction of its own. */
    public boolean isOwnTransaction() {
        return ownTransaction;
    }

    /** The engine's transaction status as last reported: I, T or E. */
    public byte status() {
        return status;
    }

    /** Whether no reply is outstanding. */
    public boolean isDrained() {
        return replies.isEmpty();
    }

    /** Whether the client asked for none of the outstanding replies. */
    public boolean onlyInternal() {
        return replies.allInternal();
    }

    /** Whether the engine has been asked for the residue of the last transaction and has not answered yet. */
    public boolean isAskedForResidue() {
        return replies.isOutstanding(askingForResidue);
    }

    /**
     * Whether outstanding messages decide which prepared statements the client has. They deallocate some, unless the engine ignores
     * them.
     */
    public boolean decidesNames() {
        return replies.isOutstanding(decidingNames);
    }

    /** Whether outstanding messages deallocate prepared statements by SQL, if they are executed. */
    public boolean isDeallocating() {
        return replies.isOutstanding(deallocating);
    }

    /**
     * Whether the result of a preparation in an earlier unit is still unknown. If the engine refuses or ignores it, the engine
     * lacks a statement that it is recorded to hold.
     */
    public boolean isPreparing() {
        return replies.isOutstanding(preparingBefore);
    }

    /** Discards the replies that are still outstanding, because the unit has to run elsewhere. */
    public void discardReplies() {
        held.discard();
    }

    /** Whether the engine ignores all messages until the next Sync. */
    public boolean isIgnored() {
        return ignored;
    }

    /**
     * Sends a Sync in place of the client's Query, which the engine would ignore after an error, so that the unit ends as the Query
     * would have ended it.
     */
    void endQuery() {
        ByteBuf out = bound().buffer(8);
        FrontendMessages.sync(out);
        bound().write(out);
        expect(Kind.SYNC, Note.CLIENTS);
    }

    /**
     * Records whether the engine ignores messages.
     *
     * @param ignoring whether the engine has failed and no Sync has been sent behind
     */
    void ignores(boolean ignoring) {
        ignored = ignoring;
    }

    /** Ignores messages up to the next Sync, after the client was sent an error without an engine. */
    public void ignoreUpToSync() {
        ignored = true;
    }

    /**
     * Ends ignoring, because the engine that has failed is gone.
     *
     * @return whether it would have ignored messages up to the next Sync
     */
    public boolean endIgnoring() {
        boolean was = ignored;
        ignored = false;
        return was;
    }

    /** Whether the engine has been sent extended query messages that no Sync has followed. */
    public boolean isUnsynced() {
        return unsynced;
    }

    /** The state of COPY from the client. */
    public CopyIn copyIn() {
        return copyIn;
    }

    /** Notes that the engine begins to read COPY data. */
    void copyBegins() {
        unsynced = copyIn.begins(unsynced);
    }

    /** Notes that the engine has failed, which ends COPY from the client. */
    void copyFails(String sqlState) {
        unsynced = copyIn.fails(sqlState, unsynced);
    }

    /**
     * Notes that the whole unit has been sent.
     *
     * @param sharing whether other sessions may send their units behind it
     */
    public void sentAll(boolean sharing) {
        complete = true;
        this.sharing = sharing;
        offer();
    }

    /** Notes that the client has a transaction block open behind the unit sent last. */
    public void unitEndsInBlock() {
        if (!ignored) {
            replies.unitEndsInBlock();
        }
    }

    private void offer() {
        if (sharing && !replies.any(Note::concernsOthers)) {
            sharing = false;
            shared = true;
            bound().offer();
        }
    }

    /**
     * Whether other sessions have sent units before or behind the unit of this session. Then this session must send no more
     * messages.
     */
    public boolean isAmongOthers() {
        return complete && backend != null && !(backend.isAlone() && backend.isHeardBy(this));
    }

    /** Leaves the connection, even if the engine still owes replies. */
    public void leave() {
        int owed = replies.readies();
        held.end();
        BackendConnection connection = unbind();
        connection.node().transactionEnded();
        connection.leave(this, owed);
    }

    /** Values of the reported parameters as the client knows them. */
    public Map<String, String> reported() {
        return reported;
    }

    /** The client's encoding, under the name that engines use. */
    public String clientEncoding() {
        return reported.getOrDefault("client_encoding", UTF8);
    }

    public boolean clientSpeaksUtf8() {
        return clientEncoding().equals(UTF8);
    }

    /**
     * Binds the session to a connection.
     *
     * @param own whether the next messages are a transaction of their own, whatever block the client has open
     * @param followed the read for whose reply other sessions wait too; null if there is none
     */
    public void bind(BackendConnection connection, boolean own, @Nullable CoalescedRead followed) {
        backend = connection;
        ownTransaction = own;
        coalesced = followed;
        complete = false;
        shared = false;
        status = 'I';
        recovering = false;
        copyIn.ended();
        ignored = false;
        replyHandler.begin();
        cancelAfterwards = false;
        unsynced = false;
        timer.abandon();
    }

    /** Measures how long the unit that is sent next uses a processor. No other session uses the connection meanwhile. */
    public void time(List<Statement> unit) {
        timer.begin(bound(), unit);
    }

    private void dissolveCoalesced() {
        if (coalesced != null) {
            coalesced.dissolve();
            coalesced = null;
        }
    }

    /** Notes that the messages sent make the transaction fail. Later messages have to take this into account. */
    public void blockFails() {
        status = 'E';
    }

    /**
     * Notes that the messages sent may end the failed state of the transaction. {@link #status} shows the result once they are
     * answered.
     */
    public void blockMayRecover() {
        recovering = true;
    }

    /** Whether {@link #status} may be out of date. */
    public boolean isRecovering() {
        return recovering;
    }

    /** Notes that the messages succeeded, though no Sync has followed that would make the engine report its status. */
    public void recovered(byte now) {
        recovering = false;
        status = now;
    }

    /** Unbinds the session from its connection without returning it to the pool. */
    public BackendConnection unbind() {
        BackendConnection connection = bound();
        timer.abandon();
        backend = null;
        ownTransaction = false;
        dissolveCoalesced();
        replies.clear();
        status = 'I';
        return connection;
    }

    /** Holds back the unit's replies from here on, until it is sure that the unit need not run elsewhere. */
    public void holdReplies() {
        held.hold();
    }

    /** Stops holding replies back and passes them to the client, because another unit follows before the first is answered. */
    public void stopHolding() {
        held.giveUpHolding();
    }

    /**
     * Records a message that is sent and so expects its reply. For a {@link Kind#LOCAL} entry, the client is sent the attached
     * bytes when its turn comes.
     */
    public void expect(Kind kind, Note note) {
        // While the engine reads COPY data, it takes any other message as part of the data or ignores it.
        sharing = false;
        if (backend != null) {
            backend.withdrawOffer();
        }
        if (ignored && kind != Kind.SYNC) {
            ignored(note);
        } else if (!copyIn.isReading()) {
            ignored = false;
            unsynced = kind != Kind.SYNC && kind != Kind.QUERY && kind != Kind.FUNCTION_CALL;
            long number = replies.add(kind, note);
            if (!unsynced) {
                preparingBefore = preparing;
            }
            switch (note.subject()) {
                case Deallocations d -> {
                    deallocating = number;
                    decidingNames = number;
                }
                case Subject.Own own when own.ignored() != Subject.Own.NOTHING -> decidingNames = number;
                case Subject.Closing c -> decidingNames = number;
                case Subject.LentForQuery l -> decidingNames = number;
                case Subject.Preparing p -> preparing = number;
                case Residue r -> askingForResidue = number;
                case Subject.CopiesIn c -> copyIn.mayBegin(number);
                case null, default -> {}
            }
            if (replies.size() == 1 && kind == Kind.LOCAL) {
                onBoundary();
            }
        }
    }

    /** Cancels the client's running unit without hitting any other statement. */
    public void cancel() {
        if (!bound().isHeardBy(this)) {
            owner.sharing().cancelUnheard();
        } else if (replies.isHeadInternal()) {
            cancelAfterwards = true;
        } else {
            bound().cancel();
        }
    }

    /** Cancels the running unit because it has taken too long. The client is sent this error. */
    public void timeOut(ErrorFields why) {
        replyHandler.cancelledFor(why);
        cancel();
    }

    private void cancelNow() {
        cancelAfterwards = false;
        if (!replies.isEmpty()) {
            bound().cancel();
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
    public void displaced() {
        held.end();
        owner.sharing().displaced(unbind());
    }

    @Override
    public void heldOthersUp() {
        shared = false;
        owner.sharing().heldOthersUp();
    }

    // --- BackendUser

    @Override
    public boolean onMessage(byte type, ByteBuf in, int index, int length) {
        return replyHandler.onMessage(type, in, index, length);
    }

    @Override
    public void onBytes(ByteBuf in, int from, int to) {
        if (coalesced != null) {
            coalesced.told(in, from, to);
        }
        if (!held.passes(in, from, to)) {
            return;
        }
        ComputationalNode node = bound().node();
        if (node.role() == Role.SATELLITE) {
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
        return held.hasSubstitute()
                || replies.headKind() == Kind.LOCAL
                || (replies.isEmpty() || copyIn.isReading()) && owner.awaitsReplies();
    }

    @Override
    public void onBoundary() {
        if (held.hasSubstitute()) {
            // The substitute is meant for this client only.
            dissolveCoalesced();
        }
        held.passSubstitute();
        while (replies.headKind() == Kind.LOCAL) {
            if (replies.remove().subject() instanceof Subject.Own answer) {
                ByteBuf reply = client.buffer(answer.reply().length).writeBytes(answer.reply());
                if (coalesced != null && answer.forEngine()) {
                    coalesced.told(reply, 0, reply.readableBytes());
                }
                held.pass(reply);
            }
        }
        if ((replies.isEmpty() || copyIn.isReading()) && owner.awaitsReplies()) {
            // After a Flush no ReadyForQuery shows that every message has been answered. During COPY the client has to
            // respond.
            owner.resume(Wait.REPLIES);
        }
    }

    /** Queues a reply of Multimed's own in its place among the engine's replies. */
    public void answer(byte[] reply) {
        answer(reply, Subject.Own.NOTHING);
    }

    /**
     * Queues a reply of Multimed's own.
     *
     * @param ignored action to run if the engine has failed before, so that the message has no effect
     */
    public void answer(byte[] reply, Runnable ignored) {
        expect(Kind.LOCAL, new Note(false, new Subject.Own(reply, ignored, false)));
    }

    /** Queues a reply that equals the engine's reply, so that sessions waiting for the same reply are sent it too. */
    public void answerForEngine(byte[] reply, Runnable ignored) {
        expect(Kind.LOCAL, new Note(false, new Subject.Own(reply, ignored, true)));
    }

    @Override
    public void onReady(byte newStatus) {
        status = newStatus;
        recovering = recovering && !replies.isEmpty();
        if (cancelAfterwards && !replies.isHeadInternal()) {
            cancelNow();
        }
        boolean unitFailed = replyHandler.takeFailed();
        ErrorFields internal = replyHandler.takeInternalError();
        Residue answer = replyHandler.takeResidue();
        if (held.isDiscarding() && replies.isEmpty()) {
            held.end();
            owner.runElsewhere();
            return;
        }
        if (answer != null) {
            owner.residueKnown(unitFailed ? null : answer);
            return;
        }
        if (internal != null) {
            owner.preparationFailed(internal);
            return;
        }
        if (sharing && !replies.isEmpty()) {
            offer();
        }
        if (shared && replies.isEmpty()) {
            shared = false;
            owner.sharing().heldNobodyUp();
        }
        if (unitFailed) {
            timer.abandon();
        } else if (complete && replies.isEmpty()) {
            timer.end(bound());
        }
        boolean answered = replyHandler.takeClientsReady();
        if (answered && coalesced != null) {
            endCoalesced(coalesced, unitFailed);
        } else {
            endUnit(answered, unitFailed);
        }
    }

    private void endUnit(boolean answered, boolean failed) {
        if (!ownTransaction) {
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
        int behind = ownTransaction ? 0 : READY_BYTES;
        coalesced = null;
        try {
            endUnit(true, false);
        } finally {
            done.complete(behind);
        }
    }

    @Override
    public void onClosed() {
        Loss loss = new Loss(
                bound(),
                held.isUnseen(),
                !replies.allInternal(),
                // Before a Sync no status shows the failure.
                status == 'E' || ignored,
                ownTransaction,
                bound().isAmidMessage() && !held.isDiscarding(),
                replyHandler.farewell());
        timer.abandon();
        backend = null;
        ownTransaction = false;
        dissolveCoalesced();
        status = 'I';
        owner.backendLost(loss);
    }

    /** Drops the replies that the engine owes and will not send. The client is answered otherwise or not at all. */
    public void dropUnanswered() {
        replies.clear();
        held.end();
    }

    /**
     * Fails the units that the engine has left unanswered.
     *
     * @param blockFailed whether the client's transaction block had failed before
     * @return whether the transaction block that is open afterwards has failed
     */
    public boolean failUnanswered(ErrorFields error, boolean blockFailed) {
        if (!held.isDiscarding()) {
            // The held replies stand before the error.
            held.giveUpHolding();
        }
        held.end();
        return unanswered.fail(error, replyHandler.takeFailed(), blockFailed);
    }

    @Override
    public boolean wantsMore() {
        // The other sessions must not wait for a client that does not read. The amount kept for them is bounded.
        return client.isWritable() || coalesced != null && coalesced.isFollowed();
    }

    @Override
    public boolean awaitsEngine() {
        return !replies.isEmpty();
    }

    @Override
    public boolean keepsOthersWaiting() {
        if (replies.isEmpty()) {
            return status != 'I' || unsynced;
        }
        return !client.isWritable() || copyIn.isReading() && backend != null && backend.isWritable();
    }

    @Override
    public boolean mayUseReserved() {
        return "on".equals(reported.get("is_superuser"));
    }

    @Override
    public void idleForTooLong() {
        owner.fail(IDLE_WHILE_OTHERS_WAIT);
    }

    @Override
    public long expectedNanos() {
        return owner.sharing().expectedNanos();
    }

    /** Releases what is held for the client, because its connection is gone. */
    public void clientGone() {
        held.clientGone();
        replies.clear();
    }

    /** Handles an entry that the engine has refused. It is the first one that the engine does not execute. */
    void refused(Note note) {
        if (note.subject() instanceof Subject.Preparing preparing) {
            owner.prepareFailed(preparing);
        } else {
            ignored(note);
        }
    }

    /** Handles an entry that the engine ignores after an error. */
    void ignored(Note note) {
        switch (note.subject()) {
            case Subject.Preparing preparing -> owner.prepareIgnored(preparing);
            case PreparedOnBackend.Held evicted
            when backend != null -> backend.prepared().added(evicted.statement(), evicted.name(), evicted.bytes());
            case Subject.Own own -> own.ignored().run();
            case Subject.Closing closing -> closing.ignored().run();
            case Subject.LentForQuery lent -> lent.ignored().run();
            case null, default -> {}
        }
    }
}
