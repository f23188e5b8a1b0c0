package io.multimed.cli;

import io.multimed.model.topology.CpuSet;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.NodeStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A status as a table for people. */
final class StatusTable {
    private static final List<String> HEADINGS =
            List.of("NODE", "STATE", "PID", "CORES", "APPLIED", "LAG", "ACTIVE", "SERVED", "CONNECT WITH");

    private StatusTable() {}

    /** Returns the lines, without a line feed after the last. */
    static String of(InstanceStatus status) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        status.nodes().forEach(node -> rows.add(row(status, node)));
        StringBuilder table = new StringBuilder();
        table.append(status.endpoint())
                .append("   scn ")
                .append(position(status, status.scn()))
                .append(status.ending() ? "   ending: transactions in flight may finish, then the engines end" : "")
                .append('\n');
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int width = widest(rows, column);
                line.append(String.format(Locale.ROOT, "%-" + width + "s  ", row.get(column)));
            }
            table.append('\n').append(line.toString().stripTrailing());
        }
        for (NodeStatus node : status.nodes()) {
            if (!node.tables().isEmpty()) {
                table.append("\n\n").append(node.name()).append(" carries ").append(String.join(", ", node.tables()));
            }
        }
        return table.toString();
    }

    private static int widest(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
    }

    private static List<String> row(InstanceStatus status, NodeStatus node) {
        return List.of(
                node.name(),
                node.detail().isEmpty() ? node.state() : node.state() + ": " + node.detail(),
                node.pid() == 0 ? "-" : Long.toString(node.pid()),
                CpuSet.of(node.cores()).toString(),
                position(status, node.applied()),
                String.format(Locale.ROOT, "%.0f ms", node.lagMillis()),
                Integer.toString(node.active()),
                Long.toString(node.served()),
                isMariaDb(status) ? "--socket=" + node.host() : "host=" + node.host() + " port=" + node.port());
    }

    private static boolean isMariaDb(InstanceStatus status) {
        return status.endpoint().startsWith("mysql:");
    }

    /** Returns an SCN in the engine's notation: a position in PostgreSQL's log, the sequence number of MariaDB's GTID. */
    private static String position(InstanceStatus status, long scn) {
        return isMariaDb(status)
                ? Long.toString(scn)
                : String.format(Locale.ROOT, "%X/%X", scn >>> 32, scn & 0xffff_ffffL);
    }
}
