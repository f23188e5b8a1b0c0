package io.multimed.endpoint.mysql;

import io.multimed.core.admission.AdmissionSources;
import io.multimed.core.counters.AdminTable;
import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.endpoint.mysql.services.MysqlEndpointServices;
import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.testkit.mariadb.MysqlWire;
import io.multimed.testkit.mariadb.PlainMariaDb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A plain MariaDB as the Master and its replica as the Satellite, behind an endpoint. In place of the relay, the Master is asked for the end
 * of its binary log whenever a read needs the floor: an acknowledged commit is in it.
 */
final class ReplicatedMariaDb implements AutoCloseable {
    static final AdminTable VERSION =
            new AdminTable(List.of("version", "number"), List.of(List.of("Multimed of the tests", 17L)));

    private static final int TRIES = 2000;
    private static final int SAMPLED = 50;

    final PlainMariaDb masterEngine;
    final PlainMariaDb satelliteEngine;
    final ComputationalNode satellite = new ComputationalNode(new NodeId("satellite-1"), Role.SATELLITE);
    final ComputationalNode master = new ComputationalNode(NodeId.MASTER, Role.MASTER);
    final MysqlEndpoint endpoint;
    final AtomicLong schemaChanges = new AtomicLong();

    private final MysqlWire positions;
    private final MysqlWire appliedPositions;
    private final MasterVisibility visibility = new MasterVisibility();
    private final FloorHistory floors = new FloorHistory();
    private final MasterLog log = new MasterLog(visibility);
    private final FreshnessGate gate = new FreshnessGate(() -> {});
    private final Thread watch;
    private volatile boolean closed;

    ReplicatedMariaDb() throws IOException, InterruptedException {
        this(MysqlEndpointOptions.defaults(new InetSocketAddress(0)).connections());
    }

    /** @param connections of clients to the Master, at most */
    ReplicatedMariaDb(int connections) throws IOException, InterruptedException {
        this(connections, Duration.ofSeconds(5));
    }

    /** @param patience of reads that wait for the Satellite */
    ReplicatedMariaDb(int connections, Duration patience) throws IOException, InterruptedException {
        masterEngine =
                PlainMariaDb.start("--server-id=1", "--log-bin=log", "--binlog-format=ROW", "--gtid-strict-mode=1");
        satelliteEngine = PlainMariaDb.start("--server-id=2", "--read-only=1", "--gtid-strict-mode=1");
        try (MysqlWire root = root(satelliteEngine)) {
            root.query(
                    "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=" + masterEngine.port()
                            + ", MASTER_USER='root', MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1, MASTER_SSL=0, MASTER_SSL_VERIFY_SERVER_CERT=0");
            root.query("START SLAVE");
        }
        positions = root(masterEngine);
        appliedPositions = root(satelliteEngine);
        log.connected(0);
        satellite.forwarded(Long.MAX_VALUE);
        satellite.serving(true);
        watch = Thread.ofPlatform().daemon().start(this::watchApplied);
        MysqlEndpointServices services = new MysqlEndpointServices(
                new AdmissionSources(
                        new Nodes(master, List.of(satellite)), this::floor, floors, visibility, Dispatcher::place),
                gate,
                node -> (node.role() == Role.MASTER ? masterEngine : satelliteEngine)
                        .socket()
                        .toString(),
                new MysqlEndpointServices.Account("root", ""),
                schemaChanges::get,
                schemaChanges::get,
                name -> name.equals("version") ? VERSION : null,
                () -> {});
        MysqlEndpointOptions defaults =
                MysqlEndpointOptions.defaults(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        endpoint = MysqlEndpoint.start(
                defaults.with(defaults.loops(), connections).with(defaults.clients(), Freshness.STRONG, patience),
                services,
                Thread::new);
    }

    static MysqlWire root(PlainMariaDb engine) throws IOException {
        MysqlWire client = MysqlWire.connect(engine.port());
        client.login("root", "", null);
        return client;
    }

    private static long position(MysqlWire engine, String variable) throws IOException {
        synchronized (engine) {
            for (String packet : engine.query("SELECT @@" + variable)) {
                int at = packet.lastIndexOf("0-1-");
                if (at >= 0) {
                    return Long.parseLong(packet.substring(at + 4));
                }
            }
            return 0;
        }
    }

    private long floor() {
        try {
            long end = position(positions, "gtid_binlog_pos");
            synchronized (log) {
                for (long scn = log.received() + 1; scn <= end; scn++) {
                    log.commit(scn, scn);
                    log.received(scn);
                }
            }
            return log.floor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void watchApplied() {
        try {
            for (int i = 0; !closed; i++) {
                satellite.applied(position(appliedPositions, "gtid_slave_pos"));
                // The history holds a number of samples, which have to last.
                if (i % SAMPLED == 0) {
                    floors.sample(System.nanoTime(), log.floor());
                }
                gate.progressed();
                Thread.sleep(1);
            }
        } catch (IOException | InterruptedException e) {
            satellite.serving(false);
        }
    }

    /** Executes the read until the Satellite has executed it. @return its result then */
    <T> T onSatellite(Callable<T> read) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            long before = satellite.served();
            T result = read.call();
            if (satellite.served() > before) {
                return result;
            }
            Thread.sleep(1);
        }
        throw new AssertionError("the Satellite never executes it");
    }

    int port() {
        return endpoint.address().getPort();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        watch.interrupt();
        endpoint.close();
        positions.close();
        appliedPositions.close();
        satelliteEngine.close();
        masterEngine.close();
    }
}
