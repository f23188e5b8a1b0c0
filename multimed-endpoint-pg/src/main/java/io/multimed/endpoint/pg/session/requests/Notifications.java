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
 * What a session listens to over the connection that all sessions share, and when it is told.
 *
 * <p>LISTEN and UNLISTEN outside a transaction block need no backend of their own. Within a block, or together with other
 * statements, LISTEN is a matter of the session's backend, which it then keeps: only the engine knows whether such a
 * transaction commits.
 *
 * <p>As from PostgreSQL, notifications come between transactions, and those of the session's own transaction before the
 * ReadyForQuery that ends it. A commit that anybody is notified of has been received by the relay, so the floor of every
 * later read covers it.
 */
public final class Notifications implements SharedListener.Listener {
    /** NAMEDATALEN - 1: the engine shortens longer names, and says so. */
    private static final int MAX_CHANNEL_BYTES = 63;
    /** What a client may leave unread before it is given up. */
    private static final int MAX_PENDING_BYTES = 8 << 20;

    /**
     * What a unit of LISTEN and UNLISTEN comes to.
     *
     * @param wanted the channels then
     * @param missing of them, those still to be listened to
     * @param added those that are listened to since it began
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
    /** A unit of LISTEN and UNLISTEN is under way, or has been: its answer is in {@link #failure}. */
    private boolean asked;

    private boolean answered;
    /** Under way. */
    private @Nullable Change change;

    private @Nullable ErrorFields failure;
    /** What has been sent in the present transaction may notify. */
    private boolean mayNotify;
    /** The client has not been told that its transaction is over. */
    private boolean holdsReady;

    /** The session's backend was told to listen to the channels, to be asked for them. */
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

    /** Whether a unit of these statements, in a session without a backend of its own, is answered without any. */
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

    /** Has the statements take effect. @return false when that has to be waited for */
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

    /** Listens to what the statements add, one after the other; only when that went well anything is forgotten. */
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
            // It was cancelled meanwhile.
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

    /** The client cancels what it waits for: LISTEN comes to nothing. Its own notifications are waited for still. */
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

    /** Why the statements failed; asked once, when they are {@link #done}. */
    @Nullable
    ErrorFields takeFailure() {
        asked = false;
        answered = false;
        ErrorFields error = failure;
        failure = null;
        return error;
    }

    /** Stops hearing a channel; null for all. */
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

    /** Whether the channel's notifications come over the shared connection. */
    public boolean hears(String channel) {
        return channels.contains(channel);
    }

    /** What a unit that goes to the engine cannot say of channels that the engine's session does not know. */
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

    // --- being asked for the channels

    /** Tells the session's backend the channels if the statements ask for them, or may. */
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

    /** The transaction is over. @return whether the backend is being told to listen no longer */
    public boolean forgetRecalled(Instructions instructions) {
        if (!recalled) {
            return false;
        }
        recalled = false;
        instructions.send(SharedListener.sql("UNLISTEN", channels), Note.INTERNAL);
        return true;
    }

    // --- notifications

    /** Statements are being sent to the session's backend. */
    void sent(List<Statement> statements) {
        if (channels.isEmpty()) {
            return;
        }
        if (!block.isOpen() && statements.size() == 1 && statements.getFirst() instanceof Statement.Unlisten unlisten) {
            // The backend, which the session keeps for another reason, may listen to it too.
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

    /** What waits for the client. */
    public long heldBytes() {
        return pendingBytes;
    }

    /** Gives the client what it may be told now. */
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
     * Whether the client's next unit has to wait until what was sent is answered: only then the client can be told of its own
     * notifications before the ReadyForQuery of its transaction.
     */
    boolean awaitsOwn() {
        return mayNotify
                && !exchange.isDrained()
                && !exchange.isUnsynced()
                && !exchange.copyIn().isReading();
    }

    /** A transaction of the client is over, and it waits for nothing else. @return whether it is not told so yet */
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

    /** The session is over. */
    public void end() {
        forget(null);
        pending.forEach(ByteBuf::release);
        pending.clear();
    }
}
