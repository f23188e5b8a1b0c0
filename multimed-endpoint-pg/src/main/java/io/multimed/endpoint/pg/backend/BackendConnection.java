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
 * One connection to an engine, and what its session there holds: settings and prepared statements.
 *
 * <p>While a session holds it, replies go to that session; while it opens or lies idle, it handles them itself.
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
    /** The engine may remember sequences that other clients have used than the one that it serves. */
    private boolean sequencesOfOthers;
    /** Code in the engine may have set parameters that the engine does not list. */
    private boolean setByCode;
    /** It is closed when it is given back. */
    private boolean spoilt;
    /** That was for another client. */
    private boolean setForOthers;

    /** When somebody was given it. */
    private long heldNanos;
    /** When something has passed last. */
    private long movedNanos;
    /** A whole message has been read in the present round. */
    private boolean heard;

    long idleSinceNanos;
    /** Whether its node counts it among those in use over which nothing passes. */
    boolean parked;
    /** Whether its node's list of those offered has it. */
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

    /** The engine's process, as its own clients would see it. */
    public int processId() {
        return opening.processId();
    }

    byte[] secret() {
        return opening.secret();
    }

    /** What the engine reported when the connection opened. */
    public Map<String, String> parameters() {
        return opening.parameters();
    }

    /** What differs in this engine session from how it began. */
    public Settings settings() {
        return settings;
    }

    public void settings(Settings now) {
        settings = now;
    }

    /** Whether the engine session is within a transaction block, by what it has answered so far. */
    public boolean isInBlock() {
        return own.status() != 'I';
    }

    /** Whether the engine session, with these settings, takes UTF-8 and answers in it. */
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

    /** A buffer to write messages into, from the channel's allocator. */
    public ByteBuf buffer(int capacity) {
        return channel.alloc().ioBuffer(capacity);
    }

    /** Queues bytes for the engine; takes over the reference. Sent at the end of the loop's round. */
    public void write(ByteBuf bytes) {
        followers.withdrawOffer();
        if (!own.holdBack(bytes)) {
            send(bytes);
        }
    }

    /**
     * Queues a Query of Multimed's own, outside a transaction block, which no timeout of the engine session ends: it is sent again if one
     * does. What is written behind it reaches the engine when it has been executed.
     *
     * @param owed how many ReadyForQuery are to come for what has been written before
     */
    public void insist(String sql, int owed) {
        followers.withdrawOffer();
        own.add(sql, owed);
    }

    /** The same, whatever has to be executed before. */
    void send(ByteBuf bytes) {
        if (parked) {
            movesAgain();
        }
        if (!cancels.holdBack(bytes)) {
            channel.write(bytes, channel.voidPromise());
            owner.loop().flushLater(channel);
        }
    }

    /** What is written from now on is Multimed's own, or relies on it: no cancel request that is under way may hit it. */
    public void sparedFromCancel() {
        cancels.spare();
    }

    /** The cancel request has been acted upon. */
    void writeHeldBack(Queue<ByteBuf> heldBack) {
        followers.withdrawOffer();
        heldBack.forEach(this::send);
        writabilityChanged();
    }

    /** Whether the engine takes what is sent; when not, {@link #onWritable} says when it does again. */
    public boolean isWritable() {
        return !cancels.isFull() && !own.isFull() && channel.isWritable();
    }

    /** Set by the session that waits for the engine to take more. */
    private @Nullable Runnable whenWritable;

    public void onWritable(Runnable action) {
        whenWritable = action;
    }

    /** Goes on reading after {@link BackendUser#wantsMore} said no. */
    public void resumeReading() {
        if (parked) {
            movesAgain();
        }
        if (unconfirmed.isListening()) {
            channel.config().setAutoRead(true);
        }
    }

    /**
     * Whether nothing has passed for a while.
     *
     * @param idleNanos after which it rests if the engine has answered all that it was sent
     * @param silentNanos after which it rests if the engine owes an answer
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

    /** When somebody was given it. */
    public long heldNanos() {
        return heldNanos;
    }

    /** When something has passed last, or the connection was given to somebody. */
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

    /** Called at intervals: whoever keeps a processor busy for long with one unit yields from then on. */
    void yieldIfBusy(long enoughNanos) {
        if (user != null && !key.yielding() && processor.isBusyFor(processId(), enoughNanos)) {
            become(key.yieldingOnes());
            processor.yieldToOthers(processId());
        }
    }

    /** The connection is going to be of another kind. */
    void become(PoolKey other) {
        owner.becomesAnother(this, other);
        key = other;
    }

    /** Parameters of these names may exist in the engine session from now on. */
    public void mayHold(Set<String> names) {
        if (!names.isEmpty() && names != key.names() && !key.names().containsAll(names)) {
            become(key.withMoreNames(names));
        }
    }

    /** The state of the engine session is unknown and cannot be found out: the connection serves no other client. */
    public void closeWhenReleased() {
        spoilt = true;
    }

    /** Processor time that the engine's process has used, in nanoseconds; negative if that is not known. */
    public long processorNanos() {
        return owner.loop().processes().processorNanos(processId());
    }

    /** Whether the engine's process is not asleep. */
    boolean isRunnable() {
        return owner.loop().processes().isRunnable(processId());
    }

    // --- several users

    /**
     * The user has sent all of a short read, and nothing that another session would have to know of: others may send
     * theirs behind it. It sends nothing more itself before it {@link #isAlone}.
     */
    public void offer() {
        if (!cancels.isUnderWay() && !cancels.holdsBack() && !closed) {
            followers.offer();
        }
    }

    /** The user goes on with something else, or waits until it can. */
    public void withdrawOffer() {
        followers.withdrawOffer();
    }

    /** Those who have sent something behind its user. */
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

    /** Whether nobody but its user has sent anything that is not answered: whoever shares it must send nothing more. */
    public boolean isAlone() {
        return followers.isEmpty();
    }

    /** Whether what the engine answers now is for this user. */
    public boolean isHeardBy(BackendUser who) {
        return user == who;
    }

    /**
     * One of several users lets go of the connection.
     *
     * @param owed how many ReadyForQuery the engine owes it, which nobody hears
     */
    public void leave(BackendUser who, int owed) {
        if (owed > 0) {
            // Nobody hears whether its statement could be prepared.
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

    /** Says who uses it from now on. */
    public void serve(int clientProcessId) {
        if (lastClient != clientProcessId) {
            setForOthers |= setByCode;
            setByCode = false;
            sequencesOfOthers |= lastClient != NOBODY;
        }
        lastClient = clientProcessId;
    }

    /** Whether the engine may remember sequences that others have used. */
    public boolean hasSequencesOfOthers() {
        return sequencesOfOthers;
    }

    /** Those that it remembers are of the client that it serves, or are taken for that. */
    public void sequencesAreOwn() {
        sequencesOfOthers = false;
    }

    /** Whether parameters may be set of which {@link #settings} does not tell, if it came to serve this client. */
    public boolean mayBeSetForOthersThan(int clientProcessId) {
        return setForOthers || setByCode && lastClient != clientProcessId;
    }

    /** The client that it serves has had code executed that nobody here has read. */
    public void codeHasRun() {
        setByCode = true;
    }

    /** Whether parameters may be set of which {@link #settings} does not tell, for another client than it serves; asked once. */
    public boolean takeSetForOthers() {
        boolean answer = setForOthers;
        setForOthers = false;
        return answer;
    }

    int lastClient() {
        return lastClient;
    }

    /** Replies go to another user from now on; only its present user may say so. */
    public void reassign(BackendUser newUser) {
        owner.left(user);
        user = newUser;
    }

    /**
     * Gives the connection back, or on to whoever has sent behind; the engine session must be between transactions with no
     * reply outstanding to its user.
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

    /** Takes the connection out of the pool's count: its session keeps it for good. */
    public void keepPrivate() {
        owner.madePrivate(this);
    }

    /** Its session no longer needs to keep it: it counts among the shared ones again. */
    public void keepShared() {
        owner.madeShared(this);
    }

    /** Closes the engine session; whatever transaction it had is rolled back by the engine. Only while it {@link #isAlone}. */
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

    /** Drops the connection at once, as when its node is known to be dead: the user hears of it like of a crash. */
    void abort() {
        channel.close();
    }

    /** Gives up on an engine that does not answer the start. */
    void abortUnlessOpen() {
        if (!open && !closed) {
            channel.close();
        }
    }

    /** Whether the end of a message is still to come whose beginning has been passed on. */
    public boolean isAmidMessage() {
        BackendDecoder decoder = channel.pipeline().get(BackendDecoder.class);
        return decoder != null && decoder.isAmidMessage();
    }

    /** Has the engine end what it executes, whose answer nobody will hear: a commit may wait for the relay no longer. */
    public void terminate() {
        if (isToMaster()) {
            unconfirmed.lost();
        }
        cancel();
    }

    /** Asks the engine to cancel what this connection executes now. */
    public void cancel() {
        followers.displaceAll();
        cancels.request();
    }

    // --- called by the decoder

    /**
     * Whether the next message, which is of this type, is listened to. If not, what has arrived is kept, and {@link #listenAgain} has it
     * looked at once more.
     */
    boolean listensTo(byte type) {
        if (type == Backend.READY_FOR_QUERY && cancels.takeUnaccounted() && isToMaster()) {
            // Of a commit that was told to wait no longer a client may have asked not to be warned.
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
        // Before its user can ask for the statement behind it to be cancelled: of that the engine has said nothing.
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
            // Between transactions an engine says goodbye at most: any other answer is one that somebody has not got.
            channel.close();
        }
        return false;
    }

    /** Manual, section "Asynchronous Operations". */
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
            // An answer that nobody waits for: whose is the next one?
            channel.close();
        }
        if (failed) {
            own.goOn();
        }
    }

    void readComplete() {
        if (!heard) {
            // Of a long message.
            cancels.heard();
        }
        heard = false;
        movedNanos = owner.loop().nanoTime();
        if (parked) {
            owner.moves(this);
        }
        if (user != null && !user.wantsMore()) {
            owner.loop().flush();
            // Which may have ended its use.
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
