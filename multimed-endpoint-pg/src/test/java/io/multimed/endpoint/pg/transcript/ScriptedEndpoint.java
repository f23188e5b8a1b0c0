package io.multimed.endpoint.pg.transcript;

import io.multimed.core.counters.AdminTable;
import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.endpoint.pg.admin.AdminDatabase;
import io.multimed.endpoint.pg.backend.CommitDoubts;
import io.multimed.endpoint.pg.backend.ConnectionBudget;
import io.multimed.endpoint.pg.backend.EngineChannels;
import io.multimed.endpoint.pg.backend.EngineProcesses;
import io.multimed.endpoint.pg.backend.LoopBackends;
import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.endpoint.pg.client.CancelKeys;
import io.multimed.endpoint.pg.client.ClientConnection;
import io.multimed.endpoint.pg.client.ClientCounter;
import io.multimed.endpoint.pg.client.ClientShared;
import io.multimed.endpoint.pg.client.HeldBytes;
import io.multimed.endpoint.pg.client.PendingLogins;
import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.services.EngineSessions;
import io.multimed.endpoint.pg.services.Operations;
import io.multimed.endpoint.pg.session.loop.AllLoops;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.reads.AnsweredTimes;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.StatementClassifier;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The endpoint of one loop, with the nodes, the relay's log and the clock in a transcript's hands. */
@SuppressWarnings("FutureReturnValueIgnored") // The scripted loop acts when it is told to.
final class ScriptedEndpoint implements AutoCloseable {
    /** A position that the log has, and every Satellite has applied, from the start. */
    static final long START = 100;

    private static final long PARSER_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final ComputationalNode master = new ComputationalNode(NodeId.MASTER, Role.MASTER);
    private final ComputationalNode satellite = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
    private final ComputationalNode second = new ComputationalNode(NodeId.satellite(2), Role.SATELLITE);
    private final Map<String, ComputationalNode> nodes =
            Map.of("master", master, "satellite", satellite, "second", second);
    private final MasterVisibility visibility = new MasterVisibility();
    private final MasterLog log = new MasterLog(visibility);
    private final FreshnessGate gate = new FreshnessGate(() -> {});
    private final List<Runnable> snapshotsAsked = new ArrayList<>();
    private final Scene scene;
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
    private final MockTicker clock = Ticker.newMockTicker();
    private final ManualIoEventLoop loop =
            new ManualIoEventLoop(null, Thread.currentThread(), LocalIoHandler.newFactory(), clock);
    private final LoopBackends backends;
    private final LoopContext context;
    private final ClientShared shared;
    private final HeldBytes held = new HeldBytes(Long.MAX_VALUE);
    private final PendingLogins pendingLogins = new PendingLogins(() -> 100);
    private final Map<String, ScriptedChannel> channels = new HashMap<>();
    private final Map<String, Integer> connectionsOf = new HashMap<>();
    private final Set<String> refusing = new HashSet<>();
    private final Consumer<String> connected;
    private long schemaVersion;
    private boolean schemaVisible = true;
    private boolean catalogKnown = true;

    private static final class Address extends SocketAddress {
        private static final long serialVersionUID = 1;
        private final String node;

        Address(String node) {
            this.node = node;
        }

        @Override
        public String toString() {
            return node;
        }
    }

