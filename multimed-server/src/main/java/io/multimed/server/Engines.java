package io.multimed.server;

import io.multimed.core.node.NodeContents;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.core.spi.EngineException;
import io.multimed.endpoint.pg.backend.ConnectionBudget;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.endpoint.pg.session.settings.MultimedSettings;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.catalog.VisibilityProbe;
import io.multimed.engine.postgresql.cluster.CarriedTables;
import io.multimed.engine.postgresql.cluster.MasterCluster;
import io.multimed.engine.postgresql.cluster.MasterConfig;
import io.multimed.engine.postgresql.cluster.MemoryLeftovers;
import io.multimed.engine.postgresql.cluster.PartialCluster;
import io.multimed.engine.postgresql.cluster.SatelliteCluster;
import io.multimed.engine.postgresql.cluster.SatelliteConfig;
import io.multimed.engine.postgresql.indexes.MovedIndex;
import io.multimed.engine.postgresql.relay.RelayAddresses;
import io.multimed.engine.postgresql.writeset.MasterWriteSets;
import io.multimed.engine.process.CoreBinding;
import io.multimed.model.NodeId;
import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.Storage;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.PartialSatellite;
import io.multimed.server.home.Home;
import io.multimed.server.os.AvailableMemory;
import io.multimed.server.satellite.SatelliteServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates the engines of an instance from its plan, its home and its configuration. */
final class Engines implements SatelliteServers {
    static final String SUPERUSER = "postgres";
    private static final int RELAY_PORT = 5432;
    private static final AvailableMemory MEMORY = new AvailableMemory(Path.of("/"));

    /**
     * Number of connections to an engine besides those of clients: relay, probe, catalogs, status, copies, direct ones of an
     * administrator.
     */
    private static final int OWN_CONNECTIONS = 40;

    /** Number of connections reserved by PostgreSQL (superuser_reserved_connections). */
    private static final int RESERVED = 3;

    /**
     * Number of slots, and of senders of log, of a Master whose log is decoded: one for each database, one for each partial Satellite
     * that catches up, and those that every Master has.
     */
    private static final int DECODINGS = 2 * NodeContents.MOST_PARTIAL + 10;

    private static final int FEWEST_POOLED = 16;
    private static final int POOLED_PER_CORE = 2;
    /**
     * Number of connections per core of the Master. An update transaction keeps its connection between its statements: under TPC-W
     * ordering on 12 cores, 18 connections kept the Master's processes busy on fewer than three cores, while 180 of 200 clients
     * waited for a connection.
     */
    private static final int POOLED_PER_CORE_OF_MASTER = 8;
    /** Smallest number of busy connections: while one process waits for a page or a lock, another continues. */
    private static final int FEWEST_BUSY = 2;

    private final StartupPlan startup;
    private final MasterCluster master;

    Engines(StartupPlan startup) {
        this.startup = startup;
        Home home = startup.home();
        NodePlan plan = startup.model().master();
        this.master = new MasterCluster(new MasterConfig(
                startup.binaries(),
                startup.user(),
                home.data(),
                home.run(NodeId.MASTER),
                home.log(NodeId.MASTER),
                binding(plan),
                plan.memoryBytes(),
                open(plan) + OWN_CONNECTIONS,
                settings(plan)));
    }

    MasterCluster master() {
        return master;
    }

    private Map<String, String> settings(NodePlan plan) {
        Map<String, String> settings = new HashMap<>(
                MultimedSettings.defaults(startup.configuration().reads().freshness()));
        if (plan.id().equals(NodeId.MASTER) && startup.keepsLog()) {
            if (startup.decodes()) {
                settings.put("wal_level", "logical");
            }
            settings.put("max_replication_slots", Integer.toString(DECODINGS));
            settings.put("max_wal_senders", Integer.toString(DECODINGS));
        }
        settings.putAll(plan.settings());
        return settings;
    }

    @Override
    public SatelliteCluster full(NodePlan plan, Storage storage) {
        return new SatelliteCluster(config(plan, storage), master);
    }

    @Override
    public PartialCluster partial(
            NodePlan plan,
            PartialSatellite partial,
            Supplier<List<String>> tables,
            Supplier<List<MovedIndex>> moved,
            Storage storage) {
        return new PartialCluster(
                config(plan, storage),
                () -> new CarriedTables(partial.database(), tables.get(), partial.columns()),
                partial.indexes(),
                moved,
                master);
    }

    private SatelliteConfig config(NodePlan plan, Storage storage) {
        Home home = startup.home();
        Path memory = startup.configuration().satellites().memoryDirectory();
        boolean inMemory = storage == Storage.MEMORY;
        return new SatelliteConfig(
                plan.id(),
                startup.binaries(),
                startup.user(),
                inMemory ? home.memoryData(memory, plan.id()) : home.diskData(plan.id()),
                inMemory,
                MEMORY,
                home.run(plan.id()),
                home.log(plan.id()),
                new NodeAddress(home.relay(), RELAY_PORT),
                binding(plan),
                plan.memoryBytes(),
                mostToSatellite(),
                SatelliteConfig.LONG_READER,
                settings(plan));
    }

