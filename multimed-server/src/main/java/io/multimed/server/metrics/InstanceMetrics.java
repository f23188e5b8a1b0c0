package io.multimed.server.metrics;

import io.multimed.core.counters.ConnectionCounts;
import io.multimed.core.counters.RouteCounters;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
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
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The metrics of an instance, whatever its engine, to which others can be added. Every value is read from the object that owns it; nothing
 * is counted twice. Thread-safe.
 */
public final class InstanceMetrics {
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Sources sources;

    /**
     * The objects that own the values. Each may be asked by any thread, and does not block for long.
     *
     * @param clients that are connected
     * @param counters one for each event loop
     * @param connections to the engines, one element for each node
     */
    public record Sources(
            Nodes nodes,
            Supplier<InstanceStatus> status,
            IntSupplier clients,
            Supplier<List<RouteCounters>> counters,
            Supplier<List<ConnectionCounts>> connections) {
        private List<ComputationalNode> allNodes() {
            List<ComputationalNode> all = new ArrayList<>(nodes.satellites());
            all.add(0, nodes.master());
            return all;
        }

        private long total(ToLongFunction<RouteCounters> value) {
            return counters.get().stream().mapToLong(value).sum();
        }

        private Map<Long, Long> freshnessWaits() {
            Map<Long, Long> waits = new HashMap<>();
            counters.get().forEach(each -> each.freshnessWaitTimes().addTo(waits));
            return waits;
        }
    }

    public InstanceMetrics(Sources sources) {
        this.sources = sources;
        aboutNodes();
        aboutRoutes();
        aboutConnections();
    }

    /** Returns the registry of all. */
    public PrometheusRegistry registry() {
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
        GaugeWithCallback.builder()
                .name("multimed_node_state")
                .help("1 for the state that the node is in")
                .labelNames("node", "role", "state")
                .callback(callback -> sources.status()
                        .get()
                        .nodes()
                        .forEach(node -> callback.call(1, node.name(), role(node), node.state())))
                .register(registry);
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
                .callback(callback -> sources.status()
                        .get()
                        .nodes()
                        .forEach(node -> callback.call((double) node.served(), node.name(), role(node))))
                .register(registry);
        CounterWithCallback.builder()
                .name("multimed_node_copies_total")
                .help("Copies of the master's data that have begun for the satellite")
                .labelNames("node")
                .callback(callback -> sources.nodes()
                        .satellites()
                        .forEach(node ->
                                callback.call((double) node.copies(), node.id().name())))
                .register(registry);
        GaugeWithCallback.builder()
                .name("multimed_floor_scn")
                .help("The last commit heard of: what a strong read must see")
                .callback(callback ->
                        callback.call((double) sources.status().get().scn()))
                .register(registry);
        GaugeWithCallback.builder()
                .name("multimed_clients")
                .help("Clients connected to the endpoint")
                .callback(callback -> callback.call(sources.clients().getAsInt()))
                .register(registry);
    }

    private void perNode(String name, String help, ToDoubleFunction<NodeStatus> value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("node", "role")
                .callback(callback -> sources.status()
                        .get()
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
                                (double) sources.total(counters -> counters.placedFor(reason)),
                                reason.name().toLowerCase(Locale.ROOT));
                    }
                })
                .register(registry);
        counter("multimed_units_total", "Units of work completed", () -> sources.total(RouteCounters::queries));
        registry.register(new WaitHistogram(
                "multimed_freshness_wait_seconds",
                "How long reads waited for a satellite to become fresh, those that had to wait",
                sources::freshnessWaits,
                () -> sources.total(RouteCounters::freshnessWaitNanos) / NANOS_PER_SECOND));
        counter(
                "multimed_visibility_waits_total",
                "Transactions that waited until the master showed what satellites had shown",
                () -> sources.total(RouteCounters::visibilityWaits));
    }

    /** Adds a number that never falls. */
    public void counter(String name, String help, LongSupplier value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call((double) value.getAsLong()))
                .register(registry);
    }

    /** Adds a number of each node that never falls. */
    public void counterPerNode(String name, String help, ToLongFunction<ComputationalNode> value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("node")
                .callback(callback -> {
                    for (ComputationalNode node : sources.allNodes()) {
                        callback.call(
                                (double) value.applyAsLong(node), node.id().name());
                    }
                })
                .register(registry);
    }

    private void aboutConnections() {
        GaugeWithCallback.builder()
                .name("multimed_pool_connections")
                .help(
                        "Connections to the engines: open, idle, private to one client, and how many clients wait for one")
                .labelNames("node", "state")
                .callback(callback -> {
                    for (ConnectionCounts counts : sources.connections().get()) {
                        String name = counts.node().name();
                        callback.call(counts.open(), name, "open");
                        callback.call(counts.idle(), name, "idle");
                        callback.call(counts.bound(), name, "private");
                        callback.call(counts.awaited(), name, "awaited");
                    }
                })
                .register(registry);
    }
}
