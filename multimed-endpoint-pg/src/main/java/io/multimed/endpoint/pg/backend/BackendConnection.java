package io.multimed.endpoint.pg.backend;

import io.multimed.core.node.ComputationalNode;
import io.multimed.model.Role;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.FrontendMessages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One connection to an engine, with the state of its engine session: settings and prepared statements.
 *
 * <p>While a session holds the connection, replies go to that session. While the connection opens or is idle, it handles replies
 * itself.
 */
public final class BackendConnection {
    private static final int NOBODY = 0;

    private final NodeBackends owner;
    private final Channel channel;
    private final PreparedOnBackend prepared;
    private final Followers followers;
    private final CancelRequests cancels;
    private final ProcessorUse processor;
    private final UnconfirmedCommits unconfirmed;
    private final OwnStatements own = new OwnStatements(this);
    private final Opening opening = new Opening();
    private PoolKey key;
    private Settings settings = Settings.NONE;
    private @Nullable BackendUser user;
    private boolean open;
    private boolean closed;
    private int lastClient;
    /** Whether the engine session may remember sequences ({@code currval}) used by clients other than the present one. */
    private boolean sequencesOfOthers;
    /** Whether code executed in the engine may have set parameters that the engine does not list. */
    private boolean setByCode;
    /** Whether to close the connection when it is released. */
    private boolean spoilt;
    /** Whether {@link #setByCode} was set for another client than the present one. */
    private boolean setForOthers;

    /** Time at which the present user got the connection. */
    private long heldNanos;
    /** Time of the last traffic in either direction. */
    private long movedNanos;
    /** Whether a whole message has been read in the present round of the event loop. */
    private boolean heard;

    long idleSinceNanos;
    /** Whether the node's pool counts this connection as in use but at rest. */
    boolean parked;
    /** Whether the node's list of offered connections contains this one. */
    boolean listed;

    BackendConnection(NodeBackends owner, PoolKey key, Channel channel, int maxPrepared) {
        this.owner = owner;
        this.key = key;
        this.channel = channel;
        this.prepared = new PreparedOnBackend(maxPrepared);
        this.followers = new Followers(this, owner);
        this.cancels = new CancelRequests(this, owner.connector());
        this.processor = new ProcessorUse(owner.loop().processes());
        this.unconfirmed = new UnconfirmedCommits(
                owner.loop().doubts(), owner.connector(), owner.loop()::nanoTime, this::listenAgain);
    }

    public PoolKey key() {
        return key;
    }

    public ComputationalNode node() {
        return owner.node();
    }

    /** Returns the process number of the engine's backend, as a direct client of the engine would see it. */
    public int processId() {
        return opening.processId();
    }

    byte[] secret() {
        return opening.secret();
    }

    /** Returns the parameters that the engine reported when the connection opened. */
    public Map<String, String> parameters() {
        return opening.parameters();
    }

    /** Returns the settings in which this engine session differs from its start. */
    public Settings settings() {
        return settings;
    }

    public void settings(Settings now) {
        settings = now;
    }

    /** Whether the engine session is within a transaction block, according to its replies so far. */
    public boolean isInBlock() {
        return own.status() != 'I';
    }

    /** Whether the engine session, with its present settings, receives and sends UTF-8. */
    public boolean speaksUtf8() {
        String name = "client_encoding";
        String set = settings.values().get(name);
        return !settings.equals(Settings.UNKNOWN)
                && "UTF8".equals(set != null ? set : opening.parameters().getOrDefault(name, "UTF8"));
    }

    public PreparedOnBackend prepared() {
        return prepared;
    }

