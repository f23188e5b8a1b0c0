package io.multimed.endpoint.pg.backend;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The pool of one node, whose engine is played by the test: a channel for each connection, and messages as it likes. */
@SuppressWarnings("FutureReturnValueIgnored") // An embedded channel acts at once.
final class PoolOnEmbeddedChannels {
    static final PoolKey KIND = new PoolKey("postgres", "one", Map.of());
    static final PoolKey OTHER_KIND = new PoolKey("postgres", "other", Map.of());

    /** A session that records what it is told. */
    static final class Waiter implements BackendWaiter {
        final List<String> told = new ArrayList<>();
        final int processId;
        boolean follows;
        boolean idleInTransaction;

        @Nullable
        BackendConnection acquired;

        Waiter(int processId) {
            this.processId = processId;
        }

        @Override
        public int clientProcessId() {
            return processId;
        }

        @Override
        public void acquired(BackendConnection connection) {
            acquired = connection;
            told.add("acquired");
        }

        @Override
        public void notAcquired(@Nullable ErrorFields error) {
            told.add("refused " + (error == null ? "" : error.sqlState()));
        }

        @Override
        public boolean mayFollow(BackendConnection connection) {
            return follows;
        }

        @Override
        public void displaced() {
            told.add("displaced");
        }

        @Override
        public void heldOthersUp() {
            told.add("held others up");
        }

        @Override
        public boolean onMessage(byte type, ByteBuf in, int index, int length) {
            told.add(String.valueOf((char) type));
            return true;
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
        public void onReady(byte status) {
            told.add("ready");
        }

        @Override
        public void onClosed() {
            told.add("closed");
        }

        @Override
        public boolean wantsMore() {
            return true;
        }

        @Override
        public boolean awaitsEngine() {
            return !idleInTransaction;
        }

        /** Returns the connection that it was given. */
        BackendConnection connection() {
            if (acquired == null) {
                throw new AssertionError("no connection was given; told " + told);
            }
            return acquired;
        }
    }

    /** Channels that are neither connected to anything nor registered yet. */
    private final class Channels implements EngineChannels {
        @Override
        public Channel newChannel() {
            EmbeddedChannel channel = new EmbeddedChannel(false, false);
            channels.add(channel);
            return channel;
        }

        @Override
        public SocketAddress address(String socketPath) {
            return new LocalAddress(socketPath);
        }
    }

    /** The engine's side of all connections, in the order in which they were opened. */
    final List<EmbeddedChannel> channels = new ArrayList<>();

    long now;
    final NodeBackends pool;
    final LoopBackends backends;
    private final EmbeddedChannel loop = new EmbeddedChannel();

    /** @param limit number of connections that may execute side by side */
    PoolOnEmbeddedChannels(Role role, int limit, ReadSharing sharing) {
        ComputationalNode master = new ComputationalNode(NodeId.MASTER, Role.MASTER);
        ComputationalNode satellite = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
        backends = new LoopBackends(
                loop.eventLoop(),
                new Channels(),
                new Nodes(master, List.of(satellite)),
                node -> "engine",
                EngineProcesses.UNKNOWN,
                new NoDoubts(),
                node -> limit,
                node -> new ConnectionBudget(new ConnectionBudget.Limits(2 * limit, 1, 0)),
                10,
                sharing,
                () -> now);
        pool = backends.of(role == Role.MASTER ? master : satellite);
    }

    private static final class NoDoubts implements CommitDoubts {
        @Override
        public long begin() {
            return 0;
        }

        @Override
        public boolean isOver(long doubt) {
            return true;
        }
    }

    /** Runs what the loop has to do now. */
    void run() {
        loop.runPendingTasks();
    }

    /** Lets time pass. */
    void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
        loop.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        run();
    }

    /** Lets the engine accept the connection of this number. */
    void accept(int connection) {
        ByteBuf out = Unpooled.buffer();
        BackendMessages.authenticationOk(out);
        BackendMessages.backendKeyData(out, 100 + connection, new byte[4]);
        BackendMessages.readyForQuery(out, (byte) 'I');
        receive(connection, out);
    }

    /** Lets the engine answer a unit. */
    void answer(int connection) {
        ByteBuf out = Unpooled.buffer();
        BackendMessages.commandComplete(out, "SELECT 1");
        BackendMessages.readyForQuery(out, (byte) 'I');
        receive(connection, out);
    }

    /** Lets the engine refuse the connection of this number. */
    void refuse(int connection, ErrorFields error) {
        ByteBuf out = Unpooled.buffer();
        BackendMessages.error(out, error);
        receive(connection, out);
        channels.get(connection).close();
        run();
    }

    private void receive(int connection, ByteBuf messages) {
        run();
        channels.get(connection).writeInbound(messages);
        run();
    }

    /** Opens a connection of this kind and gives it back. */
    BackendConnection opened(PoolKey kind) {
        Waiter waiter = new Waiter(0);
        if (pool.acquire(kind, waiter, 0) != null) {
            throw new AssertionError("there was an idle connection");
        }
        run();
        accept(channels.size() - 1);
        waiter.connection().release();
        return waiter.connection();
    }

    /** Returns a message of one unit. */
    static ByteBuf unit() {
        return Unpooled.copiedBuffer(new byte[] {'S', 0, 0, 0, 4});
    }
}
