package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.counters.AdminTable;
import io.multimed.core.node.ComputationalNode;
import java.util.List;
import java.util.function.Supplier;

/** The states of nodes, as {@code SHOW NODES} shows them. */
public final class NodeStates {
    private final Supplier<AdminTable> table;

    /** @param table the result of {@code SHOW NODES} */
    public NodeStates(Supplier<AdminTable> table) {
        this.table = table;
    }

    /** Returns the state of a node, with its details. */
    String of(ComputationalNode node) {
        AdminTable nodes = table.get();
        int name = nodes.columns().indexOf("name");
        int state = nodes.columns().indexOf("state");
        int detail = nodes.columns().indexOf("detail");
        for (List<Object> row : nodes.rows()) {
            if (name >= 0 && state >= 0 && row.get(name).equals(node.id().name())) {
                String more = detail < 0 ? "" : row.get(detail).toString();
                return row.get(state) + (more.isEmpty() ? "" : ": " + more);
            }
        }
        return "its state is not known";
    }
}