    /** Returns the number of connections that may be open to any Satellite: clients' limits are the same for all of them. */
    private int mostToSatellite() {
        return startup.model().satellites().stream()
                .mapToInt(plan -> open(plan)
                        + ReadSharing.YIELDING_EACH
                                * sharing(plan, startup.configuration()).connections()
                        + OWN_CONNECTIONS)
                .max()
                .orElse(OWN_CONNECTIONS);
    }

    /** Deletes data that earlier runs have left in memory and this one will not use. */
    void giveBackMemory() throws InterruptedException {
        Home home = startup.home();
        Path memory = startup.configuration().satellites().memoryDirectory();
        Set<Path> wanted = startup.model().satellites().stream()
                .filter(plan -> plan.storage() == Storage.MEMORY)
                .map(plan -> home.memoryData(memory, plan.id()))
                .collect(Collectors.toSet());
        MemoryLeftovers.remove(memory, home.data(), wanted, startup.user());
    }

    /**
     * Deletes the directory, with the file that names its owner, in which the Satellites kept data in memory. Called after the last
     * Satellite of an orderly shutdown.
     */
    void leaveMemory() {
        Path memory = startup.configuration().satellites().memoryDirectory();
        MemoryLeftovers.removeEmpty(startup.home().memoryRoot(memory));
    }

    /** Returns the Master's address for the relay and the relay's for the Satellites; creates the latter's directory. */
    RelayAddresses relay() throws EngineException {
        Path directory = startup.home().relay();
        startup.user().privateDirectory(directory);
        startup.user().requireReach("The relay's directory", directory);
        NodeAddress address = master.address();
        return new RelayAddresses(
                address.directory(), address.port(), SUPERUSER, master.dataDirectory(), directory, RELAY_PORT);
    }

    /** Drops what an earlier run has left in the Master for write sets, if anything. The Master must be serving. */
    void dropLeftSlots() throws EngineException, InterruptedException {
        if (!startup.leftSlots() && !startup.leftTriggers()) {
            return;
        }
        try {
            MasterWriteSets.dropLeft(master.address(), SUPERUSER);
        } catch (SQLException e) {
            throw new EngineException(
                    "Cannot drop the replication slots of an earlier run: " + e.getMessage() + ".", e);
        }
    }

    /** Connects to the Master as its superuser; blocks. */
    Connection connect(String database) throws SQLException {
        return AdminConnection.open(master.address(), SUPERUSER, database);
    }

    /** Connects to a node as its superuser; blocks. */
    Connection connect(NodeAddress node, String database) throws SQLException {
        return AdminConnection.open(node, SUPERUSER, database);
    }

    /** Creates the probe that asks the Master for its visible commits and for the end of its log; it is not started yet. */
    VisibilityProbe probe(MasterVisibility visibility, MasterLog log) {
        return new VisibilityProbe(master.address(), SUPERUSER, visibility, log);
    }

    /** Returns the numbers of connections that clients may have to this engine. */
    EndpointLimits.ToEngine connections(NodePlan plan, Configuration.Pools pools) {
        int transactions = Math.max(pools.transactions(), pooled(plan, pools));
        int kept = pools.keptSessions();
        String configured = plan.settings().get("max_connections");
        if (configured != null && configured.matches("[0-9]{1,9}")) {
            // The user's max_connections may be lower than the defaults require.
            int most = Math.max(1, Integer.parseInt(configured) - OWN_CONNECTIONS - RESERVED);
            transactions = Math.min(transactions, most);
            kept = Math.min(kept, most - transactions);
        }
        return new EndpointLimits.ToEngine(
                pooled(plan, pools), new ConnectionBudget.Limits(transactions, kept, RESERVED));
    }

    /** Returns the number of connections that may be open. */
    private int open(NodePlan plan) {
        return open(plan, startup.configuration().pools());
    }

    private static int sum(ConnectionBudget.Limits open) {
        return open.transactions() + open.kept() + open.reserved();
    }

    private int open(NodePlan plan, Configuration.Pools pools) {
        return sum(connections(plan, pools).open());
    }

    /** Whether the engines, as they were started, admit as many connections as these pools may open. */
    boolean admit(Configuration.Pools pools) {
        return Stream.concat(Stream.of(startup.model().master()), startup.model().satellites().stream())
                .allMatch(plan -> open(plan, pools) <= open(plan));
    }

    /** Returns the number of connections to this engine on which clients' transactions execute side by side. */
    private static int pooled(NodePlan plan, Configuration.Pools pools) {
        boolean master = plan.id().equals(NodeId.MASTER);
        int perCore = master ? POOLED_PER_CORE_OF_MASTER : POOLED_PER_CORE;
        return (master ? pools.master() : pools.satellite()).orElse(Math.max(FEWEST_POOLED, perCore * plan.share()));
    }

    /**
     * Returns the limits for short reads that share connections to this Satellite. Enough connections are busy when each core that
     * the node counts on has an engine process.
     */
    ReadSharing sharing(NodePlan plan, Configuration configuration) {
        return new ReadSharing(
                        Math.max(FEWEST_BUSY, plan.share()),
                        configuration.pools().readsPerConnection())
                .withCoalescing(configuration.reads().coalesce());
    }

    private CoreBinding binding(NodePlan plan) {
        return startup.model().binds(plan) ? new CoreBinding(plan.cpus().toList(), plan.numaNodes()) : CoreBinding.NONE;
    }
}