    /**
     * @param classifier of statements, which outlives this
     * @param connected receives the name of each connection that is opened to an engine
     */
    ScriptedEndpoint(Scene scene, StatementClassifier classifier, Consumer<String> connected) {
        this.scene = scene;
        this.connected = connected;
        log.connected(0);
        log.received(START);
        master.serving(true);
        satellite.serving(true);
        satellite.applied(START);
        second.applied(START);
        second.serving(scene.secondServes());
        EndpointOptions options = scene.options()
                .apply(EndpointOptions.defaults(new InetSocketAddress(InetAddress.getLoopbackAddress(), 5432)));
        EndpointServices services = services(classifier);
        EndpointLimits.EngineConnections limits = options.limits().connections();
        backends = new LoopBackends(
                loop,
                new Channels(),
                services.nodes(),
                services.addresses()::socketPath,
                EngineProcesses.UNKNOWN,
                new Doubts(),
                node -> (node == master ? limits.master() : limits.satellite()).sideBySide(),
                node -> new ConnectionBudget((node == master ? limits.master() : limits.satellite()).open()),
                options.limits().prepared().perBackend(),
                limits.sharing().ofOne(1),
                clock::nanoTime);
        AllLoops all = new AllLoops(() -> loop.execute(() -> backends.closeIdleFor(0)));
        context = new LoopContext(loop, options, services, backends, all, clock::nanoTime);
        all.loops().add(context);
        shared = new ClientShared(
                new CancelKeys(),
                new ClientCounter(),
                new ClientCounter(),
                new AdminDatabase(() -> List.of(context), services, all.measuredTimes(), () -> {}));
        loop.scheduleWithFixedDelay(
                () -> {
                    backends.closeIdleFor(options.timeouts().idleBackend().toNanos());
                    backends.refuseWaitingFor(options.timeouts().connection().toNanos());
                    backends.endIdleOthersWaitFor(
                            options.timeouts().idleTransaction().toNanos());
                },
                1,
                1,
                TimeUnit.SECONDS);
    }

    /** The times of statements, if the options let them be kept. */
    List<AnsweredTimes.Seen> answeredTimes() {
        return context.answeredTimes().all();
    }

    private EndpointServices services(StatementClassifier classifier) {
        return new EndpointServices(
                new Nodes(master, List.of(satellite, second)),
                log,
                visibility,
                gate,
                new FloorHistory(),
                Dispatcher::place,
                node -> node == master ? "master" : node == satellite ? "satellite" : "second",
                EngineProcesses.UNKNOWN,
                classifier,
                new EndpointServices.Schemas() {
                    @Override
                    public DatabaseCatalog catalog(String database) {
                        return catalogKnown ? scene.catalog() : DatabaseCatalog.UNKNOWN;
                    }

                    @Override
                    public long version(String database) {
                        return schemaVersion;
                    }

                    @Override
                    public long lastChange() {
                        return schemaVersion;
                    }

                    @Override
                    public boolean hasChangedSince(String database, long change) {
                        return schemaVersion > change;
                    }

                    @Override
                    public boolean isVersionVisible(String database) {
                        return schemaVisible;
                    }

                    @Override
                    public SharedCatalogs sharedCatalogs() {
                        return SharedCatalogs.UNCHANGED;
                    }
                },
                new EndpointServices.Snapshots() {
                    @Override
                    public void take(Runnable done) {
                        snapshotsAsked.add(done);
                    }

                    @Override
                    public @Nullable String query() {
                        return scene.snapshotQuery();
                    }

                    @Override
                    public void taken(String snapshot) {
                        visibility.visibleUpTo(Long.parseLong(snapshot));
                    }
                },
                new EndpointServices.Roles() {
                    @Override
                    public void find(String name, Consumer<EndpointServices.@Nullable Role> found) {
                        found.accept(EndpointServices.Role.alone(name, true, true, null, false));
                    }

                    @Override
                    public EngineSessions sessions() {
                        return (role, looked, found) ->
                                found.accept(new EngineSessions.Seen(Set.of("u"), Set.of("u"), Map.of()));
                    }
                },
                () -> new AdminTable(List.of("node"), List.of(List.of("master"))),
                Operations.NONE);
    }

    private final class Doubts implements CommitDoubts {
        @Override
        public long begin() {
            return log.doubt();
        }

        @Override
        public boolean isOver(long doubt) {
            return log.isOver(doubt);
        }
    }

    private final class Channels implements EngineChannels {
        @Override
        public Channel newChannel() {
            return new ScriptedChannel(allocator, this::connect);
        }

        private boolean connect(ScriptedChannel channel, SocketAddress to) {
            String node = to.toString();
            if (refusing.contains(node)) {
                return false;
            }
            int number = connectionsOf.merge(node, 1, Integer::sum);
            String name = number == 1 ? node : node + "-" + number;
            channels.put(name, channel);
            connected.accept(name);
            return true;
        }

        @Override
        public SocketAddress address(String socketPath) {
            return new Address(socketPath);
        }
    }

