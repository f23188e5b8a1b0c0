package io.multimed.endpoint.pg.backend;

import io.multimed.core.node.ComputationalNode;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.StartupPacket;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One connection to an engine, and what its session there holds: settings and prepared statements.
 *
 * <p>While a session holds it, replies go to that session; while it opens or lies idle, it handles them itself.
 */
public final class BackendConnection {
    private static final long MOST_HELD_BACK = 64 * 1024;
    /** How long after a cancel request an engine that says nothing is asked again; doubled each time. */
    private static final long INSIST_MILLIS = 100;

    private static final int MOST_INSISTED = 5;

    private final NodeBackends owner;
    private final PoolKey key;
    private final Channel channel;
    private final PreparedOnBackend prepared;
    private final Followers followers = new Followers();
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private int processId;
    private byte[] secret = {};
    private Settings settings = Settings.NONE;
    private @Nullable BackendUser user;
    private @Nullable ErrorFields openError;
    private boolean open;
    private boolean closed;
    private boolean cancelling;
    /** What runs now is to be cancelled once more, when the request under way has been acted upon. */
    private boolean cancelAgain;

    /**
     * Counts what the engine has said, and what Multimed itself has sent, so that a request can tell whether there was
     * any of it since.
     */
    private long heardOrTold;

    /** What is sent only when the cancel request under way has been acted upon; null when nothing is held back. */
    private @Nullable Queue<ByteBuf> heldBack;

    private long heldBackBytes;

    private boolean releasedWhileCancelling;
    /** What was sent last is complete, and short as far as anybody knows: others may send theirs behind it. */
    private boolean offered;
    /** How often it was seen that somebody waits behind the present user. */
    private int timesSeenWaiting;

    private int lastClient;
    long idleSinceNanos;
    /** Whether its node's list of those offered has it. */
    boolean listed;

    BackendConnection(NodeBackends owner, PoolKey key, Channel channel, int maxPrepared) {
        this.owner = owner;
        this.key = key;
        this.channel = channel;
        this.prepared = new PreparedOnBackend(maxPrepared);
    }

    public PoolKey key() {
        return key;
    }

    public ComputationalNode node() {
        return owner.node();
    }

    /** The engine's process, as its own clients would see it. */
    public int processId() {
        return processId;
    }

    /** What the engine reported when the connection opened. */
    public Map<String, String> parameters() {
        return parameters;
    }

    /** What differs in this engine session from how it began. */
    public Settings settings() {
        return settings;
    }

    public void settings(Settings now) {
        settings = now;
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
        offered = false;
        if (heldBack != null) {
            heldBackBytes += bytes.readableBytes();
            heldBack.add(bytes);
            return;
        }
        channel.write(bytes, channel.voidPromise());
        owner.loop().flushLater(channel);
    }

    /** What is written from now on is Multimed's own, or relies on it: no cancel request that is under way may hit it. */
    public void sparedFromCancel() {
        heardOrTold++;
        if (cancelling && heldBack == null) {
            heldBack = new ArrayDeque<>();
        }
    }

    private void sendHeldBack() {
        Queue<ByteBuf> now = heldBack;
        if (now == null) {
            return;
        }
        heldBack = null;
        heldBackBytes = 0;
        if (closed) {
            now.forEach(ByteBuf::release);
            return;
        }
        now.forEach(this::write);
        writabilityChanged();
        owner.loop().flushAll();
    }

    /** Whether the engine takes what is sent; when not, {@link #onWritable} says when it does again. */
    public boolean isWritable() {
        return heldBackBytes < MOST_HELD_BACK && channel.isWritable();
    }

    /** Set by the session that waits for the engine to take more. */
    private @Nullable Runnable whenWritable;

    public void onWritable(Runnable action) {
        whenWritable = action;
    }

    /** Goes on reading after {@link BackendUser#wantsMore} said no. */
    public void resumeReading() {
        channel.config().setAutoRead(true);
    }

    void assign(BackendUser newUser) {
        user = newUser;
    }

    // --- several users

    /**
     * The user has sent all of a short read, and nothing that another session would have to know of: others may send
     * theirs behind it. It sends nothing more itself before it {@link #isAlone}.
     */
    public void offer() {
        if (!cancelling && heldBack == null && !closed) {
            offered = true;
            owner.offered(this);
        }
    }

    /** The user goes on with something else, or waits until it can. */
    public void withdrawOffer() {
        offered = false;
    }

    /** Whether somebody may send a unit behind those that are under way. */
    boolean takesFollowers() {
        return isOffered() && followers.size() < owner.mostFollowers() && isWritable();
    }

    boolean isOffered() {
        return offered && !closed && !cancelling;
    }

    /** How many have sent something behind its user. */
    int followers() {
        return followers.size();
    }

