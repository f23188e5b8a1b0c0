package io.multimed.core.dispatch;

import io.multimed.core.node.Nodes;

/** Places reads: {@link Dispatcher#place}, or another one in its place. Any thread; must not block. */
@FunctionalInterface
public interface Placer {
    /** @param required the SCN that the read must see, or {@code Floor.UNKNOWN} */
    Placement place(long required, Nodes nodes);
}
