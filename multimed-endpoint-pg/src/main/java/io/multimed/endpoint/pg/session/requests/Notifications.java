package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.SharedListener;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The channels to which a session listens over the connection that all sessions share, and the delivery of their notifications.
 *
 * <p>LISTEN and UNLISTEN outside a transaction block need no backend. Within a block, or together with other statements, LISTEN is
 * executed on the session's backend, which the session then keeps, since only the engine knows whether such a transaction commits.
 *
 * <p>As in PostgreSQL, notifications come between transactions, and those of the session's own transaction come before the
 * ReadyForQuery that ends it. The relay has received every commit that causes a notification, so the floor of every later read
 * covers it.
 */
public final class Notifications implements SharedListener.Listener {
    /** NAMEDATALEN - 1. The engine truncates longer names and reports that. */
    private static final int MAX_CHANNEL_BYTES = 63;
    /** Most bytes of notifications that a client may leave unread before its connection is ended. */
    private static final int MAX_PENDING_BYTES = 8 << 20;

    /**
     * The changes that a unit of LISTEN and UNLISTEN makes.
     *
     * @param wanted the channels after the unit
     * @param missing the wanted channels to which the session does not listen yet
     * @param added the channels to which the session listens since the unit began
     */
    private record Change(Set<String> wanted, ArrayDeque<String> missing, Set<String> added) {
        Change(Set<String> wanted, ArrayDeque<String> missing) {
            this(wanted, missing, new LinkedHashSet<>());
        }
    }

    private final LoopContext loop;
    private final SessionControl owner;
    private final ClientLink client;
    private final PoolKey key;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final SessionVariables variables;
    private final Waiting waiting;
    private final Set<String> channels = new LinkedHashSet<>();
    private final ArrayDeque<ByteBuf> pending = new ArrayDeque<>();
    private int pendingBytes;
    /** Whether a unit of LISTEN and UNLISTEN is under way or done. If it failed, the error is in {@link #failure}. */
    private boolean asked;

    private boolean answered;
    /** The change that is under way; null if there is none. */
    private @Nullable Change change;

    private @Nullable ErrorFields failure;
    /** Whether statements of the present transaction may send notifications. */
    private boolean mayNotify;
    /** Whether the ReadyForQuery at the end of the client's transaction is held back. */
    private boolean holdsReady;

    /** Whether the session's backend was made to listen to the channels, so that statements can ask for them. */
    private boolean recalled;

    Notifications(SessionContext session, ExchangeParts parts, TransactionBlock block, SessionVariables variables) {
        loop = session.loop();
        owner = session.owner();
        client = session.client();
        key = session.key();
        exchange = parts.exchange();
        this.block = block;
        this.variables = variables;
        waiting = parts.waiting();
    }

    private SharedListener shared() {
        return loop.listener(key);
    }

    @Override
    public boolean isOver() {
        return owner.isEnded();
    }

    // --- LISTEN and UNLISTEN

    /** Whether a unit of these statements is answered without a backend, in a session that holds none of its own. */
    boolean takes(List<Statement> statements) {
        if (block.isOpen() || exchange.status() != 'I' || statements.isEmpty() || !exchange.clientSpeaksUtf8()) {
            return false;
        }
        for (int i = 0; i < statements.size(); i++) {
            boolean may = statements.get(i) instanceof Statement.Unlisten
                    || statements.get(i) instanceof Statement.Listen listen
                            && listen.channel().getBytes(StandardCharsets.UTF_8).length <= MAX_CHANNEL_BYTES;
            if (!may) {
                return false;
            }
        }
        return true;
    }

    /**
     * Applies the statements.
     *
     * @return false when the session has to wait for that
     */
    boolean done(List<Statement> statements) {
        if (answered) {
            return true;
        }
        waiting.begin(Wait.NOTIFICATIONS);
        if (!asked) {
            asked = true;
            begin(statements);
        }
        if (answered) {
            waiting.end();
        }
        return answered;
    }

