package io.multimed.endpoint.pg.backend;

import io.multimed.core.node.ComputationalNode;
import io.multimed.protocol.pg.FrontendMessages;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One connection to an engine, as its users see it: they write on it, let others follow, leave it or close it.
 *
 * <p>The engine's messages come by {@link EngineReplies}; what lasts from one user to the next is in the {@link EngineSession}.
 *
 * <p>It has more lines than other classes, since it is all that users of a connection may do with it; the work is done by the
 * parts.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // A write or close that fails closes the channel, which the decoder is told.
public final class BackendConnection {
    private enum State {
        OPENING,
        OPEN,
        CLOSED
    }

    final NodeBackends pool;
    final EngineSession session;
    final ConnectionUsers users;
    final EngineReplies replies;
    final PoolEntry pooled = new PoolEntry();
    private final Channel channel;
    private final OwnStatements own = new OwnStatements(this);
    /** The cancel requests whose effects may not be over; null if there are none. */
    @Nullable
    CancelRequests cancels;

    private PoolKey key;
    private State state = State.OPENING;
    /** Action of the session that waits until the engine accepts more bytes. */
    private @Nullable Runnable whenWritable;

    BackendConnection(NodeBackends pool, PoolKey key, Channel channel, int maxPrepared) {
        this.pool = pool;
        this.key = key;
        this.channel = channel;
        session = new EngineSession(maxPrepared);
        users = new ConnectionUsers(this, pool);
        replies = new EngineReplies(this, users, own, session.opening, channel);
    }

    public PoolKey key() {
        return key;
    }

    public ComputationalNode node() {
        return pool.node;
    }

    /** Returns the state of the engine session. */
    public EngineSession session() {
        return session;
    }

    /** Returns the settings in which this engine session differs from its start. */
    public BackendSettings settings() {
        return session.settings;
    }

    public void settings(BackendSettings now) {
        session.settings = now;
    }

    public PreparedOnBackend prepared() {
        return session.prepared;
    }

    /** The plans that the engine session keeps. */
    public KeptPlans plans() {
        return session.prepared.plans;
    }

    /** Returns the process number of the engine's backend, as a direct client of the engine would see it. */
    public int processId() {
        return session.opening.processId();
    }

    /** Whether the engine session is within a transaction block, according to its replies so far. */
    public boolean isInBlock() {
        return own.status() != 'I';
    }

    /** Whether the beginning of a message has been passed on and its end is still to come. */
    public boolean isAmidMessage() {
        BackendDecoder decoder = channel.pipeline().get(BackendDecoder.class);
        return decoder != null && decoder.isAmidMessage();
    }

    // --- opening and closing

    /** Sends the start-up packet. */
    void start() {
        ByteBuf out = buffer(256);
        Opening.write(out, key, !node().contents().isWhole());
        channel.writeAndFlush(out);
    }

    /** Handles the end of the start-up. */
    void opened() {
        state = State.OPEN;
        pool.opened(this);
    }

