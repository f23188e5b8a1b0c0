package io.multimed.server.status;

import io.multimed.core.counters.AdminTable;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/** The result of {@code SHOW NODES} in the admin database. */
public final class NodesTable {
    private static final List<String> COLUMNS = List.of(
            "name", "role", "state", "pid", "cores", "host", "port", "applied", "lag_ms", "active", "served", "tables",
            "detail");

    private NodesTable() {}

    /** Shows positions as PostgreSQL does. */
    public static AdminTable of(List<NodeStatus> nodes) {
        return of(nodes, scn -> String.format(Locale.ROOT, "%X/%X", scn >>> 32, scn & 0xffff_ffffL));
    }

    /** @param position how an SCN is shown */
    public static AdminTable of(List<NodeStatus> nodes, LongFunction<Object> position) {
        return new AdminTable(
                COLUMNS, nodes.stream().map(node -> row(node, position)).toList());
    }

    private static List<Object> row(NodeStatus node, LongFunction<Object> position) {
        return List.of(
                node.name(),
                node.role().name().toLowerCase(Locale.ROOT),
                node.state(),
                node.pid(),
                node.cores(),
                node.host(),
                node.port(),
                position.apply(node.applied()),
                String.format(Locale.ROOT, "%.1f", node.lagMillis()),
                node.active(),
                node.served(),
                String.join(", ", node.tables()),
                node.detail());
    }
}
