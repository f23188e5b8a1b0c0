package io.multimed.endpoint.pg.session;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendWaiter;
import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.session.Replies.Kind;
import io.multimed.endpoint.pg.session.Replies.Note;
import io.multimed.model.Role;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
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

    /** A statement being prepared; taken back if the engine refuses it. */
    record Preparing(PreparedStatement statement, @Nullable String clientName) {}

    /** A statement is lent for the client's next unit: if the engine refuses it, that is what the unit comes to. */
    record Lent() {}

    /** What Multimed itself answers; what to do if the message is ignored after an error. */
    private record Own(byte[] reply, Runnable ignored) {}

    private final Session session;
    private final ClientLink client;
    private final Map<String, String> reported = new LinkedHashMap<>();
    private final Replies replies = new Replies();
    private final HeldReplies held;
    private @Nullable BackendConnection backend;
    private byte status = 'I';
    private boolean copyIn;
    private boolean failed;
    /** The engine ignores what it is sent until the next Sync. */
    private boolean ignored;

    /** Extended query messages were sent that no Sync has followed. */
    private boolean unsynced;

    /** The client wants to cancel what it has sent, which comes behind something of Multimed's own. */
    private boolean cancelAfterwards;

    /** Why a statement could not be lent, as the engine said it. */
    private byte @Nullable [] notLent;

    private @Nullable ErrorFields internalError;
    /** What the query that has just ended asked for. */
    private @Nullable Residue residue;

    private @Nullable Farewell farewell;
    /** What was sent since the connection is bound ends where a unit ends. */
    private boolean complete;
    /** Others may send theirs behind it, once it is sure that the engine session is as they are told. */
    private boolean sharing;
    /** Others could, and none of those who did had to leave. */
    private boolean shared;
    /** Stands for the engine's message handled last; written when all before it is. */
    private @Nullable ByteBuf ownReply;

    Exchange(Session session, ClientLink client) {
        this.session = session;
        this.client = client;
        held = new HeldReplies(client);
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
        return replies.areForResidue();
    }

    /** The unit cannot run here: what the engine still answers is not for the client. */
    void discardReplies() {
        held.discard();
    }

    /** Whether the engine ignores everything that is sent until the next Sync. */
    boolean isIgnored() {
        return ignored;
    }

    /** Whether the engine has been sent extended query messages that no Sync has followed. */
    boolean isUnsynced() {
        return unsynced;
    }

    boolean copyIn() {
        return copyIn;
    }

    void copyEnded() {
        copyIn = false;
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
        if (sharing && replies.all(Exchange::concernsNobodyElse)) {
            sharing = false;
            shared = true;
            bound().offer();
        }
    }

    /** Whatever comes of it, the engine session holds the same named statements as before, and has the same settings. */
    private static boolean concernsNobodyElse(Note note) {
        Object subject = note.subject();
        return subject == null && !note.internal()
                || subject instanceof Renamed
                || subject instanceof Preparing preparing
                        && preparing.statement().engineName().isEmpty();
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

    void bind(BackendConnection connection) {
        backend = connection;
        complete = false;
        shared = false;
        status = 'I';
        copyIn = false;
        ignored = false;
        farewell = null;
        internalError = null;
        notLent = null;
        cancelAfterwards = false;
        unsynced = false;
    }

    /** What was sent makes the transaction fail, which what is sent behind it has to reckon with. */
    void blockFails() {
        status = 'E';
    }

    /** Lets go of the backend without giving it back. */
    BackendConnection unbind() {
        BackendConnection connection = bound();
        backend = null;
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
            undo(note);
        } else if (!copyIn) {
            ignored = false;
            unsynced = kind != Kind.SYNC && kind != Kind.QUERY && kind != Kind.FUNCTION_CALL;
            replies.add(kind, note);
            if (replies.size() == 1 && kind == Kind.LOCAL) {
                onBoundary();
            }
        }
    }

    /** The client cancels what it has sent: nothing else must be hit. */
    void cancel() {
        if (!bound().isHeardBy(this)) {
            session.cancelUnheard();
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
        return session.mayFollow(connection);
    }

    @Override
    public void displaced() {
        held.end();
        session.displaced(unbind());
    }

    @Override
    public void heldOthersUp() {
        shared = false;
        session.heldOthersUp();
    }

    // --- BackendUser

    @Override
    public boolean onMessage(byte type, ByteBuf in, int index, int length) {
        return switch (type) {
            case Backend.DATA_ROW -> dataRow(in, index);
            case Backend.READY_FOR_QUERY -> {
                Note note = replies.isEmpty() ? Note.CLIENTS : replies.remove();
                residue = note.subject() instanceof Residue answer ? answer : null;
                if (!note.internal()) {
                    held.decided();
                    notLent = null;
                }
                yield !note.internal()
                        && !held.isDiscarding()
                        && !(onMaster() && replies.isEmpty() && in.getByte(index + 5) == 'I' && session.holdsReady());
            }
            case Backend.COMMAND_COMPLETE, Backend.EMPTY_QUERY_RESPONSE, Backend.PORTAL_SUSPENDED -> {
                copyIn = false;
                if (type == Backend.COMMAND_COMPLETE
                        && replies.headNote().subject() instanceof Deallocations deallocations) {
                    deallocations.completed(in, index);
                }
                if (replies.headKind() == Kind.EXECUTE) {
                    replies.remove();
                    held.decided();
                    yield true;
                }
                yield visible();
            }
            case Backend.BIND_COMPLETE -> remove(Kind.BIND);
            case Backend.PARSE_COMPLETE -> remove(Kind.PARSE);
            case Backend.CLOSE_COMPLETE -> remove(Kind.CLOSE);
            case Backend.ROW_DESCRIPTION, Backend.NO_DATA -> {
                if (replies.headKind() == Kind.DESCRIBE) {
                    replies.remove();
                    yield true;
                }
                yield !replies.headNote().internal();
            }
            case Backend.ERROR_RESPONSE -> error(in, index);
            case Backend.PARAMETER_STATUS -> parameterStatus(in, index, length);
            case Backend.COPY_IN_RESPONSE, Backend.COPY_BOTH_RESPONSE -> {
                copyIn = true;
                if (replies.headKind() == Kind.EXECUTE) {
                    replies.dropSyncsBehindHead();
                }
                yield visible();
            }
            case Backend.NOTICE_RESPONSE -> !replies.headNote().internal();
            case Backend.NOTIFICATION_RESPONSE -> {
                int channelEnd = in.indexOf(index + 9, index + length, (byte) 0);
                if (session.hearsShared(in.toString(index + 9, channelEnd - index - 9, StandardCharsets.UTF_8))) {
                    yield false;
                }
                ownReply = client.buffer(length).writeBytes(in, index, length);
                ownReply.setInt(5, session.clientProcessId(in.getInt(index + 5)));
                yield false;
            }
            default -> visible();
        };
    }

    private boolean dataRow(ByteBuf in, int index) {
        if (replies.headNote().internal()) {
            if (replies.headNote().subject() instanceof Residue answer) {
                answer.row(in, index);
            }
            return false;
        }
        held.decided();
        return true;
    }

    /** A part of the answer that the client gets, if it is the client's. */
    private boolean visible() {
        if (replies.headNote().internal()) {
            return false;
        }
        held.decided();
        return true;
    }

    private boolean remove(Kind kind) {
        return replies.headKind() != kind || !replies.remove().internal();
    }

    private boolean error(ByteBuf in, int index) {
        copyIn = false;
        failed = true;
        Note note = replies.headNote();
        Kind kind = replies.headKind();
        ErrorFields error = ErrorFields.decode(in, index);
        if (error.isFatal()) {
            if (replies.allInternal() && !onMaster()) {
                // A Satellite goes down between two units: whether the client has to know is seen when it has gone.
                farewell = new Farewell(error, false);
                return false;
            }
            farewell = new Farewell(error, true);
        }
        if (kind == Kind.QUERY && note.internal()) {
            internalError = note == Note.INTERNAL_FAILURE ? null : error;
            return false;
        }
        if (note.subject() instanceof Lent) {
            notLent = ByteBufUtil.getBytes(in, index, 1 + in.getInt(index + 1));
            replies.skipToSync(this::undo);
            return false;
        }
        if (held.isUndecided() && SqlState.retryableOnMaster(error.sqlState())) {
            held.discard();
        }
        if (kind != Kind.QUERY && kind != Kind.FUNCTION_CALL) {
            ignored = !replies.skipToSync(this::undo);
        }
        if (held.isDiscarding()) {
            return false;
        }
        held.decided();
        if (note.subject() instanceof Replacement replacement) {
            ByteBuf own = client.buffer(256);
            BackendMessages.error(own, replacement.error());
            ownReply = own;
            return false;
        }
        byte[] reason = notLent;
        if (reason != null && followsFromMissing(error)) {
            notLent = null;
            ownReply = client.buffer(reason.length).writeBytes(reason);
            return false;
        }
        if (note.subject() instanceof Renamed renamed
                && error.sqlState().equals(SqlState.INVALID_SQL_STATEMENT_NAME)
                && backend != null) {
            // Deallocated by code: it is prepared again for whoever needs it next.
            backend.prepared().removed(renamed.statement());
        }
        if (note.subject() instanceof Renamed renamed && error.message().contains(renamed.engineName())) {
            ByteBuf own = client.buffer(256);
            ErrorFields.copyRenaming(in, index, renamed.engineName(), renamed.clientName(), own);
            ownReply = own;
            return false;
        }
        return true;
    }

    /** Whether the engine says so of SQL that names what was not lent: there is none, or that failed the transaction. */
    private static boolean followsFromMissing(ErrorFields error) {
        return error.sqlState().equals(SqlState.INVALID_SQL_STATEMENT_NAME)
                || error.sqlState().equals(SqlState.IN_FAILED_TRANSACTION);
    }

    private void undo(Note note) {
        if (note.subject() instanceof Preparing preparing) {
            session.prepareFailed(preparing);
        } else if (note.subject() instanceof PreparedOnBackend.Held evicted && backend != null) {
            backend.prepared().added(evicted.statement(), evicted.name(), evicted.bytes());
        } else if (note.subject() instanceof Own own) {
            own.ignored().run();
        }
    }

    private boolean parameterStatus(ByteBuf in, int index, int length) {
        int nameEnd = in.indexOf(index + 5, index + length, (byte) 0);
        String name = in.toString(index + 5, nameEnd - index - 5, StandardCharsets.UTF_8);
        String value = in.toString(nameEnd + 1, index + length - nameEnd - 2, StandardCharsets.UTF_8);
        String told = session.reportedTo(name, value);
        if (told.equals(reported.put(name, told))) {
            return false;
        }
        if (told.equals(value)) {
            return true;
        }
        ownReply = client.buffer(64);
        BackendMessages.parameterStatus(ownReply, name, told);
        return false;
    }

    @Override
    public void onBytes(ByteBuf in, int from, int to) {
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
        return ownReply != null
                || replies.headKind() == Kind.LOCAL
                || (replies.isEmpty() || copyIn) && session.awaitsReplies();
    }

    @Override
    public void onBoundary() {
        ByteBuf own = ownReply;
        if (own != null) {
            ownReply = null;
            held.pass(own);
        }
        while (replies.headKind() == Kind.LOCAL) {
            if (replies.remove().subject() instanceof Own answer) {
                held.pass(client.buffer(answer.reply().length).writeBytes(answer.reply()));
            }
        }
        if ((replies.isEmpty() || copyIn) && session.awaitsReplies()) {
            // Behind a Flush no ReadyForQuery tells that all has been answered; and to COPY the client has to answer.
            session.resume(Wait.REPLIES);
        }
    }

    /** Multimed itself answers, in its place among the engine's replies. */
    void answer(byte[] reply) {
        answer(reply, () -> {});
    }

    /** @param ignored to do if the engine has failed before, so that the message must come to nothing */
    void answer(byte[] reply, Runnable ignored) {
        expect(Kind.LOCAL, new Note(false, new Own(reply, ignored)));
    }

    @Override
    public void onReady(byte newStatus) {
        status = newStatus;
        if (cancelAfterwards && !replies.isHeadInternal()) {
            cancelNow();
        }
        boolean unitFailed = failed;
        failed = false;
        ErrorFields internal = internalError;
        internalError = null;
        Residue answer = residue;
        if (held.isDiscarding() && replies.isEmpty()) {
            held.end();
            session.runElsewhere();
            return;
        }
        if (answer != null) {
            residue = null;
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
            session.heldNobodyUp();
        }
        session.unitEnded();
    }

    @Override
    public void onClosed() {
        boolean unseen = held.isUnseen();
        boolean interrupted = !replies.allInternal();
        replies.clear();
        held.end();
        boolean blockFailed = status == 'E';
        BackendConnection lost = bound();
        backend = null;
        status = 'I';
        session.backendLost(lost, unseen, interrupted, blockFailed, farewell);
    }

    @Override
    public boolean wantsMore() {
        return client.isWritable();
    }

    /** The client is gone. */
    void clientGone() {
        held.drop();
        replies.clear();
        ByteBuf error = ownReply;
        if (error != null) {
            ownReply = null;
            error.release();
        }
    }
}
