package io.multimed.endpoint.pg.session.requests;

import io.multimed.core.session.SessionFreshness;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.SharedListener;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * LISTEN, UNLISTEN and NOTIFY of a session: which statements change its {@link ListenedChannels}, and the place of its notifications
 * in the conversation.
 *
 * <p>LISTEN and UNLISTEN outside a transaction block need no backend. Within a block, or together with other statements, LISTEN is
 * executed on the session's backend, which the session then keeps, since only the engine knows whether such a transaction commits.
 *
 * <p>As in PostgreSQL, notifications come between transactions, and those of the session's own transaction come before the
 * ReadyForQuery that ends it. The relay has received every commit that causes a notification, so the floor of every later read
 * covers it.
 */
public final class Notifications implements SharedListener.Listener {
    /** Most bytes of notifications that a client may leave unread before its connection is ended. */
    private static final int MAX_PENDING_BYTES = 8 << 20;

    private final LoopContext loop;
    private final SessionControl owner;
    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Waiting waiting;
    private final SessionFreshness freshness;
    private final ListenedChannels channels;
    /** The notifications that the client may receive only between its transactions. */
    private final ArrayDeque<ByteBuf> pending = new ArrayDeque<>();

    private int pendingBytes;
    /** Whether statements of the present transaction may send notifications. */
    private boolean mayNotify;
    /** Whether the ReadyForQuery at the end of the client's transaction is held back. */
    private boolean holdsReady;

    public Notifications(
            LoopContext loop,
            PoolKey key,
            SessionControl owner,
            ClientLink client,
            Exchange exchange,
            TransactionBlock block,
            Waiting waiting,
            SessionFreshness freshness,
            Instructions instructions) {
        this.loop = loop;
        this.owner = owner;
        this.client = client;
        this.exchange = exchange;
        this.block = block;
        this.waiting = waiting;
        this.freshness = freshness;
        channels = new ListenedChannels(loop, key, owner, waiting, instructions, this);
    }

    /** Whether no LISTEN or UNLISTEN is under way and no backend listens for the session. */
    public boolean isIdle() {
        return channels.isIdle() && !holdsReady;
    }

    // --- LISTEN and UNLISTEN

    /** Whether a unit of these statements is answered without a backend, in a session that holds none of its own. */
    boolean takes(List<Statement> statements) {
        return !statements.isEmpty()
                && (statements.getFirst() instanceof Statement.Listen
                        || statements.getFirst() instanceof Statement.Unlisten)
                && ChannelChange.isOnly(statements)
                && !block.isOpen()
                && exchange.status() == 'I'
                && exchange.clientSpeaksUtf8();
    }

    /**
     * Applies the statements.
     *
     * @return false when the session has to wait for that
     */
    boolean done(List<Statement> statements) {
        return channels.apply(statements);
    }

    /** Cancels a LISTEN that waits, which then has no effect. The wait for the session's own notifications goes on. */
    public void cancel() {
        channels.cancel();
    }

    /** The error of the statements, once they are {@link #done}; null if they succeeded. Resets the answer. */
    @Nullable
    ErrorFields takeFailure() {
        return channels.takeFailure();
    }

    /** Stops listening to a channel, or to all channels if it is null. */
    void forget(@Nullable String channel) {
        channels.forget(channel);
    }

    /** Whether the channel's notifications arrive over the shared connection. */
    public boolean hears(String channel) {
        return channels.contains(channel);
    }

