package io.multimed.endpoint.pg;

import io.multimed.core.counters.AdminTable;
import io.multimed.core.counters.RouteCounters;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.tasks.HeardTask;
import io.multimed.endpoint.pg.admin.AdminCommand;
import io.multimed.endpoint.pg.admin.AdminDatabase;
import io.multimed.endpoint.pg.admin.Viewer;
import io.multimed.endpoint.pg.backend.CommitDoubts;
import io.multimed.endpoint.pg.backend.ConnectionBudget;
import io.multimed.endpoint.pg.backend.LoopBackends;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.Transport;
import io.multimed.endpoint.pg.client.CancelKeys;
import io.multimed.endpoint.pg.client.ClientConnection;
import io.multimed.endpoint.pg.client.ClientCounter;
import io.multimed.endpoint.pg.client.ClientShared;
import io.multimed.endpoint.pg.client.HeldBytes;
import io.multimed.endpoint.pg.client.PendingLogins;
import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.config.EndpointTimeouts;
import io.multimed.endpoint.pg.config.SocketDirectory;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.session.loop.AllLoops;
import io.multimed.endpoint.pg.session.loop.ClientSession;
import io.multimed.endpoint.pg.session.loop.LimitWatch;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.reads.AnsweredTimes;
import io.multimed.endpoint.pg.session.reads.MeasuredTimes;
import io.multimed.model.Role;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for PostgreSQL clients and runs their sessions on the nodes.
 *
 * <p>It has more lines than other classes, since it makes the parts of an endpoint in their order, and each call from outside
 * goes to one of them.
 *
 * <p>{@link #start} and the methods of the running endpoint are thread-safe.
 */
public final class PostgresEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresEndpoint.class);
    private static final Duration SWEEP = Duration.ofSeconds(1);
    private static final Duration HELD_CHECK = Duration.ofMillis(100);
    /** Interval of looks for sessions that exceed a limit of time. */
    private static final Duration LIMITS = Duration.ofMillis(250);
    /**
     * Processor time of one read after which its backend yields, whatever was expected of such reads; also the interval of that
     * check.
     */
    private static final Duration BUSY = Duration.ofMillis(100);

    private static final Viewer EVERYTHING = new Viewer("", true, false);

    private final EventLoopGroup group;
    private final List<LoopContext> loops = new ArrayList<>();
    private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final ClientCounter counter = new ClientCounter();
    private final IdentityHashMap<ComputationalNode, ConnectionBudget> budgets = new IdentityHashMap<>();
    private final MeasuredTimes measuredTimes;
    private final AdminDatabase admin;
    private final Channel listener;
    private final @Nullable UnixListener unix;

    /** The socket without an address. */
    private record UnixListener(Channel channel, UnixSocketFiles files) {
        void close() {
            channel.close().syncUninterruptibly();
            files.close();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // An endpoint that cannot be opened does not wait for its loops.
    private PostgresEndpoint(EndpointOptions options, EndpointServices services, ThreadFactory threads)
            throws IOException {
        EndpointOptions.Listening listening = options.listening();
        Transport transport = listening.transport();
        EventLoopGroup eventLoops =
                new HeardEventLoops(listening.loops(), threads, transport.ioHandler(listening.busyPoll()));
        group = eventLoops;
        AllLoops all = new AllLoops(this::closeIdle);
        measuredTimes = all.measuredTimes();
        CommitDoubts doubts = new LogDoubts(services);
        IdentityHashMap<EventExecutor, LoopContext> byLoop = new IdentityHashMap<>();
        IdentityHashMap<EventExecutor, HeldBytes> heldByLoop = new IdentityHashMap<>();
        IdentityHashMap<EventExecutor, PendingLogins> strangersByLoop = new IdentityHashMap<>();
        for (EventExecutor executor : eventLoops) {
            EventLoop loop = (EventLoop) executor;
            LoopBackends backends = new LoopBackends(
                    loop,
                    transport,
                    services.nodes(),
                    services.addresses()::socketPath,
                    services.processes(),
                    doubts,
                    node -> connectionsPerLoop(options, node),
                    node -> budgets.computeIfAbsent(node, each -> new ConnectionBudget(budget(options, each))),
                    options.limits().prepared().perBackend(),
                    options.limits().connections().sharing().ofOne(listening.loops()),
                    System::nanoTime);
            backends.closingIdleEverywhere(this::closeIdle);
            LoopContext context = new LoopContext(loop, options, services, backends, all, System::nanoTime);
            loops.add(context);
            all.loops().add(context);
            byLoop.put(loop, context);
            HeldBytes held = new HeldBytes(options.limits().heldBytes() / listening.loops());
            heldByLoop.put(loop, held);
            strangersByLoop.put(
                    loop,
                    new PendingLogins(
                            () -> Math.max(1, context.options().limits().clients() / listening.loops())));
            every(HELD_CHECK, loop, held::check);
            LimitWatch limits = new LimitWatch(context);
            every(LIMITS, loop, limits::look);
            every(BUSY, loop, () -> backends.yieldWhoIsBusyFor(BUSY.toNanos()));
            every(SWEEP, loop, () -> {
                EndpointTimeouts timeouts = context.options().timeouts();
                backends.closeIdleFor(timeouts.idleBackend().toNanos());
                backends.refuseWaitingFor(timeouts.connection().toNanos());
                backends.endIdleOthersWaitFor(timeouts.idleTransaction().toNanos());
            });
        }
        admin = new AdminDatabase(() -> loops, services, measuredTimes, this::stopListening);
        ClientShared shared = new ClientShared(new CancelKeys(), counter, new ClientCounter(), admin);
        ServerBootstrap sockets = new ServerBootstrap()
                .group(eventLoops)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(64 * 1024, 256 * 1024))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        clients.add(channel);
                        LoopContext context = byLoop.get(channel.eventLoop());
                        HeldBytes held = heldByLoop.get(channel.eventLoop());
                        PendingLogins strangers = strangersByLoop.get(channel.eventLoop());
                        if (context == null || held == null || strangers == null) {
                            throw new IllegalStateException("channel on an unknown loop");
                        }
                        channel.pipeline().addLast(new ClientConnection(context, shared, held, strangers, channel));
                    }
                });
        ServerBootstrap bootstrap = sockets.clone()
                .channel(transport.tcpServer())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true);
        try {
            listener = bootstrap.bind(listening.address()).sync().channel();
        } catch (InterruptedException interrupted) {
            eventLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while opening the endpoint", interrupted);
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception cannotBind) {
            // Netty rethrows the checked cause of a failed bind undeclared.
            eventLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException(
                    "cannot listen on " + listening.address().getHostString() + ":"
                            + listening.address().getPort() + ": " + cannotBind.getMessage(),
                    cannotBind);
        }
        try {
            unix = listening.unix() == null
                    ? null
                    : openUnix(sockets.channel(transport.unixServer()), transport, listening.unix(), address());
        } catch (IOException e) {
            listener.close();
            eventLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Closing a channel needs no answer.
    private static UnixListener openUnix(
            ServerBootstrap bootstrap, Transport transport, SocketDirectory options, InetSocketAddress tcp)
            throws IOException {
        UnixSocketFiles files = UnixSocketFiles.lock(options, tcp.getPort());
        ChannelFuture bound =
                bootstrap.bind(transport.address(files.socket().toString())).awaitUninterruptibly();
        try {
            if (!bound.isSuccess()) {
                throw new IOException("cannot listen on " + files.socket() + ": "
                        + bound.cause().getMessage());
            }
            files.admit();
            return new UnixListener(bound.channel(), files);
        } catch (IOException e) {
            bound.channel().close();
            files.close();
            throw e;
        }
    }

    /** Loads the transport, whose native library takes some time. */
    public static void preload() {
        EndpointOptions.defaults(new InetSocketAddress(0))
                .listening()
                .transport()
                .ioHandler(Duration.ZERO);
    }

    /**
     * Starts listening.
     *
     * @param threads makes the event loops' threads, so that they can be pinned to the middleware's cores
     * @throws IOException if listening on the address is not possible
     */
    public static PostgresEndpoint start(EndpointOptions options, EndpointServices services, ThreadFactory threads)
            throws IOException {
        return new PostgresEndpoint(options, services, threads);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The action survives its failures; the loop ends it.
    static void every(Duration delay, EventLoop loop, Runnable action) {
        // A failure would end the repeated execution.
        Runnable surviving = new HeardTask(
                action, failure -> LOG.error("what is done every {} ms has failed", delay.toMillis(), failure));
        loop.scheduleWithFixedDelay(surviving, delay.toMillis(), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static EndpointLimits.ToEngine connections(EndpointOptions options, ComputationalNode node) {
        EndpointLimits.EngineConnections all = options.limits().connections();
        return node.role() == Role.MASTER ? all.master() : all.satellite();
    }

    private static int connectionsPerLoop(EndpointOptions options, ComputationalNode node) {
        return Math.max(
                1, connections(options, node).sideBySide() / options.listening().loops());
    }

    private static ConnectionBudget.Limits budget(EndpointOptions options, ComputationalNode node) {
        ConnectionBudget.Limits open = connections(options, node).open();
        // Each loop needs at least one connection.
        int transactions = Math.max(open.transactions(), options.listening().loops());
        return new ConnectionBudget.Limits(transactions, open.kept(), open.reserved());
    }

    /** Closes the listening socket: nobody can connect any more. */
    @SuppressWarnings("FutureReturnValueIgnored") // Closing a channel needs no answer.
    private void stopListening() {
        listener.close();
        UnixListener besides = unix;
        if (besides != null) {
            besides.channel().close().addListener(closed -> besides.files().close());
        }
    }

    /**
     * Applies other options to the running endpoint, each loop between two of its steps. Options that a running endpoint cannot
     * change stay: the address, the loops, sharing of connections, and limits of memory.
     *
     * @return completed when all loops have them
     */
    public CompletableFuture<Void> reconfigure(EndpointOptions now) {
        budgets.forEach((node, budget) -> budget.reconfigure(budget(now, node)));
        return CompletableFuture.allOf(loops.stream()
                .map(loop -> CompletableFuture.runAsync(
                        () -> {
                            loop.reconfigure(now);
                            loop.backends().reconfigure(node -> connectionsPerLoop(now, node));
                        },
                        loop.loop()))
                .toArray(CompletableFuture[]::new));
    }

    /** Returns the listening address, with the selected port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    public int clients() {
        return counter.connected();
    }

    List<LoopContext> loops() {
        return List.copyOf(loops);
    }

    /** Returns the processor times of long reads on different nodes, which all loops share. */
    public MeasuredTimes measuredTimes() {
        return measuredTimes;
    }

    /** Returns the counters of each loop. */
    public List<RouteCounters> counters() {
        return loops.stream().map(LoopContext::counters).toList();
    }

    /**
     * Returns what {@code SHOW} with this word tells somebody who may see everything. Completes on any thread; fails if there is no such
     * word.
     */
    public CompletableFuture<AdminTable> show(String what) {
        AdminCommand command = admin.command("SHOW " + what, EVERYTHING);
        if (command == null) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("SHOW " + what));
        }
        return command.execution().get().thenApply(answer -> new AdminTable(command.columns(), answer.rows()));
    }

    /** Returns the times of statements by shape, of all loops. Completes on any thread. */
    public CompletableFuture<List<AnsweredTimes.Seen>> answeredTimes() {
        List<CompletableFuture<List<AnsweredTimes.Seen>>> parts = loops.stream()
                .map(loop -> CompletableFuture.supplyAsync(loop.answeredTimes()::all, loop.loop()))
                .toList();
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        parts.stream().flatMap(part -> part.join().stream()).toList());
    }

    /**
     * Drops all connections of a node that is dead, frozen or about to be stopped. Reads that it had not begun to answer run
     * elsewhere.
     */
    public void nodeGone(ComputationalNode node) {
        for (LoopContext loop : loops) {
            loop.loop().execute(() -> {
                loop.backends().of(node).abortAll();
                if (node.role() == Role.MASTER) {
                    loop.forgetLogins();
                }
            });
        }
    }

    private void closeIdle() {
        for (LoopContext loop : loops) {
            loop.loop().execute(() -> loop.backends().closeIdleFor(0));
        }
    }

    /** Returns each loop's engine connections to a node: open, idle, waited for. For metrics; approximate. */
    public List<NodeBackends> backends(ComputationalNode node) {
        return loops.stream().map(loop -> loop.backends().of(node)).toList();
    }

    /**
     * Stops accepting connections, lets open transactions end within {@code grace}, then closes every client.
     *
     * @throws InterruptedException if interrupted while waiting; everything is closed at once then
     */
    public void drain(Duration grace) throws InterruptedException {
        closeListeners();
        long until = System.nanoTime() + grace.toNanos();
        while (System.nanoTime() - until < 0 && anyBusy()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        close();
    }

    private void closeListeners() {
        listener.close().syncUninterruptibly();
        if (unix != null) {
            unix.close();
        }
    }

    private boolean anyBusy() {
        return loops.stream()
                .anyMatch(loop -> loop.services().nodes().master().active() > 0
                        || loop.services().nodes().satellites().stream().anyMatch(node -> node.active() > 0)
                        || isAnyAmidBlock(loop));
    }

    /** Whether any client of the loop is in a transaction block. The engines may not know of a block that only reads. */
    private static boolean isAnyAmidBlock(LoopContext loop) {
        return loop.loop()
                .submit(() -> loop.clients().keySet().stream().anyMatch(ClientSession::isAmidBlock))
                .syncUninterruptibly()
                .getNow();
    }

    @Override
    public void close() {
        if (group.isShuttingDown()) {
            return;
        }
        closeListeners();
        for (LoopContext loop : loops) {
            loop.loop().execute(() -> List.copyOf(loop.clients().keySet()).forEach(ClientSession::shutDown));
        }
        clients.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        for (LoopContext loop : loops) {
            loop.close();
            // A channel that is registered after the group has closed its channels would stay open.
            loop.loop().submit(loop.backends()::close).awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
