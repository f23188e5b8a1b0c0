package io.multimed.endpoint.pg.session.loop;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.backend.BackendWaiter;
import io.multimed.endpoint.pg.backend.PoolKey;
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
 * The single connection to the Master over which all sessions of a loop listen to notifications in one database. It is open while
 * any session listens.
 *
 * <p>The engine sends notifications to all its listeners in the order of commits, and sends a backend's notifications before it
 * answers that backend's next command. So a session whose LISTEN was answered here receives the notifications of every later commit
 * and of no earlier one. After the reply to an empty query, all notifications committed before that query have arrived.
 */
public final class SharedListener implements BackendWaiter {
    /** No client's timeout may end this connection, because it has many listeners, and each may be busy with something else. */
    private static final Map<String, String> STARTUP =
            Map.of("client_encoding", "UTF8", "options", "-c idle_session_timeout=0 -c statement_timeout=0");

    private static final int RETRY_MILLIS = 50;

    /** A session that listens. */
    public interface Listener {
        /** Whether the session is over. Then it need not be notified. */
        boolean isOver();

        /**
         * Passes on a notification.
         *
         * @param message the whole NotificationResponse
         * @param backendProcessId the backend that sent the notification
         */
        void notified(byte[] message, int backendProcessId);

        /** Reports that the shared connection was lost, and notifications with it. */
        void lost();
    }

    private record Command(String sql, Consumer<@Nullable ErrorFields> answered) {}

    private final LoopContext loop;
    private PoolKey key;
    private final Map<String, Set<Listener>> listeners = new HashMap<>();
    /** Number of requests to listen to each channel that have not been answered. */
    private final Map<String, Integer> coming = new HashMap<>();
    /** The commands that were sent, or wait for a connection; in order. */
    private final ArrayDeque<Command> unanswered = new ArrayDeque<>();

    private @Nullable BackendConnection backend;
    private boolean connecting;
    private long since;
    private @Nullable ErrorFields error;

    SharedListener(LoopContext loop, PoolKey key) {
        this.loop = loop;
        this.key = key;
    }

    /**
     * Returns this object after noting the role for the next connection. Any role may listen to any channel, but a role may be gone
     * when the connection is opened again.
     *
     * @param session the kind of the session that needs the connection now
     */
    SharedListener neededBy(PoolKey session) {
        if (backend == null && !connecting) {
            key = new PoolKey(session.user(), session.database(), STARTUP);
        }
        return this;
    }

    /**
     * Listens to a channel.
     *
     * @param done called with null when {@code who} listens to the channel, or with the error that prevents it
     */
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

    /** Stops sending the channel's notifications to {@code who}. */
    public void unlisten(String channel, Listener who) {
        Set<Listener> all = listeners.get(channel);
        if (all != null && all.remove(who)) {
            unlistenUnlessWanted(channel);
        }
    }

    /** Sends UNLISTEN unless the channel is still needed. Sessions with an unanswered request to listen need it too. */
    private void unlistenUnlessWanted(String channel) {
        Set<Listener> all = listeners.get(channel);
        if (all != null && all.isEmpty()) {
            listeners.remove(channel);
        }
        if (!listeners.containsKey(channel) && !coming.containsKey(channel)) {
            command("UNLISTEN " + quoted(channel), failure -> {});
        }
    }

    /** Runs {@code done} after all notifications that were committed before have been delivered. */
    public void whenAllIsTold(Runnable done) {
        command("", failure -> done.run());
    }

    /** Returns the statements by which an engine session listens to these channels, or stops. */
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
        BackendConnection free = loop.backends().of(loop.nodes().master()).acquire(key, this, 0);
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
        if (!connection.settings().equals(BackendSettings.NONE)) {
            // A client may have left another encoding on this connection.
            unanswered.addFirst(new Command(
                    BackendSettings.transition(
                            connection.settings(),
                            BackendSettings.NONE,
                            connection.session().speaksUtf8()),
                    failure -> {}));
            connection.settings(BackendSettings.NONE);
        }
        unanswered.forEach(command -> send(connection, command));
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The attempt itself begins the next one.
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

    /** Notifies every listener, as if its own connection had been lost, because notifications in the meantime are lost. */
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
