package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendWaiter;
import io.multimed.endpoint.pg.session.loop.ConnectionTurn;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.reads.CoalescedRead;
import io.multimed.endpoint.pg.session.reads.UnitTimer;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.FrontendMessages;
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
 *
 * <p>It has more fields and lines than other classes, since it is the one place that knows the connection, and each message sent
 * and each reply passes through it.
 */
public final class Exchange {
    private static final String UTF8 = "UTF8";

    private final Map<String, String> reported = new LinkedHashMap<>();
    private final SentMessages sent;
    private final Replies replies;
    private final OutstandingEffects effects;
    private final HeldReplies held;
    private final ReplyStream stream;
    private final ConnectionOffer offer;
    private final Unanswered unanswered;
    private @Nullable BackendConnection backend;
    private final @Nullable ConnectionTurn turn;
    private final SchemaWatch schema;
    private byte status = 'I';
    /** Whether the transaction had failed and a message was sent since that may end the failed state. */
    private boolean recovering;
    /** Whether the engine does not know of the client's transaction block. */
    private boolean ownTransaction;

    /** @param turn the session's right to hold a connection, given back with each; null if it needs none */
    public Exchange(
            LoopContext loop,
            ExchangeOwner owner,
            ClientLink client,
            int processId,
            @Nullable ConnectionTurn turn,
            SchemaWatch schema) {
        this.turn = turn;
        this.schema = schema;
        sent = new SentMessages(new NotExecuted(owner, this::backend));
        replies = sent.replies();
        effects = sent.effects();
        held = new HeldReplies(client);
        ReplyHandler handler = new ReplyHandler(owner, client, loop.processIds(), this, sent, held);
        offer = new ConnectionOffer(replies, loop.readCosts(), owner);
        stream = new ReplyStream(
                owner, client, processId, this, sent, held, handler, offer, schema, new UnitTimer(loop.readCosts()));
        unanswered = new Unanswered(client, sent);
    }

    /** The receiver of the engine's replies, by which pools and connections know the session. */
    public BackendWaiter receiver() {
        return stream;
    }

