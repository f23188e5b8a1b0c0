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
 * What is outstanding between a session and the engine whose connection it holds.
 *
 * <p>Knows for each reply whether the client asked for it. The replies to the first unit on a Satellite are held back
 * until the first row or the command's end, so that a read which the Satellite refuses, cancels or dies over can be
 * executed elsewhere unseen.
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
    /** The transaction had failed, and something was sent since that may end that. */
    private boolean recovering;

    /** The engine ignores what it is sent until the next Sync. */
    private boolean ignored;

    /** Extended query messages were sent that no Sync has followed. */
    private boolean unsynced;

    /** The latest entry that lets go of prepared statements by SQL. */
    private long deallocating;
    /** The latest entry that lets go of prepared statements, in whatever way. */
    private long decidingNames;
    /** The latest entry that prepares a statement. */
    private long preparing;
    /** The latest of those that a Sync follows: what is sent now is executed even if that came to nothing. */
    private long preparingBefore;
    /** The latest entry that asks what a transaction has left behind. */
    private long askingForResidue;

    /** The client wants to cancel what it has sent, which comes behind something of Multimed's own. */
    private boolean cancelAfterwards;

    /** What was sent since the connection is bound ends where a unit ends. */
    private boolean complete;
    /** Others may send theirs behind it, once it is sure that the engine session is as they are told. */
    private boolean sharing;
    /** Others could, and none of those who did had to leave. */
    private boolean shared;
    /** Others wait for what the client is told. */
    private @Nullable CoalescedRead coalesced;
    /** The engine knows nothing of the client's block. */
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
     * @throws IllegalStateException if it holds none
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

    /** Whether the connection that the session holds is to the Master. */
    public boolean onMaster() {
        return backend != null && backend.node().role() == Role.MASTER;
    }

    /** Whether the engine knows nothing of the client's block, and what runs there is a transaction of its own. */
    public boolean isOwnTransaction() {
        return ownTransaction;
    }

    /** The engine's transaction status as last reported: I, T or E. */
    public byte status() {
        return status;
    }

    /** Whether nothing is outstanding. */
    public boolean isDrained() {
        return replies.isEmpty();
    }

    /** Whether the client has asked for none of the replies that are outstanding. */
    public boolean onlyInternal() {
        return replies.allInternal();
    }

    /** Whether the engine has been asked what the last transaction left behind. */
    public boolean isAskedForResidue() {
        return replies.isOutstanding(askingForResidue);
    }

    /** Whether what is outstanding decides which prepared statements the client has: it lets go of some, unless it is ignored. */
    public boolean decidesNames() {
        return replies.isOutstanding(decidingNames);
    }

    /** Whether what is outstanding lets go of prepared statements by SQL, if it is executed. */
    public boolean isDeallocating() {
        return replies.isOutstanding(deallocating);
    }

    /**
     * Whether it is not known yet what has become of statements that were to be prepared in an earlier unit: the engine may
     * refuse or ignore that, and lack then what it seems to hold.
     */
    public boolean isPreparing() {
        return replies.isOutstanding(preparingBefore);
    }

    /** The unit cannot run here: what the engine still answers is not for the client. */
    public void discardReplies() {
        held.discard();
    }

    /** Whether the engine ignores everything that is sent until the next Sync. */
    public boolean isIgnored() {
        return ignored;
    }

    /** The engine, which has failed and would ignore the Query that the client has sent, ends what that was to end. */
    void endQuery() {
        ByteBuf out = bound().buffer(8);
        FrontendMessages.sync(out);
        bound().write(out);
        expect(Kind.SYNC, Note.CLIENTS);
    }

    /** @param ignoring whether the engine has failed and no Sync has been sent behind */
    void ignores(boolean ignoring) {
        ignored = ignoring;
    }

    /** The client has been told of an error for which no engine is there: nothing is executed before the next Sync. */
    public void ignoreUpToSync() {
        ignored = true;
    }

    /** The engine is gone that has failed. @return whether it would have ignored what comes before the next Sync */
    public boolean endIgnoring() {
        boolean was = ignored;
        ignored = false;
        return was;
    }

    /** Whether the engine has been sent extended query messages that no Sync has followed. */
    public boolean isUnsynced() {
        return unsynced;
    }

    /** Whether it reads COPY data. */
    public CopyIn copyIn() {
        return copyIn;
    }

    /** The engine is about to read COPY data. */
    void copyBegins() {
        unsynced = copyIn.begins(unsynced);
    }

    /** The engine has failed: if it reads COPY data, that ends. */
    void copyFails(String sqlState) {
        unsynced = copyIn.fails(sqlState, unsynced);
    }

    /**
     * The unit has been sent, all of it.
     *
     * @param sharing it is such that other sessions may send theirs behind it
     */
    public void sentAll(boolean sharing) {
        complete = true;
        this.sharing = sharing;
        offer();
    }

    /** Behind the unit that was sent last the client has a transaction block open. */
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

    /** Whether others have sent something behind what this session has sent, or before: it sends nothing more now. */
    public boolean isAmongOthers() {
        return complete && backend != null && !(backend.isAlone() && backend.isHeardBy(this));
    }

    /** Lets go of the connection, whatever the engine still answers. */
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

    /** The encoding that the client speaks, as engines call it. */
    public String clientEncoding() {
        return reported.getOrDefault("client_encoding", UTF8);
    }

    public boolean clientSpeaksUtf8() {
        return clientEncoding().equals(UTF8);
    }

    /**
     * @param own what is going to be sent is a transaction of its own, whatever block is open for the client
     * @param followed what is going to be sent others have asked too
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

    /** Measures how long what is going to be sent keeps a processor busy; nobody else uses the connection meanwhile. */
    public void time(List<Statement> unit) {
        timer.begin(bound(), unit);
    }

    private void dissolveCoalesced() {
        if (coalesced != null) {
            coalesced.dissolve();
            coalesced = null;
        }
    }

    /** What was sent makes the transaction fail, which what is sent behind it has to reckon with. */
    public void blockFails() {
        status = 'E';
    }

    /** What was sent may end that the transaction has failed; whether it has, {@link #status} tells when it is answered. */
    public void blockMayRecover() {
        recovering = true;
    }

    /** Whether {@link #status} may be out of date. */
    public boolean isRecovering() {
        return recovering;
    }

    /** What was sent was answered well, but no Sync has followed that would have the engine say so. */
    public void recovered(byte now) {
        recovering = false;
        status = now;
    }

    /** Lets go of the backend without giving it back. */
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

    /** From here on the unit's replies are held back until it is sure that it need not run elsewhere. */
    public void holdReplies() {
        held.hold();
    }

    /** Another unit follows before the first is answered: what is held back belongs to the client after all. */
    public void stopHolding() {
        held.giveUpHolding();
    }

    /** Announces a message that is sent; the bytes of a {@link Kind#LOCAL} are given to the client when its turn comes. */
    public void expect(Kind kind, Note note) {
        // While the engine reads COPY data it takes any other message as part of it, or ignores it.
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

    /** The client cancels what it has sent: nothing else must be hit. */
    public void cancel() {
        if (!bound().isHeardBy(this)) {
            owner.sharing().cancelUnheard();
        } else if (replies.isHeadInternal()) {
            cancelAfterwards = true;
        } else {
            bound().cancel();
        }
    }

    /** The unit that was sent has taken too long: it is cancelled, and the client gets this error. */
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
            // Words for this client.
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
            // Behind a Flush no ReadyForQuery tells that all has been answered; and to COPY the client has to answer.
            owner.resume(Wait.REPLIES);
        }
    }

    /** Multimed itself answers, in its place among the engine's replies. */
    public void answer(byte[] reply) {
        answer(reply, Subject.Own.NOTHING);
    }

    /** @param ignored to do if the engine has failed before, so that the message must come to nothing */
    public void answer(byte[] reply, Runnable ignored) {
        expect(Kind.LOCAL, new Note(false, new Subject.Own(reply, ignored, false)));
    }

    /** Likewise, what the engine would have answered, so that whoever follows what is asked is told it too. */
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

    /** The client has been answered, and others wait for the same; they come last, since they go on with what they have sent. */
    private void endCoalesced(CoalescedRead done, boolean failed) {
        if (failed || !replies.isEmpty()) {
            // Or more has been sent behind it, which is not theirs.
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
                // Before a Sync no status tells it.
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

    /** Replies that the engine owes and will not send are given otherwise, or to nobody. */
    public void dropUnanswered() {
        replies.clear();
        held.end();
    }

    /**
     * The units that the engine has left unanswered have failed.
     *
     * @param blockFailed the client's transaction block had failed before
     * @return whether the one that is open behind that has
     */
    public boolean failUnanswered(ErrorFields error, boolean blockFailed) {
        if (!held.isDiscarding()) {
            // It stands before the error.
            held.giveUpHolding();
        }
        held.end();
        return unanswered.fail(error, replyHandler.takeFailed(), blockFailed);
    }

    @Override
    public boolean wantsMore() {
        // Others must not have to wait for a client that does not read: what is kept for them is bounded.
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

    /** The client is gone. */
    public void clientGone() {
        held.clientGone();
        replies.clear();
    }

    /** The engine has refused it, which is the first that it does not execute. */
    void refused(Note note) {
        if (note.subject() instanceof Subject.Preparing preparing) {
            owner.prepareFailed(preparing);
        } else {
            ignored(note);
        }
    }

    /** The engine ignores it, after an error. */
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