    /**
     * Returns an error for UNLISTEN in a unit for the engine, whose session does not know the channels; null if there is no
     * objection.
     */
    @Nullable
    ErrorFields refuse(List<Statement> statements) {
        if (channels.isEmpty()) {
            return null;
        }
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Unlisten && (statements.size() > 1 || block.isOpen())) {
                return ErrorFields.error(
                                SqlState.FEATURE_NOT_SUPPORTED,
                                "cannot UNLISTEN within a transaction block what was listened to outside of one")
                        .withHint("Execute UNLISTEN by itself, outside a transaction block.");
            }
        }
        return null;
    }

    // --- statements that ask for the channels

    /** Makes the session's backend listen to the channels if the statements ask for them, or may ask. */
    void recallFor(List<Statement> statements) {
        if (channels.isEmpty() || block.isOpen() || exchange.status() != 'I') {
            return;
        }
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Update update
                    && (update.asksChannels() || update.effect().runsCode())) {
                channels.recall();
                return;
            }
        }
    }

    /**
     * Makes the backend stop listening after the transaction.
     *
     * @return whether that is necessary
     */
    public boolean forgetRecalled() {
        return channels.forgetRecalled();
    }

    // --- notifications

    /** Notes the statements that are being sent to the session's backend. */
    void sent(List<Statement> statements) {
        if (channels.isEmpty()) {
            return;
        }
        if (!block.isOpen() && statements.size() == 1 && statements.getFirst() instanceof Statement.Unlisten unlisten) {
            // The backend, which the session keeps for another reason, may also listen to the channel.
            forget(unlisten.channel());
        }
        for (int i = 0; i < statements.size(); i++) {
            mayNotify |= statements.get(i) instanceof Statement.Update
                    || statements.get(i) instanceof Statement.ExecutePrepared;
        }
    }

    @Override
    public boolean isOver() {
        return owner.isEnded();
    }

    @Override
    public void notified(byte[] message, int backendProcessId) {
        if (isOver()) {
            return;
        }
        ByteBuf own = client.buffer(message.length).writeBytes(message);
        own.setInt(5, loop.processIds().clientOf(backendProcessId));
        pending.add(own);
        pendingBytes += message.length;
        if (pendingBytes > MAX_PENDING_BYTES) {
            owner.fail(ErrorFields.fatal(
                    SqlState.CONFIGURATION_LIMIT_EXCEEDED,
                    "terminating connection because it leaves too many notifications unread"));
            return;
        }
        tell();
    }

    @Override
    public void lost() {
        channels.lost();
        owner.fail(ErrorFields.fatal(SqlState.CRASH_SHUTDOWN, "terminating connection because the master went away"));
    }

    /** Number of bytes that wait for the client. */
    public long heldBytes() {
        return pendingBytes;
    }

    /** Delivers waiting notifications if the client may receive them now. */
    public void tell() {
        if (!pending.isEmpty() && exchange.isDrained() && exchange.status() == 'I' && !block.isOpen()) {
            write();
        }
    }

    private void write() {
        if (!pending.isEmpty()) {
            freshness.observedOnMaster(loop.services().log());
        }
        while (!pending.isEmpty() && client.isWritable()) {
            ByteBuf next = pending.remove();
            pendingBytes -= next.readableBytes();
            client.write(next);
        }
    }

    /**
     * Whether the client's next unit has to wait for the replies to what was sent. Only then can the client receive its own
     * notifications before the ReadyForQuery of its transaction.
     */
    boolean awaitsOwn() {
        return mayNotify
                && !exchange.isDrained()
                && !exchange.isUnsynced()
                && !exchange.copyIn().isReading();
    }

    /**
     * Holds back ReadyForQuery at the end of the client's transaction if the client waits for nothing else and its notifications
     * have to come first.
     *
     * @return whether it is held back
     */
    public boolean holdsReady() {
        if (!mayNotify) {
            return false;
        }
        mayNotify = false;
        if (channels.isEmpty() || !(waiting.isNothing() || waiting.is(Wait.REPLIES))) {
            return false;
        }
        waiting.begin(Wait.NOTIFICATIONS);
        holdsReady = true;
        channels.whenAllIsTold(this::allIsTold);
        return true;
    }

    private void allIsTold() {
        if (owner.isEnded() || !holdsReady) {
            return;
        }
        holdsReady = false;
        write();
        ByteBuf ready = client.buffer(6);
        BackendMessages.readyForQuery(ready, (byte) 'I');
        client.write(ready);
        owner.resume(Wait.NOTIFICATIONS);
    }

    /** Ends listening, because the session is over. */
    public void end() {
        forget(null);
        pending.forEach(ByteBuf::release);
        pending.clear();
    }
}