    /** Whether the engine has not completed the start-up yet. */
    boolean isOpening() {
        return state == State.OPENING;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    public boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Closes the engine session; the engine rolls back an open transaction. Only allowed while the connection {@link #isAlone}. */
    public void discard() {
        users.end();
        whenWritable = null;
        own.end();
        if (state != State.CLOSED) {
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

    /** Called by the decoder when the connection is closed. */
    void closed() {
        if (state == State.CLOSED) {
            return;
        }
        boolean wasOpen = state == State.OPEN;
        state = State.CLOSED;
        if (cancels != null) {
            cancels.endHolding();
        }
        own.end();
        BackendUser last = users.end();
        if (wasOpen && last != null) {
            replies.lost();
        }
        pool.closed(this, wasOpen, session.opening.error());
        for (; last != null; last = users.endFollower()) {
            last.onClosed();
        }
    }

    // --- writing

    /** Returns a buffer for messages, from the channel's allocator. */
    public ByteBuf buffer(int capacity) {
        return channel.alloc().ioBuffer(capacity);
    }

    /** Queues bytes for the engine and takes over the reference. They are sent at the end of the loop's round. */
    public void write(ByteBuf bytes) {
        users.offered = false;
        if (own.current == null || !own.holdBack(bytes)) {
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
        users.offered = false;
        own.add(sql, owed);
    }

    /** Queues bytes like {@link #write}, but does not wait for Multimed's own statements. */
    void send(ByteBuf bytes) {
        if (pooled.parked) {
            moves();
        }
        if (cancels == null || !cancels.holdBack(bytes)) {
            channel.write(bytes, channel.voidPromise());
            pool.loop.flushLater(channel);
        }
    }

    /** Whether the engine accepts more bytes now. If not, the action given to {@link #onWritable} runs when it does again. */
    public boolean isWritable() {
        return (cancels == null || !cancels.isFull()) && !own.isFull() && channel.isWritable();
    }

    public void onWritable(Runnable action) {
        whenWritable = action;
    }

    void writabilityChanged() {
        Runnable action = whenWritable;
        if (action != null && isWritable()) {
            whenWritable = null;
            action.run();
        }
    }

    /** Resumes reading after {@link BackendUser#wantsMore} returned false. */
    public void resumeReading() {
        if (pooled.parked) {
            moves();
        }
        if (replies.listening) {
            channel.config().setAutoRead(true);
        }
    }

    // --- cancel requests

    /** Asks the engine to cancel the present execution. */
    public void cancel() {
        users.displaceFollowers();
        if (cancels == null) {
            cancels = new CancelRequests(this, pool.opener.connector);
        }
        cancels.request();
    }

    /** Cancels the present execution, whose answer will be discarded. A commit may then end its wait for the relay early. */
    public void terminate() {
        replies.lost();
        cancel();
    }

    /**
     * Protects everything written from now on, which is Multimed's own or relies on it, from a cancel request that is under way.
     */
    public void sparedFromCancel() {
        if (cancels != null) {
            cancels.spare();
        }
    }

    // --- users

    /** Gives the connection, which nobody uses, to a session. */
    void assign(BackendUser user, long nowNanos, boolean forLongRead) {
        users.begin(user, forLongRead);
        if (key.yielding()) {
            users.yieldToOthers();
        }
        pooled.heldNanos = nowNanos;
        pooled.movedNanos = nowNanos;
    }

    /**
     * Lets other sessions send their units behind the user's. The user has sent all of a short read, and nothing that other
     * sessions would have to know about. It sends nothing more itself before it {@link #isAlone}.
     */
    public void offer() {
        if ((cancels == null || cancels.isIdle()) && state != State.CLOSED) {
            users.offer();
        }
    }

    /** Withdraws the offer, because the user sends something else, or waits until it can. */
    public void withdrawOffer() {
        users.offered = false;
    }

    /**
     * Lets no other session use the engine session any more, since its state is not known: sessions that have sent units behind the
     * user's run them elsewhere, and the connection is closed when the user leaves it.
     */
    public void keepFromOthers() {
        users.displaceFollowers();
        session.closeWhenReleased();
    }

    /** Whether the engine owes no answer to anyone but the user. If it owes one, the user must send nothing more. */
    public boolean isAlone() {
        return users.isAlone();
    }

    /** Whether this user receives the engine's present answers. */
    public boolean isHeardBy(BackendUser who) {
        return users.present == who;
    }

    /** Directs replies to another user from now on. Only the present user may call this. */
    public void reassign(BackendUser newUser) {
        users.replace(newUser);
    }

    /**
     * Removes one of several users from the connection.
     *
     * @param owed number of ReadyForQuery messages that the engine still owes this user; they are discarded
     */
    public void leave(BackendUser who, int owed) {
        if (owed > 0) {
            // The discarded replies do not tell whether the unnamed statement could be prepared.
            session.prepared.unnamed(null);
        }
        if (users.present != who) {
            users.leave(who, owed);
        } else if (owed == 0) {
            release();
        } else {
            users.discardReplies(owed);
            userChanged();
        }
    }

    private void userChanged() {
        whenWritable = null;
        if (cancels != null) {
            cancels.ended();
        }
        BackendUser user = users.present;
        if (user instanceof DiscardReplies) {
            pool.loop.watchFollowers();
        }
        if (user != null && user.wantsMore()) {
            read();
        }
    }

    private void read() {
        if (!channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    /**
     * Returns the connection to the pool, or passes it to the next session that has sent a unit behind. The engine session must be
     * between transactions and owe its user no reply.
     */
    public void release() {
        if (pooled.parked) {
            pool.connections.moves(this);
        }
        BackendUser next = users.next();
        userChanged();
        if (next != null) {
            pool.shared.advanced(this);
            return;
        }
        if (cancels != null) {
            if (!cancels.release()) {
                return;
            }
            if (cancels.isOverdue()) {
                discard();
                return;
            }
            cancels = null;
        }
        if (session.spoilt) {
            discard();
            return;
        }
        read();
        if (session.settings.endSessions()) {
            new Settling(this).start();
        } else {
            pool.reuse(this, true);
        }
    }

    /** Takes the connection out of the pool's count, because its session keeps it for good. */
    public void keepPrivate() {
        pool.madePrivate(this);
    }

    /** Counts the connection among the shared ones again, because its session no longer needs to keep it. */
    public void keepShared() {
        pool.madeShared(this);
    }

    /** Records traffic. */
    void moves() {
        pooled.movedNanos = pool.loop.nanoTime();
        if (pooled.parked) {
            pool.connections.moves(this);
        }
    }

    /** Changes the connection's kind. */
    void become(PoolKey other) {
        pool.becomesAnother(this, other);
        key = other;
    }

    /** Records that parameters of these names may exist in the engine session from now on. */
    public void mayHold(Set<String> names) {
        if (!names.isEmpty() && names != key.names() && !key.names().containsAll(names)) {
            become(key.withMoreNames(names));
        }
    }

    /** Returns the processor time used by the engine's process, in nanoseconds; negative if unknown. */
    public long processorNanos() {
        return pool.loop.processes().processorNanos(processId());
    }
}
