package io.multimed.endpoint.mysql;

import io.multimed.core.counters.AdminTable;
import io.multimed.core.counters.ConnectionCounts;
import io.multimed.core.counters.CounterTables;
import io.multimed.core.counters.RouteCounters;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.mysql.client.MysqlClientConnection;
import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.endpoint.mysql.services.MysqlEndpointServices;
import io.multimed.endpoint.mysql.session.BaseTables;
import io.multimed.endpoint.mysql.session.MysqlLoop;
import io.multimed.endpoint.mysql.session.MysqlSession;
import io.multimed.endpoint.mysql.session.PreparedCounts;
import io.multimed.endpoint.mysql.session.SessionNumbers;
import io.multimed.model.Role;
import io.multimed.sql.mysql.MysqlParser;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Listens for clients of MySQL and MariaDB and runs their sessions on the nodes.
 *
 * <p>{@link #start} and the methods of the running endpoint are thread-safe.
 */
public final class MysqlEndpoint implements AutoCloseable {
    private final EventLoopGroup group;
    private final List<MysqlLoop> loops = new ArrayList<>();
    private final List<EventLoop> executors = new ArrayList<>();
    private final AtomicInteger clients = new AtomicInteger();
    private final MysqlParser parser;
    private final Channel listener;
    private volatile MysqlEndpointOptions options;

    @SuppressWarnings("FutureReturnValueIgnored") // An endpoint that cannot be opened does not wait for its loops.
    private MysqlEndpoint(MysqlEndpointOptions options, MysqlEndpointServices services, ThreadFactory threads)
            throws IOException {
        EventLoopGroup eventLoops =
                new MultiThreadIoEventLoopGroup(options.loops(), threads, EpollIoHandler.newFactory());
        group = eventLoops;
        this.options = options;
        parser = new MysqlParser(task -> {
            Thread thread = new Thread(task, "multimed-mysql-parser");
            thread.setDaemon(true);
            return thread;
        });
        SessionNumbers numbers = new SessionNumbers();
        PreparedCounts preparedCounts = new PreparedCounts();
        BaseTables tables = new BaseTables(services.schemaChanges());
        IdentityHashMap<EventExecutor, MysqlLoop> byLoop = new IdentityHashMap<>();
        for (EventExecutor executor : eventLoops) {
            MysqlLoop loop = new MysqlLoop(
                    (EventLoop) executor,
                    options,
                    services.withTables(name -> table(name, services)),
                    numbers,
                    tables,
                    parser,
                    preparedCounts);
            loops.add(loop);
            executors.add((EventLoop) executor);
            byLoop.put(executor, loop);
        }
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(eventLoops)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(64 * 1024, 256 * 1024))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        MysqlLoop loop = byLoop.get(channel.eventLoop());
                        if (loop == null) {
                            throw new IllegalStateException("channel on an unknown loop");
                        }
                        channel.pipeline()
                                .addLast(new MysqlClientConnection(loop, clients, MysqlEndpoint.this.options, channel));
                    }
                });
        try {
            listener = bootstrap.bind(options.address()).sync().channel();
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
                    "cannot listen on " + options.address().getHostString() + ":"
                            + options.address().getPort() + ": " + cannotBind.getMessage(),
                    cannotBind);
        }
    }

    /**
     * Starts listening.
     *
     * @param threads makes the event loops' threads, so that they can be pinned to the middleware's cores
     * @throws IOException if listening on the address is not possible
     */
    public static MysqlEndpoint start(
            MysqlEndpointOptions options, MysqlEndpointServices services, ThreadFactory threads) throws IOException {
        return new MysqlEndpoint(options, services, threads);
    }

    /** Returns the listening address, with the selected port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Returns the configuration in effect. */
    public MysqlEndpointOptions options() {
        return options;
    }

    /**
     * Changes what can be changed while sessions run: the limit for clients and the patience of reads at once, the freshness for sessions
     * that begin afterwards.
     */
    public void reconfigure(MysqlEndpointOptions changed) {
        options = changed;
        loops.forEach(loop -> loop.options(changed));
    }

    /** Returns the number of clients. */
    public int clients() {
        return clients.get();
    }

    private @Nullable AdminTable table(String name, MysqlEndpointServices services) {
        return switch (name) {
            case "routes" -> CounterTables.routes(counters());
            case "waits" -> CounterTables.waits(counters());
            case "stats" ->
                CounterTables.stats(
                        counters(),
                        List.of(List.of("floor", services.admission().floor().floor())));
            case "pools" -> pools();
            default -> services.tables().apply(name);
        };
    }

    private AdminTable pools() {
        return new AdminTable(
                List.of("node", "connections", "idle", "private", "waiting"),
                connections().stream()
                        .map(counts -> List.<Object>of(
                                counts.node().name(), counts.open(), counts.idle(), counts.bound(), counts.awaited()))
                        .toList());
    }

    /** Returns the counts of what sessions do, one element for each event loop. */
    public List<RouteCounters> counters() {
        return loops.stream().map(MysqlLoop::counters).toList();
    }

    /** Returns the numbers of connections to each node. An event loop that does not answer within a second is left out. */
    public List<ConnectionCounts> connections() {
        List<CompletableFuture<List<ConnectionCounts>>> asked = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            asked.add(CompletableFuture.supplyAsync(loops.get(i)::connections, executors.get(i))
                    .completeOnTimeout(List.of(), 1, TimeUnit.SECONDS));
        }
        return ConnectionCounts.byNode(asked.stream()
                .map(CompletableFuture::join)
                .flatMap(List::stream)
                .toList());
    }

    /** Drops all connections of a node that is dead, frozen or about to be stopped. Reads that it had not begun to answer run elsewhere. */
    public void nodeGone(ComputationalNode node) {
        for (int i = 0; i < loops.size(); i++) {
            MysqlLoop loop = loops.get(i);
            executors.get(i).execute(() -> {
                if (node.role() == Role.MASTER) {
                    List.copyOf(loop.sessions()).forEach(MysqlSession::shutDown);
                } else {
                    loop.satelliteGone(node);
                }
            });
        }
    }

    @Override
    public void close() {
        if (group.isShuttingDown()) {
            return;
        }
        listener.close().syncUninterruptibly();
        for (int i = 0; i < loops.size(); i++) {
            MysqlLoop loop = loops.get(i);
            executors
                    .get(i)
                    .submit(() -> {
                        List.copyOf(loop.sessions()).forEach(MysqlSession::shutDown);
                        loop.close();
                    })
                    .awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
        parser.close();
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