    /** Somebody sends one unit behind all others, now. */
    void follow(BackendWaiter follower) {
        offered = false;
        if (followers.isEmpty()) {
            timesSeenWaiting = 0;
        }
        followers.add(follower);
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
                user = new Unheard(this, owed);
                heardAgain();
            }
        } else if (owed == 0) {
            followers.removeLast(who);
        } else {
            followers.replace(who, new Unheard(this, owed));
        }
    }

    /**
     * Called at intervals: whoever has waited long behind its user leaves, and what nobody hears is not executed for long.
     *
     * @return whether to call again
     */
    boolean displaceWhoHasWaited() {
        boolean unheard = user instanceof Unheard;
        if (followers.isEmpty() && !unheard) {
            return false;
        }
        timesSeenWaiting++;
        if (timesSeenWaiting <= 1) {
            return true;
        }
        List<BackendWaiter> left = dropFollowers();
        if (!left.isEmpty() && user instanceof BackendWaiter slow) {
            slow.heldOthersUp();
        }
        if (unheard) {
            cancel();
        }
        left.forEach(BackendWaiter::displaced);
        return false;
    }

    private List<BackendWaiter> dropFollowers() {
        offered = false;
        List<BackendWaiter> left = followers.leave(this);
        if (!left.isEmpty()) {
            prepared.unnamed(null);
            owner.displaced(left.size());
        }
        return left;
    }

    private void heardAgain() {
        whenWritable = null;
        cancelAgain = false;
        timesSeenWaiting = 0;
        if (user instanceof Unheard) {
            owner.loop().watchFollowers();
        }
        if (!channel.config().isAutoRead() && user != null && user.wantsMore()) {
            channel.config().setAutoRead(true);
        }
    }

    /**
     * Says who uses it from now on.
     *
     * @return whether nobody else has used it since the same client did
     */
    public boolean serve(int clientProcessId) {
        boolean same = lastClient == clientProcessId;
        lastClient = clientProcessId;
        return same;
    }

    int lastClient() {
        return lastClient;
    }

    /** Replies go to another user from now on; only its present user may say so. */
    public void reassign(BackendUser newUser) {
        user = newUser;
    }

    /**
     * Gives the connection back, or on to whoever has sent behind; the engine session must be between transactions with no
     * reply outstanding to its user.
     */
    public void release() {
        user = followers.next();
        heardAgain();
        if (user != null) {
            owner.advanced(this);
            return;
        }
        offered = false;
        if (cancelling) {
            // A late cancel must not hit the next transaction on this connection.
            releasedWhileCancelling = true;
            return;
        }
        if (!channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
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
        user = null;
        offered = false;
        whenWritable = null;
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

    /**
     * Asks the engine to cancel what this connection executes now. Each request takes a connection and a process of the
     * engine, so there is one under way at most, however often a client asks.
     *
     * <p>An engine process ignores a request that comes before it has read the statement. A client of its own would be
     * seen to wait and ask again; whoever asks through Multimed may have sent the statement long before the engine was.
     */
    public void cancel() {
        // It might hit them.
        dropFollowers().forEach(BackendWaiter::displaced);
        if (cancelling) {
            cancelAgain = true;
            return;
        }
        cancel(heardOrTold, 0);
    }

    private void cancel(long before, int insisted) {
        cancelling = true;
        owner.connector().cancel(processId, secret, () -> cancelled(before, insisted));
    }

    private void cancelled(long before, int insisted) {
        cancelling = false;
        if (cancelAgain && !releasedWhileCancelling && !closed) {
            cancelAgain = false;
            cancel();
            return;
        }
        sendHeldBack();
        if (releasedWhileCancelling) {
            releasedWhileCancelling = false;
            release();
        } else if (insisted < MOST_INSISTED) {
            owner.connector().after(INSIST_MILLIS << insisted, () -> {
                if (heardOrTold == before && !cancelling && !closed) {
                    cancel(before, insisted + 1);
                }
            });
        }
    }

    // --- called by the decoder

    boolean message(byte type, ByteBuf in, int index, int length) {
        if (user != null) {
            return user.onMessage(type, in, index, length);
        }
        if (!open) {
            opening(type, in, index, length);
        } else if (type == Backend.ERROR_RESPONSE) {
            // Between transactions an engine speaks only to say goodbye.
            channel.close();
        }
        return false;
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
        // What a client wanted cancelled has ended.
        cancelAgain = false;
        if (user != null) {
            user.onReady(status);
        } else if (!open && !closed) {
            open = true;
            owner.opened(this);
        }
    }

    void readComplete() {
        heardOrTold++;
        owner.loop().flushAll();
        if (user != null && !user.wantsMore()) {
            channel.config().setAutoRead(false);
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
        sendHeldBack();
        BackendUser last = user;
        user = null;
        offered = false;
        owner.closed(this, open, openError);
        for (; last != null; last = followers.next()) {
            last.onClosed();
        }
        owner.loop().flushAll();
    }

    private void opening(byte type, ByteBuf in, int index, int length) {
        switch (type) {
            case Backend.AUTHENTICATION -> {
                if (in.getInt(index + 5) != 0) {
                    openError = ErrorFields.fatal(
                            "28000", "the engine asks Multimed for a password, which its private socket should not");
                    channel.close();
                }
            }
            case Backend.PARAMETER_STATUS -> {
                int nameEnd = in.indexOf(index + 5, index + length, (byte) 0);
                String name = in.toString(index + 5, nameEnd - index - 5, StandardCharsets.UTF_8);
                String value = in.toString(nameEnd + 1, index + length - nameEnd - 2, StandardCharsets.UTF_8);
                parameters.put(name, value);
            }
            case Backend.BACKEND_KEY_DATA -> {
                processId = in.getInt(index + 5);
                secret = new byte[length - 9];
                in.getBytes(index + 9, secret);
            }
            case Backend.ERROR_RESPONSE -> openError = ErrorFields.decode(in, index);
            default -> {}
        }
    }

    /** Sends the start-up packet. */
    void start() {
        Map<String, String> startup = new LinkedHashMap<>();
        startup.put("user", key.user());
        startup.put("database", key.database());
        startup.putAll(key.startup());
        ByteBuf out = buffer(256);
        FrontendMessages.startup(out, StartupPacket.VERSION_3_0, startup);
        channel.writeAndFlush(out);
    }
}
