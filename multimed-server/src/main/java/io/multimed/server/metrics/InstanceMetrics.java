package io.multimed.server.metrics;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.session.loop.RouteCounters;
import io.multimed.server.satellite.SatelliteComparison;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.NodeStatus;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** The metrics of an instance. Every value is read from the object that owns it; nothing is counted twice. Thread-safe. */
public final class InstanceMetrics {
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Supplier<InstanceStatus> status;
    private final Supplier<SatelliteComparison.Counts> compared;
    private final PostgresEndpoint endpoint;
    private final Nodes nodes;

    public InstanceMetrics(
            Supplier<InstanceStatus> status,
            Supplier<SatelliteComparison.Counts> compared,
            PostgresEndpoint endpoint,
            Nodes nodes) {
        this.status = status;
        this.compared = compared;
        this.endpoint = endpoint;
        this.nodes = nodes;
        aboutNodes();
        aboutRoutes();
        aboutPools();
    }

    PrometheusRegistry registry() {
        return registry;
    }

    /** Returns the present values in Prometheus's text format. */
    public String text() {
        return PrometheusTextFormatWriter.create().toDebugString(registry.scrape());
    }

    private void aboutNodes() {
        perNode(
                "multimed_node_serving",
                "1 while transactions may be placed on the node",
                node -> node.state().equals("serving") ? 1 : 0);
        perNode(
                "multimed_node_applied_scn",
                "The position in the commit order that the node has applied",
                NodeStatus::applied);
        perNode(
                "multimed_node_lag_seconds",
                "How long ago the oldest commit was received that the node has not applied",
                node -> node.lagMillis() / MILLIS_PER_SECOND);
        perNode("multimed_node_active_transactions", "Transactions that run on the node", NodeStatus::active);
        CounterWithCallback.builder()
                .name("multimed_node_transactions_total")
                .help("Transactions that the node has served")
                .labelNames("node", "role")
                .callback(callback -> status.get()
                        .nodes()
                        .forEach(node -> callback.call((double) node.served(), node.name(), role(node))))
                .register(registry);
        comparison(
                "multimed_compared_rows_total",
                "Rows of full satellites that were compared with the master's",
                SatelliteComparison.Counts::rows);
        comparison(
                "multimed_differences_total",
                "Comparisons that found a satellite to differ from the master",
                SatelliteComparison.Counts::differences);
        GaugeWithCallback.builder()
                .name("multimed_floor_scn")
                .help("The last commit heard of: what a strong read must see")
                .callback(callback -> callback.call((double) status.get().scn()))
                .register(registry);
        GaugeWithCallback.builder()
                .name("multimed_clients")
                .help("Clients connected to the endpoint")
                .callback(callback -> callback.call(endpoint.clients()))
                .register(registry);
    }

    private void comparison(String name, String help, ToLongFunction<SatelliteComparison.Counts> value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call((double) value.applyAsLong(compared.get())))
                .register(registry);
    }

    private void perNode(String name, String help, ToDoubleFunction<NodeStatus> value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("node", "role")
                .callback(callback -> status.get()
                        .nodes()
                        .forEach(node -> callback.call(value.applyAsDouble(node), node.name(), role(node))))
                .register(registry);
    }

    private static String role(NodeStatus node) {
        return node.role().name().toLowerCase(Locale.ROOT);
    }

    private void aboutRoutes() {
        CounterWithCallback.builder()
                .name("multimed_routes_total")
                .help("Transactions by the reason for which they were placed where they were")
                .labelNames("reason")
                .callback(callback -> {
                    for (Reason reason : Reason.values()) {
                        callback.call(
                                (double) total(counters -> counters.placedFor(reason)),
                                reason.name().toLowerCase(Locale.ROOT));
                    }
                })
                .register(registry);
        counter("multimed_units_total", "Units of work completed", total -> total(RouteCounters::queries));
        registry.register(new WaitHistogram(
                "multimed_freshness_wait_seconds",
                "How long reads waited for a satellite to become fresh, those that had to wait",
                this::freshnessWaits,
                () -> total(RouteCounters::freshnessWaitNanos) / NANOS_PER_SECOND));
        counter(
                "multimed_coalesced_reads_total",
                "Reads answered with what another client was told that had asked the same at the same time",
                total -> total(RouteCounters::coalescedReads));
        counter(
                "multimed_visibility_waits_total",
                "Transactions that waited until the master showed what satellites had shown",
                total -> total(RouteCounters::visibilityWaits));
    }

    private void counter(String name, String help, Function<PostgresEndpoint, Number> value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call(value.apply(endpoint).doubleValue()))
                .register(registry);
    }

    private Map<Long, Long> freshnessWaits() {
        Map<Long, Long> waits = new HashMap<>();
        endpoint.counters().forEach(counters -> counters.freshnessWaitTimes().addTo(waits));
        return waits;
    }

    private long total(ToLongFunction<RouteCounters> value) {
        return endpoint.counters().stream().mapToLong(value).sum();
    }

    private void aboutPools() {
        GaugeWithCallback.builder()
                .name("multimed_pool_connections")
                .help(
                        "Connections to the engines: open, idle, private to one client, and how many clients wait for one")
                .labelNames("node", "state")
                .callback(callback -> {
                    for (ComputationalNode node : allNodes()) {
                        String name = node.id().name();
                        callback.call(pooled(node, NodeBackends::size), name, "open");
                        callback.call(pooled(node, NodeBackends::idleCount), name, "idle");
                        callback.call(pooled(node, NodeBackends::privateCount), name, "private");
                        callback.call(pooled(node, NodeBackends::waitingCount), name, "awaited");
                    }
                })
                .register(registry);
        perPool(
                "multimed_reads_behind_total",
                "Short reads that were sent on a connection behind those of other clients",
                NodeBackends::behindCount);
        perPool(
                "multimed_reads_displaced_total",
                "Those of them that had to be sent elsewhere, since what was ahead took long or was cancelled",
                NodeBackends::displacedCount);
    }

    private void perPool(String name, String help, ToLongFunction<NodeBackends> value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("node")
                .callback(callback -> {
                    for (ComputationalNode node : allNodes()) {
                        callback.call(
                                (double) endpoint.backends(node).stream()
                                        .mapToLong(value)
                                        .sum(),
                                node.id().name());
                    }
                })
                .register(registry);
    }

    private int pooled(ComputationalNode node, ToIntFunction<NodeBackends> value) {
        return endpoint.backends(node).stream().mapToInt(value).sum();
    }

    private List<ComputationalNode> allNodes() {
        List<ComputationalNode> all = new ArrayList<>(nodes.satellites());
        all.add(0, nodes.master());
        return all;
    }
}
