package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.session.loop.ReadRule;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The node and the reason of a placement. The text is made only on request.
 *
 * @param rule the routing rule that it obeys, or would have if the node had been able to; null if there is none
 * @param statements of the unit that was placed
 */
record Route(
        ComputationalNode node,
        Reason reason,
        String because,
        @Nullable ReadRule rule,
        List<Statement> statements) {
    /** Returns the same placement on another node. */
    Route on(ComputationalNode other) {
        return new Route(other, reason, because, rule, statements);
    }

    /** Returns the fingerprint of the first read's shape; empty if it reads nothing. */
    String shape() {
        for (Statement statement : statements) {
            if (statement instanceof Statement.Read read) {
                return read.marks().fingerprint();
            }
        }
        return "";
    }

    @Override
    public String toString() {
        String told = node.id().name() + ": " + reason.text();
        if (rule != null) {
            return told + " (" + rule.name() + ")";
        }
        return reason == Reason.FRESH_SATELLITE || because.equals(reason.text()) ? told : told + " (" + because + ")";
    }
}
