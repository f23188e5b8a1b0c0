package io.multimed.endpoint.pg.session;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendWaiter;
import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.session.Replies.Kind;
import io.multimed.endpoint.pg.session.Replies.Note;
import io.multimed.model.Role;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
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
final class Exchange implements BackendWaiter {
    /** The engine's answer to this entry is an error of its own; the client is to see this one. */
    record Replacement(ErrorFields error) {}

    /** The client's name of a prepared statement that the engine knows by another. */
    record Renamed(PreparedStatement statement, String clientName) {
        String engineName() {
            return statement.engineName();
        }
    }

    /**
     * A statement being prepared; taken back if the engine refuses it.
     *
     * @param before the client's unnamed statement that it replaces, which is there still if the engine ignores it
     * @param heldBefore likewise what the engine holds as its unnamed statement, which may be another
     */
    record Preparing(
            PreparedStatement statement,
            @Nullable String clientName,
            @Nullable PreparedStatement before,
            @Nullable Object heldBefore) {}

    /** A statement is closed, or lent amid messages; what to do if the engine ignores that after an error, or refuses it. */
    record Closing(Runnable ignored) {}

    /** A statement is lent for the client's next unit: if the engine refuses it, that is what the unit comes to. */
    record Lent() {}

    /** What Multimed itself answers; what to do if the message is ignored after an error. */
    private record Own(byte[] reply, Runnable ignored) {}

    private static final String UTF8 = "UTF8";
    private static final int READY_BYTES = 6;
    private static final Runnable NOTHING = () -> {};

    private final Session session;
    private final ClientLink client;
    private final Map<String, String> reported = new LinkedHashMap<>();
    private final Replies replies = new Replies();
    private final CopyIn copyIn = new CopyIn(replies);
    private final HeldReplies held;
    private final Hearing hearing;
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

    Exchange(Session session, ClientLink client, ReadCosts costs) {
        this.session = session;
        this.client = client;
        held = new HeldReplies(client);
        timer = new UnitTimer(costs);
        hearing = new Hearing(session, client, this, replies, held);
    }

    @Nullable
    BackendConnection backend() {
        return backend;
    }

    BackendConnection bound() {
        if (backend == null) {
            throw new IllegalStateException("no backend bound");
        }
        return backend;
    }

    boolean isBound() {
        return backend != null;
    }

    boolean onMaster() {
        return backend != null && backend.node().role() == Role.MASTER;
    }

    /** Whether the engine knows nothing of the client's block, and what runs there is a transaction of its own. */
    boolean isOwnTransaction() {
        return ownTransaction;
    }

    /** The engine's transaction status as last reported: I, T or E. */
    byte status() {
        return status;
    }

    boolean isDrained() {
        return replies.isEmpty();
    }

    /** Whether the client has asked for none of the replies that are outstanding. */
    boolean onlyInternal() {
        return replies.allInternal();
    }

    /** Whether the engine has been asked what the last transaction left behind. */
    boolean isAskedForResidue() {
        return replies.isOutstanding(askingForResidue);
    }

    /** Whether what is outstanding decides which prepared statements the client has: it lets go of some, unless it is ignored. */
    boolean decidesNames() {
        return replies.isOutstanding(decidingNames);
    }

    /** Whether what is outstanding lets go of prepared statements by SQL, if it is executed. */
    boolean isDeallocating() {
        return replies.isOutstanding(deallocating);
    }

    /** The unit cannot run here: what the engine still answers is not for the client. */
    void discardReplies() {
        held.discard();
    }

    /** Whether the engine ignores everything that is sent until the next Sync. */
    boolean isIgnored() {
        return ignored;
    }

    /** @param ignoring whether the engine has failed and no Sync has been sent behind */
    void ignores(boolean ignoring) {
        ignored = ignoring;
    }

    /** The engine is gone that has failed. @return whether it would have ignored what comes before the next Sync */
    boolean endIgnoring() {
        boolean was = ignored;
        ignored = false;
        return was;
    }

    /** Whether the engine has been sent extended query messages that no Sync has followed. */
    boolean isUnsynced() {
        return unsynced;
    }

