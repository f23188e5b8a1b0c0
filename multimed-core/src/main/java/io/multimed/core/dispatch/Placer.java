package io.multimed.core.dispatch;

import io.multimed.core.node.Nodes;

/** Placement of reads: {@link Dispatcher#place}, unless a test replaces it. Implementations are thread-safe and must not block. */
@FunctionalInterface
public interface Placer {
    /** @param required the SCN that the read must see, or {@code Floor.UNKNOWN} */
    Placement place(long required, ReadNeeds needs, Nodes nodes);
}
