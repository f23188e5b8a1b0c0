package io.multimed.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.backend.EngineProcesses;
import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.services.Operations;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.server.config.ListenAddress;
import io.multimed.server.satellite.SatelliteComparison;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.NodeStatus;
import io.multimed.server.status.NodesTable;
import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.StatementClassifier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Metrics for Prometheus: names, labels and units, with present values. */
class MetricsServerTest {
    private final ComputationalNode master = new ComputationalNode(NodeId.MASTER, Role.MASTER);
    private final ComputationalNode satellite = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
    private final Nodes nodes = new Nodes(master, List.of(satellite));
    private final StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT);
    private final AtomicReference<InstanceStatus> status = new AtomicReference<>();
    private PostgresEndpoint endpoint;
    private MetricsServer metrics;

    @BeforeEach
    void start() throws IOException {
        endpoint = PostgresEndpoint.start(
                EndpointOptions.defaults(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                services(),
                Thread.ofPlatform().daemon().factory());
        status.set(new InstanceStatus(
                "postgresql://127.0.0.1:7432/postgres",
                false,
                4711,
                List.of(
                        node("master", Role.MASTER, "serving", 0, 12),
                        node("satellite-1", Role.SATELLITE, "cloning", 1500, 7))));
        metrics = open(0);
    }

    private MetricsServer open(int port) throws IOException {
        return MetricsServer.start(
                new ListenAddress("127.0.0.1", port),
                PostgresMetrics.of(status::get, () -> new SatelliteComparison.Counts(5, 1), endpoint, nodes),
                MetricsServer.Extent.METRICS);
    }

    @AfterEach
    void stop() {
        metrics.close();
        endpoint.close();
        classifier.close();
    }

    private static NodeStatus node(String name, Role role, String state, double lagMillis, long served) {
        return new NodeStatus(
                name, role, state, "", 1, List.of(0), "/run", 5432, 4000, lagMillis, 3, served, List.of());
    }

    private EndpointServices services() {
        MasterVisibility visibility = new MasterVisibility();
        return new EndpointServices(
                nodes,
                new MasterLog(visibility),
                visibility,
                new FreshnessGate(() -> {}),
                new FloorHistory(),
                Dispatcher::place,
                node -> "/nonexistent",
                EngineProcesses.UNKNOWN,
                classifier,
                new EndpointServices.Schemas() {
                    @Override
                    public DatabaseCatalog catalog(String database) {
                        return DatabaseCatalog.UNKNOWN;
                    }

                    @Override
                    public long version(String database) {
                        return 0;
                    }

                    @Override
                    public long lastChange() {
                        return 0;
                    }

                    @Override
                    public boolean hasChangedSince(String database, long change) {
                        return false;
                    }

                    @Override
                    public boolean isVersionVisible(String database) {
                        return true;
                    }

                    @Override
                    public SharedCatalogs sharedCatalogs() {
                        return SharedCatalogs.UNCHANGED;
                    }
                },
                Runnable::run,
                (name, found) -> found.accept(null),
                () -> NodesTable.of(List.of()),
                Operations.NONE);
    }

    List<String> scraped() throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metrics.port() + "/metrics"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode());
            return answer.body().lines().toList();
        }
    }

    private void assertScraped(String... lines) throws IOException, InterruptedException {
        List<String> scraped = scraped();
        for (String line : lines) {
            assertTrue(scraped.contains(line), () -> line + " is not among\n" + String.join("\n", scraped));
        }
    }

    @Test
    void tellsOfEveryNode() throws Exception {
        assertScraped(
                "multimed_node_serving{node=\"master\",role=\"master\"} 1.0",
                "multimed_node_serving{node=\"satellite-1\",role=\"satellite\"} 0.0",
                "multimed_node_state{node=\"satellite-1\",role=\"satellite\",state=\"cloning\"} 1.0",
                "multimed_node_copies_total{node=\"satellite-1\"} 0.0",
                "multimed_node_applied_scn{node=\"satellite-1\",role=\"satellite\"} 4000.0",
                "multimed_node_lag_seconds{node=\"satellite-1\",role=\"satellite\"} 1.5",
                "multimed_node_active_transactions{node=\"master\",role=\"master\"} 3.0",
                "multimed_node_transactions_total{node=\"master\",role=\"master\"} 12.0",
                "multimed_compared_rows_total 5.0",
                "multimed_differences_total 1.0",
                "multimed_floor_scn 4711.0");
        status.set(new InstanceStatus("", false, 4712, List.of(node("master", Role.MASTER, "down", 0, 13))));
        assertScraped(
                "multimed_node_serving{node=\"master\",role=\"master\"} 0.0",
                "multimed_node_transactions_total{node=\"master\",role=\"master\"} 13.0",
                "multimed_floor_scn 4712.0");
    }

    @Test
    void tellsOfRoutesByEveryReasonAndOfWaits() throws Exception {
        List<String> scraped = scraped();
        for (Reason reason : Reason.values()) {
            String line = "multimed_routes_total{reason=\"" + reason.name().toLowerCase(Locale.ROOT) + "\"} 0.0";
            assertTrue(scraped.contains(line), line);
        }
        assertScraped(
                "multimed_freshness_wait_seconds_bucket{le=\"1.0E-4\"} 0",
                "multimed_freshness_wait_seconds_bucket{le=\"0.005\"} 0",
                "multimed_freshness_wait_seconds_bucket{le=\"+Inf\"} 0",
                "multimed_freshness_wait_seconds_count 0",
                "multimed_freshness_wait_seconds_sum 0.0",
                "multimed_coalesced_reads_total 0.0",
                "multimed_visibility_waits_total 0.0",
                "multimed_units_total 0.0");
    }

    @Test
    void tellsOfPoolsAndClients() throws Exception {
        assertScraped(
                "multimed_clients 0.0",
                "multimed_pool_connections{node=\"master\",state=\"open\"} 0.0",
                "multimed_pool_connections{node=\"satellite-1\",state=\"idle\"} 0.0",
                "multimed_pool_connections{node=\"satellite-1\",state=\"private\"} 0.0",
                "multimed_pool_connections{node=\"satellite-1\",state=\"awaited\"} 0.0",
                "multimed_reads_behind_total{node=\"satellite-1\"} 0.0",
                "multimed_reads_displaced_total{node=\"satellite-1\"} 0.0");
    }

    @Test
    void aPortInUseIsToldOf() {
        assertThrows(IOException.class, () -> open(metrics.port()));
    }

    @Test
    void listensNoLongerAfterItsEnd() throws Exception {
        int port = metrics.port();
        metrics.close();
        assertThrows(IOException.class, () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
    }
}
