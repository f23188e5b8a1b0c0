package io.multimed.core.dispatch;

import io.multimed.core.node.ComputationalNode;

/** The destination of a read. It is computed once; no later step analyzes the statement again. */
public sealed interface Placement {
    record OnMaster(Reason reason) implements Placement {}

    /** @param node a node that has applied everything the read must see */
    record OnSatellite(ComputationalNode node) implements Placement {}

    /** @param required the SCN to wait for; place again when a Satellite has progressed, or give up after a bounded time */
    record AwaitFreshness(long required) implements Placement {}
}