    /** Whether the session's engine connection delivers its replies to this session now. */
    public boolean isHeard() {
        return backend != null && backend.isHeardBy(stream);
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

    /** Whether the session holds no connection and no message of the client's is outstanding or ignored. */
    public boolean isIdle() {
        return backend == null && isDrained() && status == 'I' && !isIgnored() && !isUnsynced() && !recovering;
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

    /** Number of ReadyForQuery messages that the engine owes. */
    public int owed() {
        return replies.readies();
    }

    /** The effects of the messages whose replies are outstanding. */
    public OutstandingEffects effects() {
        return effects;
    }

    /**
     * Begins a plain read: its replies take a short way until another message is sent, or the engine sends anything but the usual
     * reply.
     */
    public void beginPlainRead() {
        schema.sent();
        held.hold();
        stream.beginPlainRead();
    }

    /** Records the Query message of a plain read that has begun. */
    public void expectReadByQuery() {
        sent.addRead();
    }

    /**
     * Records the extended query messages of a plain read that has begun, up to its Sync.
     *
     * @param parse for its Parse; null if it has none
     * @param describes whether it describes the portal
     */
    public void expectRead(@Nullable Note parse, Note bind, boolean describes) {
        sent.addRead(parse, bind, describes);
    }

    /** Discards the replies that are still outstanding, because the unit has to run elsewhere. */
    public void discardReplies() {
        held.discard();
    }

    /** Whether the engine ignores all messages until the next Sync. */
    public boolean isIgnored() {
        return sent.isIgnored();
    }

    /**
     * Sends a Sync in place of the client's Query, which the engine would ignore after an error, so that the unit ends as the Query
     * would have ended it.
     */
    void endQuery() {
        ByteBuf out = bound().buffer(8);
        FrontendMessages.sync(out);
        bound().write(out);
        expect(MessageKind.SYNC, Note.CLIENTS);
    }

    /** Ignores messages up to the next Sync, after the client was sent an error without an engine. */
    public void ignoreUpToSync() {
        sent.ignored(true);
    }

    /**
     * Ends ignoring, because the engine that has failed is gone.
     *
     * @return whether it would have ignored messages up to the next Sync
     */
    public boolean endIgnoring() {
        boolean was = sent.isIgnored();
        sent.ignored(false);
        return was;
    }

    /** Whether the engine has been sent extended query messages that no Sync has followed. */
    public boolean isUnsynced() {
        return sent.isUnsynced();
    }

    /** The state of COPY from the client. */
    public CopyIn copyIn() {
        return sent.copyIn();
    }

    /**
     * Notes that the whole unit has been sent.
     *
     * @param sharing whether other sessions may send their units behind it
     */
    public void sentAll(boolean sharing) {
        offer.sentAll(backend, sharing);
    }

    /** Notes that all of a plain read has been sent. */
    public void sentRead(boolean sharing) {
        if (sharing && backend != null && stream.isPlainRead()) {
            offer.sentRead(backend);
        } else {
            sentAll(sharing);
        }
    }

    /** Notes that the client has a transaction block open behind the unit sent last. */
    public void unitEndsInBlock() {
        sent.unitEndsInBlock();
    }

    /**
     * Whether other sessions have sent units before or behind the unit of this session. Then this session must send no more
     * messages.
     */
    public boolean isAmongOthers() {
        return backend != null && offer.isComplete() && !(backend.isAlone() && backend.isHeardBy(stream));
    }

    /**
     * Leaves the connection, even if the engine still owes replies. If the transaction may have left something in the engine session
     * that nobody knows of, no other session uses it any more.
     */
    public void leave() {
        if (schema.endsChanged()) {
            bound().keepFromOthers();
        }
        BackendConnection connection = bound();
        boolean answered = replies.isEmpty();
        int owed = answered ? 0 : replies.readies();
        held.end();
        lost();
        if (!answered) {
            replies.clear();
        }
        connection.node().transactionEnded();
        connection.leave(stream, owed);
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
        status = 'I';
        recovering = false;
        sent.begin();
        offer.begin();
        stream.begin(followed);
    }

    /** Measures how long the unit that is sent next uses a processor. No other session uses the connection meanwhile. */
    public void time(List<Statement> unit) {
        stream.time(unit);
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
        lost();
        replies.clear();
        return connection;
    }

    /** Notes that the session holds no connection any more. */
    void lost() {
        backend = null;
        if (turn != null) {
            turn.giveBack();
        }
        ownTransaction = false;
        stream.end();
        status = 'I';
    }

    /** Records the status that the engine has reported. */
    void ready(byte newStatus) {
        status = newStatus;
        recovering = recovering && !isDrained();
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
     * Records a message that is sent and so expects its reply. For a {@link MessageKind#LOCAL} entry, the client is sent the attached
     * bytes when its turn comes.
     */
    public void expect(MessageKind kind, Note note) {
        stream.endPlainRead();
        offer.sentMore();
        if (backend != null) {
            backend.withdrawOffer();
        }
        if (sent.add(kind, note) && kind == MessageKind.LOCAL && replies.size() == 1) {
            stream.onBoundary();
        }
    }

    /** Cancels the client's running unit without hitting any other statement. */
    public void cancel() {
        stream.cancel();
    }

    /** Cancels the running unit because it has taken too long. The client is sent this error. */
    public void timeOut(ErrorFields why) {
        stream.timeOut(why);
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
        expect(MessageKind.LOCAL, new Note(false, new Subject.Own(reply, ignored, false)));
    }

    /** Queues a reply that equals the engine's reply, so that sessions waiting for the same reply are sent it too. */
    public void answerForEngine(byte[] reply, Runnable ignored) {
        expect(MessageKind.LOCAL, new Note(false, new Subject.Own(reply, ignored, true)));
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
        return unanswered.fail(error, stream.takeFailed(), blockFailed);
    }

    /** Releases what is held for the client, because its connection is gone. */
    public void clientGone() {
        held.clientGone();
        replies.clear();
    }
}
