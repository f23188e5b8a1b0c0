package io.multimed.server.status;

import io.multimed.endpoint.pg.services.AdminTable;
import java.util.List;
import java.util.Locale;

/** The result of {@code SHOW NODES} in the admin database. */
public final class NodesTable {
    private static final List<String> COLUMNS = List.of(
            "name", "role", "state", "pid", "cores", "host", "port", "applied", "lag_ms", "active", "served", "tables",
            "detail");

    private NodesTable() {}

    public static AdminTable of(List<NodeStatus> nodes) {
        return new AdminTable(COLUMNS, nodes.stream().map(NodesTable::row).toList());
    }

    private static List<Object> row(NodeStatus node) {
        return List.of(
                node.name(),
                node.role().name().toLowerCase(Locale.ROOT),
                node.state(),
                node.pid(),
                node.cores(),
                node.host(),
                node.port(),
                String.format(Locale.ROOT, "%X/%X", node.applied() >>> 32, node.applied() & 0xffff_ffffL),
                String.format(Locale.ROOT, "%.1f", node.lagMillis()),
                node.active(),
                node.served(),
                String.join(", ", node.tables()),
                node.detail());
    }
}