    /** Whether it reads COPY data. */
    CopyIn copyIn() {
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
    void sentAll(boolean sharing) {
        complete = true;
        this.sharing = sharing;
        offer();
    }

    private void offer() {
        if (sharing && !replies.any(Exchange::concernsOthers)) {
            sharing = false;
            shared = true;
            bound().offer();
        }
    }

    /** It may be that the engine session does not hold the same named statements as before, or has other settings. */
    private static boolean concernsOthers(Note note) {
        return switch (note.subject()) {
            case null -> note.internal();
            case Own ignored -> false;
            case Renamed ignored -> false;
            case Preparing preparing -> !preparing.statement().engineName().isEmpty();
            default -> true;
        };
    }

    /** Whether others have sent something behind what this session has sent, or before: it sends nothing more now. */
    boolean isAmongOthers() {
        return complete && backend != null && !(backend.isAlone() && backend.isHeardBy(this));
    }

    /** Lets go of the connection, whatever the engine still answers. */
    void leave() {
        int owed = replies.readies();
        held.end();
        BackendConnection connection = unbind();
        connection.node().transactionEnded();
        connection.leave(this, owed);
    }

    /** Values of the reported parameters as the client knows them. */
    Map<String, String> reported() {
        return reported;
    }

    /** The encoding that the client speaks, as engines call it. */
    String clientEncoding() {
        return reported.getOrDefault("client_encoding", UTF8);
    }

    boolean clientSpeaksUtf8() {
        return clientEncoding().equals(UTF8);
    }

    /**
     * @param own what is going to be sent is a transaction of its own, whatever block is open for the client
     * @param followed what is going to be sent others have asked too
     */
    void bind(BackendConnection connection, boolean own, @Nullable CoalescedRead followed) {
        backend = connection;
        ownTransaction = own;
        coalesced = followed;
        complete = false;
        shared = false;
        status = 'I';
        recovering = false;
        copyIn.ended();
        ignored = false;
        hearing.begin();
        cancelAfterwards = false;
        unsynced = false;
        timer.abandon();
    }

    /** Measures how long what is going to be sent keeps a processor busy; nobody else uses the connection meanwhile. */
    void time(List<Statement> unit) {
        timer.begin(bound(), unit);
    }

    private void dissolveCoalesced() {
        if (coalesced != null) {
            coalesced.dissolve();
            coalesced = null;
        }
    }

    /** What was sent makes the transaction fail, which what is sent behind it has to reckon with. */
    void blockFails() {
        status = 'E';
    }

    /** What was sent may end that the transaction has failed; whether it has, {@link #status} tells when it is answered. */
    void blockMayRecover() {
        recovering = true;
    }

    /** Whether {@link #status} may be out of date. */
    boolean isRecovering() {
        return recovering;
    }

    /** What was sent was answered well, but no Sync has followed that would have the engine say so. */
    void recovered(byte now) {
        recovering = false;
        status = now;
    }

    /** Lets go of the backend without giving it back. */
    BackendConnection unbind() {
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
    void holdReplies() {
        held.hold();
    }

    /** Another unit follows before the first is answered: what is held back belongs to the client after all. */
    void stopHolding() {
        held.giveUpHolding();
    }

    /** Announces a message that is sent; the bytes of a {@link Kind#LOCAL} are given to the client when its turn comes. */
    void expect(Kind kind, Note note) {
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
            switch (note.subject()) {
                case Deallocations d -> {
                    deallocating = number;
                    decidingNames = number;
                }
                case Own own when own.ignored() != NOTHING -> decidingNames = number;
                case Closing c -> decidingNames = number;
                case Residue r -> askingForResidue = number;
                case null, default -> {}
            }
            if (replies.size() == 1 && kind == Kind.LOCAL) {
                onBoundary();
            }
        }
    }

    /** The client cancels what it has sent: nothing else must be hit. */
    void cancel() {
        if (!bound().isHeardBy(this)) {
            session.sharing().cancelUnheard();
        } else if (replies.isHeadInternal()) {
            cancelAfterwards = true;
        } else {
            bound().cancel();
        }
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
        return session.processId();
    }

    @Override
    public void acquired(BackendConnection connection) {
        session.acquired(connection);
    }

    @Override
    public void notAcquired(@Nullable ErrorFields error) {
        session.notAcquired(error);
    }

    @Override
    public boolean mayFollow(BackendConnection connection) {
        return session.sharing().mayFollow(connection);
    }

    @Override
    public void displaced() {
        held.end();
        session.sharing().displaced(unbind());
    }

    @Override
    public void heldOthersUp() {
        shared = false;
        session.sharing().heldOthersUp();
    }

    // --- BackendUser

    @Override
    public boolean onMessage(byte type, ByteBuf in, int index, int length) {
        return hearing.onMessage(type, in, index, length);
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
            session.satelliteAnswers(node);
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
                || (replies.isEmpty() || copyIn.isReading()) && session.awaitsReplies();
    }

    @Override
    public void onBoundary() {
        if (held.hasSubstitute()) {
            // Words for this client.
            dissolveCoalesced();
        }
        held.passSubstitute();
        while (replies.headKind() == Kind.LOCAL) {
            if (replies.remove().subject() instanceof Own answer) {
                held.pass(client.buffer(answer.reply().length).writeBytes(answer.reply()));
            }
        }
        if ((replies.isEmpty() || copyIn.isReading()) && session.awaitsReplies()) {
            // Behind a Flush no ReadyForQuery tells that all has been answered; and to COPY the client has to answer.
            session.resume(Wait.REPLIES);
        }
    }

    /** Multimed itself answers, in its place among the engine's replies. */
    void answer(byte[] reply) {
        answer(reply, NOTHING);
    }

    /** @param ignored to do if the engine has failed before, so that the message must come to nothing */
    void answer(byte[] reply, Runnable ignored) {
        expect(Kind.LOCAL, new Note(false, new Own(reply, ignored)));
    }

    @Override
    public void onReady(byte newStatus) {
        status = newStatus;
        recovering = recovering && !replies.isEmpty();
        if (cancelAfterwards && !replies.isHeadInternal()) {
            cancelNow();
        }
        boolean unitFailed = hearing.takeFailed();
        ErrorFields internal = hearing.takeInternalError();
        Residue answer = hearing.takeResidue();
        if (held.isDiscarding() && replies.isEmpty()) {
            held.end();
            session.runElsewhere();
            return;
        }
        if (answer != null) {
            session.residueKnown(unitFailed ? null : answer);
            return;
        }
        if (internal != null) {
            session.preparationFailed(internal);
            return;
        }
        if (sharing && !replies.isEmpty()) {
            offer();
        }
        if (shared && replies.isEmpty()) {
            shared = false;
            session.sharing().heldNobodyUp();
        }
        if (unitFailed) {
            timer.abandon();
        } else if (complete && replies.isEmpty()) {
            timer.end(bound());
        }
        boolean answered = hearing.takeClientsReady();
        if (answered && coalesced != null) {
            endCoalesced(coalesced, unitFailed);
        } else {
            endUnit(answered, unitFailed);
        }
    }

    private void endUnit(boolean answered, boolean failed) {
        if (!ownTransaction) {
            session.unitEnded();
            return;
        }
        if (answered) {
            ByteBuf ready = client.buffer(8);
            BackendMessages.readyForQuery(ready, session.statusBehindOwn(failed));
            held.pass(ready);
        }
        session.ownTransactionEnded(answered, failed);
    }

    /** The client has been answered, and others wait for the same; they come last, since they go on with what they have sent. */
    private void endCoalesced(CoalescedRead done, boolean failed) {
        if (failed || !replies.isEmpty()) {
            // Or more has been sent behind it, which is not theirs.
            dissolveCoalesced();
            endUnit(true, failed);
            return;
        }
        ComputationalNode node = bound().node();
        int behind = ownTransaction ? 0 : READY_BYTES;
        coalesced = null;
        try {
            endUnit(true, false);
        } finally {
            done.complete(node, behind);
        }
    }

    @Override
    public void onClosed() {
        boolean unseen = held.isUnseen();
        boolean interrupted = !replies.allInternal();
        replies.clear();
        held.end();
        // Before a Sync no status tells it.
        boolean blockFailed = status == 'E' || ignored;
        BackendConnection lost = bound();
        timer.abandon();
        backend = null;
        ownTransaction = false;
        dissolveCoalesced();
        status = 'I';
        session.backendLost(lost, unseen, interrupted, blockFailed, hearing.farewell());
    }

    @Override
    public boolean wantsMore() {
        // Others must not have to wait for a client that does not read: what is kept for them is bounded.
        return client.isWritable() || coalesced != null && coalesced.isFollowed();
    }

    @Override
    public long expectedNanos() {
        return session.sharing().expectedNanos();
    }

    /** The client is gone. */
    void clientGone() {
        held.clientGone();
        replies.clear();
    }

    /** The engine has refused it, which is the first that it does not execute. */
    void refused(Note note) {
        if (note.subject() instanceof Preparing preparing) {
            session.prepareFailed(preparing);
        } else {
            ignored(note);
        }
    }

    /** The engine ignores it, after an error. */
    void ignored(Note note) {
        switch (note.subject()) {
            case Preparing preparing -> session.prepareIgnored(preparing);
            case PreparedOnBackend.Held evicted
            when backend != null -> backend.prepared().added(evicted.statement(), evicted.name(), evicted.bytes());
            case Own own -> own.ignored().run();
            case Closing closing -> closing.ignored().run();
            case null, default -> {}
        }
    }
}
