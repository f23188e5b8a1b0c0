package io.multimed.endpoint.mysql;

import io.multimed.core.admission.AdmissionSources;
import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.Floor;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.endpoint.mysql.services.MysqlEndpointServices;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.testkit.mariadb.PlainMariaDb;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A plain MariaDB as the Master, without Satellites, behind an endpoint. */
final class FrontedMariaDb implements AutoCloseable {
    final PlainMariaDb engine;
    final MysqlEndpoint endpoint;
    final AtomicInteger kills = new AtomicInteger();

    FrontedMariaDb(String... options) throws IOException, InterruptedException {
        this(MysqlEndpointOptions.defaults(new InetSocketAddress(0)).connections(), options);
    }

    /** @param connections of clients to the Master, at most */
    FrontedMariaDb(int connections, String... options) throws IOException, InterruptedException {
        engine = PlainMariaDb.start(options);
        ComputationalNode master = new ComputationalNode(new NodeId("master"), Role.MASTER);
        MysqlEndpointServices services = new MysqlEndpointServices(
                new AdmissionSources(
                        new Nodes(master, List.of()),
                        () -> Floor.UNKNOWN,
                        new FloorHistory(),
                        new MasterVisibility(),
                        Dispatcher::place),
                new FreshnessGate(() -> {}),
                node -> engine.socket().toString(),
                new MysqlEndpointServices.Account("root", ""),
                () -> 0,
                () -> 0,
                name -> null,
                kills::incrementAndGet);
        endpoint = MysqlEndpoint.start(
                MysqlEndpointOptions.defaults(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .with(1, connections),
                services,
                Thread::new);
    }

    int port() {
        return endpoint.address().getPort();
    }

    @Override
    public void close() throws IOException {
        endpoint.close();
        engine.close();
    }
}
