package io.multimed.server.metrics;

import io.multimed.core.counters.ConnectionCounts;
import io.multimed.core.counters.RouteCounters;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.server.satellite.SatelliteComparison;
import io.multimed.server.status.InstanceStatus;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The metrics of an instance with PostgreSQL. */
public final class PostgresMetrics {
    private PostgresMetrics() {}

    /** @param compared how much of the Satellites has been compared with the Master, requested for each look */
    public static InstanceMetrics of(
            Supplier<InstanceStatus> status,
            Supplier<SatelliteComparison.Counts> compared,
            PostgresEndpoint endpoint,
            Nodes nodes) {
        InstanceMetrics metrics = new InstanceMetrics(new InstanceMetrics.Sources(
                nodes, status, endpoint::clients, endpoint::counters, () -> connections(endpoint, nodes)));
        metrics.counter(
                "multimed_compared_rows_total",
                "Rows of full satellites that were compared with the master's",
                () -> compared.get().rows());
        metrics.counter(
                "multimed_differences_total",
                "Comparisons that found a satellite to differ from the master",
                () -> compared.get().differences());
        metrics.counter(
                "multimed_coalesced_reads_total",
                "Reads answered with what another client was told that had asked the same at the same time",
                () -> endpoint.counters().stream()
                        .mapToLong(RouteCounters::coalescedReads)
                        .sum());
        metrics.counterPerNode(
                "multimed_reads_behind_total",
                "Short reads that were sent on a connection behind those of other clients",
                node -> total(endpoint, node, NodeBackends::behindCount));
        metrics.counterPerNode(
                "multimed_reads_displaced_total",
                "Those of them that had to be sent elsewhere, since what was ahead took long or was cancelled",
                node -> total(endpoint, node, NodeBackends::displacedCount));
        return metrics;
    }

    private static List<ConnectionCounts> connections(PostgresEndpoint endpoint, Nodes nodes) {
        return Stream.concat(Stream.of(nodes.master()), nodes.satellites().stream())
                .map(node -> new ConnectionCounts(
                        node.id(),
                        count(endpoint, node, NodeBackends::size),
                        count(endpoint, node, NodeBackends::idleCount),
                        count(endpoint, node, NodeBackends::privateCount),
                        count(endpoint, node, NodeBackends::waitingCount)))
                .toList();
    }

    private static int count(PostgresEndpoint endpoint, ComputationalNode node, ToIntFunction<NodeBackends> value) {
        return endpoint.backends(node).stream().mapToInt(value).sum();
    }

    private static long total(PostgresEndpoint endpoint, ComputationalNode node, ToLongFunction<NodeBackends> value) {
        return endpoint.backends(node).stream().mapToLong(value).sum();
    }
}
