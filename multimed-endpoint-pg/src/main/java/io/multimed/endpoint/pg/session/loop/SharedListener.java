package io.multimed.endpoint.pg.session.loop;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendWaiter;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.Settings;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one connection to the Master over which all sessions of a loop listen to notifications in one database. Open while
 * anybody listens.
 *
 * <p>The engine notifies all its listeners in the order of commits, and tells a backend's notifications before it answers
 * that backend's next command. So whoever has been answered a LISTEN here hears of every later commit and of no earlier
 * one, and whoever has been answered an empty query has been told all that was committed before.
 */
public final class SharedListener implements BackendWaiter {
    /** Nobody's time limit ends it: it has many listeners, of which each may be busy with something else. */
    private static final Map<String, String> STARTUP =
            Map.of("client_encoding", "UTF8", "options", "-c idle_session_timeout=0 -c statement_timeout=0");

    private static final int RETRY_MILLIS = 50;

    /** A session that listens. */
    public interface Listener {
        /** Whether it is there no more: it need not be told anything. */
        boolean isOver();

        /** @param message the whole NotificationResponse */
        void notified(byte[] message, int backendProcessId);

        /** The shared connection was lost, and notifications with it. */
        void lost();
    }

    private record Command(String sql, Consumer<@Nullable ErrorFields> answered) {}

    private final LoopContext loop;
    private PoolKey key;
    private final Map<String, Set<Listener>> listeners = new HashMap<>();
    /** How many have asked to listen to a channel and have not been answered. */
    private final Map<String, Integer> coming = new HashMap<>();
    /** Sent, or to be sent as soon as there is a connection; in order. */
    private final ArrayDeque<Command> unanswered = new ArrayDeque<>();

    private @Nullable BackendConnection backend;
    private boolean connecting;
    private long since;
    private @Nullable ErrorFields error;

    SharedListener(LoopContext loop, PoolKey key) {
        this.loop = loop;
        this.key = key;
    }

    /** @param session of the one who needs it now: any role may listen to anything, but may be gone when it is opened again */
    SharedListener neededBy(PoolKey session) {
        if (backend == null && !connecting) {
            key = new PoolKey(session.user(), session.database(), STARTUP);
        }
        return this;
    }

    /** @param done told when {@code who} hears the channel, or why it cannot */
    public void listen(String channel, Listener who, Consumer<@Nullable ErrorFields> done) {
        coming.merge(channel, 1, Integer::sum);
        command("LISTEN " + quoted(channel), failure -> {
            coming.computeIfPresent(channel, (any, count) -> count == 1 ? null : count - 1);
            if (failure == null && !who.isOver()) {
                listeners.computeIfAbsent(channel, any -> new LinkedHashSet<>()).add(who);
            }
            done.accept(failure);
            if (failure == null && who.isOver()) {
                unlistenUnlessWanted(channel);
            }
        });
    }

    /** From now on {@code who} hears nothing of the channel. */
    public void unlisten(String channel, Listener who) {
        Set<Listener> all = listeners.get(channel);
        if (all != null && all.remove(who)) {
            unlistenUnlessWanted(channel);
        }
    }

    /** Whoever has asked to listen and has not been answered wants it too. */
    private void unlistenUnlessWanted(String channel) {
        Set<Listener> all = listeners.get(channel);
        if (all != null && all.isEmpty()) {
            listeners.remove(channel);
        }
        if (!listeners.containsKey(channel) && !coming.containsKey(channel)) {
            command("UNLISTEN " + quoted(channel), failure -> {});
        }
    }

    /** Runs {@code done} when all has been told that was committed before. */
    public void whenAllIsTold(Runnable done) {
        command("", failure -> done.run());
    }

    /** The statements by which an engine session listens to these channels. */
    public static String sql(String verb, Set<String> channels) {
        StringBuilder sql = new StringBuilder();
        for (String channel : channels) {
            sql.append(verb).append(' ').append(quoted(channel)).append(';');
        }
        return sql.toString();
    }