    /** Listens to the added channels one after the other. Channels are given up only after that has succeeded. */
    private void begin(List<Statement> statements) {
        Set<String> wanted = new LinkedHashSet<>(channels);
        for (Statement statement : statements) {
            if (statement instanceof Statement.Listen listen) {
                wanted.add(listen.channel());
            } else if (statement instanceof Statement.Unlisten unlisten && unlisten.channel() != null) {
                wanted.remove(unlisten.channel());
            } else {
                wanted.clear();
            }
        }
        ArrayDeque<String> missing = new ArrayDeque<>(wanted);
        missing.removeAll(channels);
        next(new Change(wanted, missing));
    }

    private void next(Change now) {
        change = now;
        String channel = now.missing().poll();
        if (channel != null) {
            shared().listen(channel, this, error -> listened(now, channel, error));
            return;
        }
        for (String each : List.copyOf(channels)) {
            if (!now.wanted().contains(each)) {
                forget(each);
            }
        }
        finished(null);
    }

    private void listened(Change now, String channel, @Nullable ErrorFields error) {
        if (error == null && !isOver()) {
            now.added().add(channel);
        }
        if (change != now) {
            // The unit was cancelled in the meantime.
            undo(now);
        } else if (error != null) {
            undo(now);
            finished(error);
        } else {
            channels.add(channel);
            next(now);
        }
    }

    private void undo(Change failed) {
        for (String channel : failed.added()) {
            channels.remove(channel);
            shared().unlisten(channel, this);
        }
        failed.added().clear();
    }

    /** Cancels a LISTEN that waits, which then has no effect. The wait for the session's own notifications goes on. */
    public void cancel() {
        Change under = change;
        if (under != null) {
            change = null;
            undo(under);
            finished(Unit.CANCELLED);
        }
    }

    private void finished(@Nullable ErrorFields error) {
        change = null;
        answered = true;
        failure = error;
        owner.resume(Wait.NOTIFICATIONS);
    }

    /** The error of the statements, once they are {@link #done}; null if they succeeded. Resets the answer. */
    @Nullable
    ErrorFields takeFailure() {
        asked = false;
        answered = false;
        ErrorFields error = failure;
        failure = null;
        return error;
    }

    /** Stops listening to a channel, or to all channels if it is null. */
    void forget(@Nullable String channel) {
        if (channel != null) {
            if (channels.remove(channel)) {
                shared().unlisten(channel, this);
            }
            return;
        }
        List<String> all = new ArrayList<>(channels);
        channels.clear();
        all.forEach(each -> shared().unlisten(each, this));
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
    void recallFor(List<Statement> statements, Instructions instructions) {
        if (channels.isEmpty() || block.isOpen() || exchange.status() != 'I') {
            return;
        }
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Update update
                    && (update.asksChannels() || update.effect().runsCode())) {
                instructions.send(SharedListener.sql("LISTEN", channels), Note.INTERNAL);
                recalled = true;
                return;
            }
        }
    }

    /**
     * Makes the backend stop listening after the transaction.
     *
     * @return whether that is necessary
     */
    public boolean forgetRecalled(Instructions instructions) {
        if (!recalled) {
            return false;
        }
        recalled = false;
        instructions.send(SharedListener.sql("UNLISTEN", channels), Note.INTERNAL);
        return true;
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
            variables.freshness().observedOnMaster(loop.services().log());
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
        shared().whenAllIsTold(this::allIsTold);
        return true;
    }

    private void allIsTold() {
        if (isOver() || !holdsReady) {
            return;
        }
        holdsReady = false;
        write();
        ByteBuf ready = client.buffer(6);
        BackendMessages.readyForQuery(ready, (byte) 'I');
        client.write(ready);
        owner.resume(Wait.NOTIFICATIONS);
    }

    @Override
    public void lost() {
        channels.clear();
        owner.fail(ErrorFields.fatal(SqlState.CRASH_SHUTDOWN, "terminating connection because the master went away"));
    }

    /** Ends listening, because the session is over. */
    public void end() {
        forget(null);
        pending.forEach(ByteBuf::release);
        pending.clear();
    }
}