    boolean isOpen() {
        return open && !closed;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Returns a buffer for messages, from the channel's allocator. */
    public ByteBuf buffer(int capacity) {
        return channel.alloc().ioBuffer(capacity);
    }

    /** Queues bytes for the engine and takes over the reference. They are sent at the end of the loop's round. */
    public void write(ByteBuf bytes) {
        followers.withdrawOffer();
        if (!own.holdBack(bytes)) {
            send(bytes);
        }
    }

    /**
     * Queues a Query message of Multimed's own, outside a transaction block. If a timeout of the engine session ends the query, it
     * is sent again. Bytes written later reach the engine only after the query has been executed.
     *
     * @param owed number of ReadyForQuery messages still to come for everything written before
     */
    public void insist(String sql, int owed) {
        followers.withdrawOffer();
        own.add(sql, owed);
    }

    /** Queues bytes like {@link #write}, but does not wait for Multimed's own statements. */
    void send(ByteBuf bytes) {
        if (parked) {
            movesAgain();
        }
        if (!cancels.holdBack(bytes)) {
            channel.write(bytes, channel.voidPromise());
            owner.loop().flushLater(channel);
        }
    }

    /**
     * Protects everything written from now on, which is Multimed's own or relies on it, from a cancel request that is under way.
     */
    public void sparedFromCancel() {
        cancels.spare();
    }

    /** Sends the bytes that were held back until the engine had acted upon the cancel request. */
    void writeHeldBack(Queue<ByteBuf> heldBack) {
        followers.withdrawOffer();
        heldBack.forEach(this::send);
        writabilityChanged();
    }

    /** Whether the engine accepts more bytes now. If not, the action given to {@link #onWritable} runs when it does again. */
    public boolean isWritable() {
        return !cancels.isFull() && !own.isFull() && channel.isWritable();
    }

    /** Action of the session that waits until the engine accepts more bytes. */
    private @Nullable Runnable whenWritable;

    public void onWritable(Runnable action) {
        whenWritable = action;
    }

    /** Resumes reading after {@link BackendUser#wantsMore} returned false. */
    public void resumeReading() {
        if (parked) {
            movesAgain();
        }
        if (unconfirmed.isListening()) {
            channel.config().setAutoRead(true);
        }
    }

    /**
     * Whether there has been no traffic for a while.
     *
     * @param idleNanos time after which the connection counts as at rest if the engine has answered everything
     * @param silentNanos time after which it counts as at rest if the engine owes an answer
     */
    boolean isAtRest(long nowNanos, long idleNanos, long silentNanos) {
        BackendUser who = user;
        if (who == null || !open || key.yielding() || !followers.isEmpty()) {
            return false;
        }
        return nowNanos - movedNanos > (who.awaitsEngine() ? silentNanos : idleNanos);
    }

    private void movesAgain() {
        movedNanos = owner.loop().nanoTime();
        owner.moves(this);
    }

    /** Returns the time at which the present user got the connection. */
    public long heldNanos() {
        return heldNanos;
    }

    /** Returns the time of the last traffic, or of the assignment to the present user if that is later. */
    public long movedNanos() {
        return movedNanos;
    }

    void assign(BackendUser newUser) {
        user = newUser;
        heldNanos = owner.loop().nanoTime();
        movedNanos = heldNanos;
        if (key.yielding()) {
            processor.yieldToOthers(processId());
        }
    }

    /** Called at intervals: moves the connection to the kind that yields if one unit has used much CPU. */
    void yieldIfBusy(long enoughNanos) {
        if (user != null && !key.yielding() && processor.isBusyFor(processId(), enoughNanos)) {
            become(key.yieldingOnes());
            processor.yieldToOthers(processId());
        }
    }

    /** Changes the connection's kind. */
    void become(PoolKey other) {
        owner.becomesAnother(this, other);
        key = other;
    }

    /** Records that parameters of these names may exist in the engine session from now on. */
    public void mayHold(Set<String> names) {
        if (!names.isEmpty() && names != key.names() && !key.names().containsAll(names)) {
            become(key.withMoreNames(names));
        }
    }

    /** Marks the connection for closing at release, because the state of its engine session is unknown and cannot be determined. */
    public void closeWhenReleased() {
        spoilt = true;
    }

    /** Returns the processor time used by the engine's process, in nanoseconds; negative if unknown. */
    public long processorNanos() {
        return owner.loop().processes().processorNanos(processId());
    }

    /** Whether the engine's process is running or waiting for a processor. */
    boolean isRunnable() {
        return owner.loop().processes().isRunnable(processId());
    }

    // --- several users

    /**
     * Lets other sessions send their units behind the user's. The user has sent all of a short read, and nothing that other
     * sessions would have to know about. It sends nothing more itself before it {@link #isAlone}.
     */
    public void offer() {
        if (!cancels.isUnderWay() && !cancels.holdsBack() && !closed) {
            followers.offer();
        }
    }

    /** Withdraws the offer, because the user sends something else, or waits until it can. */
    public void withdrawOffer() {
        followers.withdrawOffer();
    }

    /** Returns the sessions that have sent a unit behind the user's. */
    Followers followers() {
        return followers;
    }

    boolean isShareable() {
        return !closed && !cancels.isUnderWay();
    }

    @Nullable
    BackendUser user() {
        return user;
    }

    /** Whether the engine owes no answer to anyone but the user. If it owes one, the user must send nothing more. */
    public boolean isAlone() {
        return followers.isEmpty();
    }

    /** Whether this user receives the engine's present answers. */
    public boolean isHeardBy(BackendUser who) {
        return user == who;
    }

    /**
     * Removes one of several users from the connection.
     *
     * @param owed number of ReadyForQuery messages that the engine still owes this user; they are discarded
     */
    public void leave(BackendUser who, int owed) {
        if (owed > 0) {
            // The discarded replies do not tell whether the unnamed statement could be prepared.
            prepared.unnamed(null);
        }
        if (user == who) {
            if (owed == 0) {
                release();
            } else {
                owner.left(user);
                user = new DiscardReplies(this, owed);
                heardAgain();
            }
        } else {
            followers.leave(who, owed);
        }
    }

    private void heardAgain() {
        whenWritable = null;
        cancels.ended();
        followers.userChanged();
        if (user instanceof DiscardReplies) {
            owner.loop().watchFollowers();
        }
        if (!channel.config().isAutoRead() && user != null && user.wantsMore()) {
            channel.config().setAutoRead(true);
        }
    }

    /** Sets the client that uses the connection from now on. */
    public void serve(int clientProcessId) {
        if (lastClient != clientProcessId) {
            setForOthers |= setByCode;
            setByCode = false;
            sequencesOfOthers |= lastClient != NOBODY;
        }
        lastClient = clientProcessId;
    }

    /** Whether the engine session may remember sequences used by other clients. */
    public boolean hasSequencesOfOthers() {
        return sequencesOfOthers;
    }

    /** Records that all remembered sequences belong to the present client, or are treated as if they did. */
    public void sequencesAreOwn() {
        sequencesOfOthers = false;
    }

    /** Whether parameters missing in {@link #settings} may be set, if the connection were to serve this client. */
    public boolean mayBeSetForOthersThan(int clientProcessId) {
        return setForOthers || setByCode && lastClient != clientProcessId;
    }

    /** Records that the present client has executed code that Multimed has not analyzed. */
    public void codeHasRun() {
        setByCode = true;
    }

    /**
     * Returns whether parameters missing in {@link #settings} may be set for another client than the present one, and resets the
     * answer to false.
     */
    public boolean takeSetForOthers() {
        boolean answer = setForOthers;
        setForOthers = false;
        return answer;
    }

    int lastClient() {
        return lastClient;
    }

    /** Directs replies to another user from now on. Only the present user may call this. */
    public void reassign(BackendUser newUser) {
        owner.left(user);
        user = newUser;
    }

    /**
     * Returns the connection to the pool, or passes it to the next session that has sent a unit behind. The engine session must be
     * between transactions and owe its user no reply.
     */
    public void release() {
        owner.left(user);
        if (parked) {
            owner.moves(this);
        }
        user = followers.next();
        heardAgain();
        if (user != null) {
            owner.advanced(this);
            return;
        }
        followers.withdrawOffer();
        if (!cancels.release()) {
            return;
        }
        if (spoilt || cancels.isOverdue()) {
            discard();
            return;
        }
        if (!channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
        if (settings.endSessions()) {
            Settling settling = new Settling(this);
            user = settling;
            settling.start();
            return;
        }
        owner.released(this);
    }

    /** Takes the connection out of the pool's count, because its session keeps it for good. */
    public void keepPrivate() {
        owner.madePrivate(this);
    }

    /** Counts the connection among the shared ones again, because its session no longer needs to keep it. */
    public void keepShared() {
        owner.madeShared(this);
    }

    /** Closes the engine session; the engine rolls back an open transaction. Only allowed while the connection {@link #isAlone}. */
    public void discard() {
        owner.left(user);
        user = null;
        followers.withdrawOffer();
        whenWritable = null;
        own.end();
        if (!closed) {
            ByteBuf goodbye = buffer(8);
            FrontendMessages.terminate(goodbye);
            channel.writeAndFlush(goodbye);
            channel.close();
        }
    }

    /** Drops the connection at once, for instance because its node is known to be dead. The user is notified as of a crash. */
    void abort() {
        channel.close();
    }

    /** Closes the connection if the engine has not completed the start-up. */
    void abortUnlessOpen() {
        if (!open && !closed) {
            channel.close();
        }
    }

    /** Whether the beginning of a message has been passed on and its end is still to come. */
    public boolean isAmidMessage() {
        BackendDecoder decoder = channel.pipeline().get(BackendDecoder.class);
        return decoder != null && decoder.isAmidMessage();
    }

    /** Cancels the present execution, whose answer will be discarded. A commit may then end its wait for the relay early. */
    public void terminate() {
        if (isToMaster()) {
            unconfirmed.lost();
        }
        cancel();
    }

    /** Asks the engine to cancel the present execution. */
    public void cancel() {
        followers.displaceAll();
        cancels.request();
    }

    // --- called by the decoder

    /**
     * Whether the next message, which is of this type, may be handled now. If not, the received bytes are kept until
     * {@link #listenAgain}.
     */
    boolean listensTo(byte type) {
        if (type == Backend.READY_FOR_QUERY && cancels.takeUnaccounted() && isToMaster()) {
            // A client may have disabled the warning (client_min_messages) that a commit's wait for the relay was
            // cancelled.
            stopListening();
        }
        return unconfirmed.isListening();
    }

    private void stopListening() {
        unconfirmed.begin();
        channel.config().setAutoRead(false);
    }

    private void listenAgain() {
        if (!closed) {
            channel.config().setAutoRead(true);
            channel.pipeline().fireChannelRead(Unpooled.EMPTY_BUFFER).fireChannelReadComplete();
        }
    }

    private boolean isToMaster() {
        return node().role() == Role.MASTER;
    }

    boolean message(byte type, ByteBuf in, int index, int length) {
        // This comes before the user can ask for the next statement to be cancelled, of which the engine has said
        // nothing yet.
        heard = true;
        cancels.heard();
        if (type == Backend.NOTICE_RESPONSE && isToMaster() && UnconfirmedCommits.isToldBy(in, index, length)) {
            stopListening();
        } else if (type == Backend.ERROR_RESPONSE) {
            cancels.failed();
        }
        if (own.hears(type, in, index)) {
            return false;
        }
        if (user != null) {
            return user.onMessage(type, in, index, length);
        }
        if (!open) {
            if (!opening.message(type, in, index, length)) {
                channel.close();
            }
        } else if (!isAsynchronous(type)) {
            // Between transactions an engine sends only asynchronous messages or a final error. Any other answer means
            // that an answer went to the wrong user.
            channel.close();
        }
        return false;
    }

    /** See the section "Asynchronous Operations" of PostgreSQL's manual. */
    private static boolean isAsynchronous(byte type) {
        return type == Backend.NOTICE_RESPONSE
                || type == Backend.PARAMETER_STATUS
                || type == Backend.NOTIFICATION_RESPONSE;
    }

    void bytes(ByteBuf in, int from, int to) {
        if (from < to && user != null) {
            user.onBytes(in, from, to);
        }
    }

    boolean wholeMessagesWanted() {
        return user != null && user.wantsWholeMessages();
    }

    boolean boundaryWanted() {
        return user != null && user.wantsBoundary();
    }

    void boundary() {
        if (user != null) {
            user.onBoundary();
        }
    }

    void ready(byte status) {
        processor.unitEnded();
        cancels.ended();
        if (own.repeats(status)) {
            return;
        }
        boolean failed = own.hasFailed();
        if (!failed) {
            own.goOn();
        }
        if (user != null) {
            user.onReady(status);
        } else if (!open && !closed) {
            open = true;
            owner.opened(this);
        } else if (!closed) {
            // This answer belongs to no user, so the owner of the next answer would be unclear too.
            channel.close();
        }
        if (failed) {
            own.goOn();
        }
    }

    void readComplete() {
        if (!heard) {
            // Part of a long message has arrived.
            cancels.heard();
        }
        heard = false;
        movedNanos = owner.loop().nanoTime();
        if (parked) {
            owner.moves(this);
        }
        if (user != null && !user.wantsMore()) {
            owner.loop().flush();
            // The flush may have ended the user's use of the connection.
            if (user != null && !user.wantsMore()) {
                channel.config().setAutoRead(false);
            }
        }
    }

    void writabilityChanged() {
        Runnable action = whenWritable;
        if (action != null && isWritable()) {
            whenWritable = null;
            action.run();
        }
    }

    void closed() {
        if (closed) {
            return;
        }
        closed = true;
        cancels.endHolding();
        own.end();
        BackendUser last = user;
        if (open && last != null && isToMaster()) {
            unconfirmed.lost();
        }
        owner.left(user);
        user = null;
        followers.withdrawOffer();
        owner.closed(this, open, opening.error());
        for (; last != null; last = followers.next()) {
            last.onClosed();
        }
    }

    /** Sends the start-up packet. */
    void start() {
        ByteBuf out = buffer(256);
        Opening.write(out, key);
        channel.writeAndFlush(out);
    }
}