    private static String quoted(String channel) {
        return '"' + channel.replace("\"", "\"\"") + '"';
    }

    private void command(String sql, Consumer<@Nullable ErrorFields> answered) {
        Command command = new Command(sql, answered);
        unanswered.add(command);
        if (backend != null) {
            send(backend, command);
        } else if (!connecting) {
            connecting = true;
            since = loop.nanoTime();
            connect();
        }
    }

    private void connect() {
        BackendConnection free = loop.backends().of(loop.nodes().master()).acquire(key, this);
        if (free != null) {
            acquired(free);
        }
    }

    private static void send(BackendConnection to, Command command) {
        ByteBuf out = to.buffer(64);
        FrontendMessages.query(out, command.sql());
        to.write(out);
    }

    @Override
    public int clientProcessId() {
        return 0;
    }

    @Override
    public void acquired(BackendConnection connection) {
        connecting = false;
        backend = connection;
        connection.keepPrivate();
        connection.prepared().unnamed(null);
        if (!connection.settings().equals(Settings.NONE)) {
            // What a client has left there may be another encoding.
            unanswered.addFirst(new Command(
                    Settings.transition(connection.settings(), Settings.NONE, connection.speaksUtf8()), failure -> {}));
            connection.settings(Settings.NONE);
        }
        unanswered.forEach(command -> send(connection, command));
    }

    @Override
    public void notAcquired(@Nullable ErrorFields failure) {
        boolean passing = failure == null || failure.sqlState().equals(SqlState.CANNOT_CONNECT_NOW);
        if (passing
                && loop.nanoTime() - since < loop.options().timeouts().master().toNanos()) {
            loop.loop().schedule(this::connect, RETRY_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        connecting = false;
        failAll(
                failure != null
                        ? failure
                        : ErrorFields.error(SqlState.CANNOT_CONNECT_NOW, "the master is not available now"));
    }

    private void failAll(ErrorFields failure) {
        List<Command> failed = List.copyOf(unanswered);
        unanswered.clear();
        failed.forEach(command -> command.answered().accept(failure));
    }

    @Override
    public boolean onMessage(byte type, ByteBuf in, int index, int length) {
        if (type == Backend.ERROR_RESPONSE) {
            error = ErrorFields.decode(in, index);
        } else if (type == Backend.NOTIFICATION_RESPONSE) {
            int channelEnd = in.indexOf(index + 9, index + length, (byte) 0);
            String channel = in.toString(index + 9, channelEnd - index - 9, StandardCharsets.UTF_8);
            Set<Listener> all = listeners.get(channel);
            if (all != null) {
                byte[] message = new byte[length];
                in.getBytes(index, message);
                for (Listener listener : List.copyOf(all)) {
                    listener.notified(message, in.getInt(index + 5));
                }
            }
        }
        return false;
    }

    @Override
    public void onReady(byte status) {
        ErrorFields failure = error;
        error = null;
        Command command = unanswered.poll();
        if (command != null) {
            command.answered().accept(failure);
        }
        BackendConnection idle = backend;
        if (listeners.isEmpty() && unanswered.isEmpty() && idle != null) {
            backend = null;
            idle.discard();
        }
    }

    /** What was notified meanwhile is lost, and every listener must know, as if its own connection had been lost. */
    @Override
    public void onClosed() {
        backend = null;
        error = null;
        Set<Listener> lost = new LinkedHashSet<>();
        listeners.values().forEach(lost::addAll);
        listeners.clear();
        failAll(ErrorFields.error(SqlState.CANNOT_CONNECT_NOW, "the master is not available now"));
        lost.forEach(Listener::lost);
    }

    @Override
    public boolean wantsWholeMessages() {
        return false;
    }

    @Override
    public void onBytes(ByteBuf in, int from, int to) {}

    @Override
    public boolean wantsBoundary() {
        return false;
    }

    @Override
    public void onBoundary() {}

    @Override
    public boolean wantsMore() {
        return true;
    }
}
