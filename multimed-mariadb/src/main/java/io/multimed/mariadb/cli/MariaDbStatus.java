package io.multimed.mariadb.cli;

import io.multimed.core.counters.AdminTable;
import io.multimed.mariadb.MariaDbInstance;
import io.multimed.mariadb.NodeReport;
import io.multimed.server.Multimed;
import io.multimed.server.metrics.InstanceMetrics;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.NodeStatus;
import io.multimed.server.status.NodesTable;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The state of a running instance, for {@code multimed status} and for metrics. Thread-safe. */
final class MariaDbStatus {
    private final MariaDbInstance instance;
    private final String uri;
    private final BooleanSupplier ending;

    /** @param uri for clients */
    MariaDbStatus(MariaDbInstance instance, String uri, BooleanSupplier ending) {
        this.instance = instance;
        this.uri = uri;
        this.ending = ending;
    }

    InstanceStatus now() {
        return new InstanceStatus(uri, ending.getAsBoolean(), instance.scn(), nodes(instance));
    }

    /** Returns a table of the instance for clients; null if there is none of this name. */
    static @Nullable AdminTable table(MariaDbInstance instance, String name) {
        return switch (name) {
            case "nodes" -> NodesTable.of(nodes(instance), scn -> scn);
            case "version" -> new AdminTable(List.of("version"), List.of(List.of("Multimed " + Multimed.VERSION)));
            default -> null;
        };
    }

    private static List<NodeStatus> nodes(MariaDbInstance instance) {
        return instance.reports().stream().map(MariaDbStatus::node).toList();
    }

    private static NodeStatus node(NodeReport report) {
        return new NodeStatus(
                report.node().id().name(),
                report.node().role(),
                report.state(),
                report.detail(),
                report.pid(),
                report.cores(),
                report.socket().toString(),
                0,
                report.applied(),
                report.lagMillis(),
                report.node().active(),
                report.node().served(),
                List.of());
    }

    InstanceMetrics metrics() {
        return new InstanceMetrics(new InstanceMetrics.Sources(
                instance.nodes(), this::now, instance::clients, instance::counters, instance::connections));
    }
}
