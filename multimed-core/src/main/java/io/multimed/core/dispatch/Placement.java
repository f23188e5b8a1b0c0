package io.multimed.core.dispatch;

import io.multimed.core.node.ComputationalNode;

/** Where a read goes; computed once, nothing later looks at the statement again. */
public sealed interface Placement {
    record OnMaster(Reason reason) implements Placement {}

    /** @param node has applied what the read must see */
    record OnSatellite(ComputationalNode node) implements Placement {}

    /** @param required the SCN to wait for; ask again when a Satellite has progressed, or give up after a bounded time */
    record AwaitFreshness(long required) implements Placement {}
}
