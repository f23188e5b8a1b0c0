package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;

/** The node and the reason of a placement. The text is made only on request. */
record Route(ComputationalNode node, Reason reason, String because) {
    @Override
    public String toString() {
        String told = node.id().name() + ": " + reason.text();
        return reason == Reason.FRESH_SATELLITE || because.equals(reason.text()) ? told : told + " (" + because + ")";
    }
}