    /** Whether a name in a transcript is that of a connection to an engine. */
    static boolean isEngine(String name) {
        return List.of("master", "satellite", "second").contains(name.split("-", 2)[0]);
    }

    ScriptedChannel channel(String name) {
        ScriptedChannel channel = channels.get(name);
        if (channel == null) {
            throw new AssertionError("no connection " + name + " was opened; there are " + channels.keySet());
        }
        return channel;
    }

    /** Accepts a client. */
    void connect(String name) {
        ScriptedChannel channel = new ScriptedChannel(allocator, (ignored, address) -> false);
        channels.put(name, channel);
        channel.pipeline().addLast(new ClientConnection(context, shared, held, pendingLogins, channel));
        context.loop().register(channel);
        channel.accepted(new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000 + channels.size()));
        run();
    }

    /** Runs the loop until it has nothing more to do now, and no session waits for the parser. */
    void run() {
        long began = System.nanoTime();
        do {
            while (loop.runNow() > 0) {
                // Tasks may have added tasks.
            }
            if (System.nanoTime() - began > PARSER_NANOS) {
                throw new AssertionError("the loop does not come to rest");
            }
        } while (isAnyClassifying() || loop.runNow() > 0);
    }

    private boolean isAnyClassifying() {
        boolean any = context.clients().keySet().stream()
                .anyMatch(session -> session.report().state().equals("waiting: classification"));
        if (any) {
            Thread.onSpinWait();
        }
        return any;
    }

    void advance(long nanos) {
        long step = Math.max(TimeUnit.MILLISECONDS.toNanos(1), nanos / 200);
        for (long left = nanos; left > 0; left -= step) {
            clock.advance(Math.min(step, left), TimeUnit.NANOSECONDS);
            run();
        }
    }

    /** Performs a step that concerns neither bytes nor connections. @return false if it is none of these */
    boolean perform(String[] words) {
        ComputationalNode node = nodes.get(words[0]);
        String what = words[0] + " " + (words.length > 1 ? words[1] : "");
        if (words[0].equals("commit")) {
            long scn = Long.parseLong(words[1]);
            log.commit(scn, scn);
            log.received(scn);
            gate.progressed();
        } else if (words[0].equals("schema")) {
            schemaVersion = Long.parseLong(words[1]);
            schemaVisible = words.length < 3 || !words[2].equals("invisible");
        } else if (words[0].equals("catalog")) {
            catalogKnown = words[1].equals("known");
        } else if (what.equals("relay disconnects")) {
            log.disconnected();
        } else if (what.equals("relay returns")) {
            log.connected(log.received());
            gate.progressed();
        } else if (what.equals("master shows")) {
            visibility.visibleUpTo(Long.parseLong(words[2]));
            List<Runnable> asked = List.copyOf(snapshotsAsked);
            snapshotsAsked.clear();
            asked.forEach(Runnable::run);
        } else if (node != null && words[1].equals("applied")) {
            node.forwarded(Math.max(node.forwarded(), Long.parseLong(words[2])));
            node.applied(Long.parseLong(words[2]));
            gate.progressed();
        } else if (node != null && words[1].equals("fails")) {
            node.serving(false);
            backends.of(node).abortAll();
        } else if (node != null && words[1].equals("rests")) {
            node.serving(false);
            gate.progressed();
        } else if (node != null && words[1].equals("serves")) {
            node.serving(true);
            gate.progressed();
        } else if (node != null && words[1].equals("refuses")) {
            refusing.add(words[0]);
        } else if (node != null && words[1].equals("accepts")) {
            refusing.remove(words[0]);
        } else {
            return false;
        }
        run();
        return true;
    }

    /** Ends everything; all memory must have been given back then. */
    @Override
    public void close() {
        channels.values().forEach(ScriptedChannel::closeOtherEnd);
        run();
        channels.values()
                .forEach(channel -> channel.unsafe().close(channel.unsafe().voidPromise()));
        run();
        backends.close();
        context.close();
        run();
        long used = allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory();
        if (used != 0) {
            throw new AssertionError(used + " bytes were not given back");
        }
    }
}
