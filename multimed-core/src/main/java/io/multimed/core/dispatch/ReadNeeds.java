package io.multimed.core.dispatch;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;

/**
 * The needs of a read besides its freshness: the nodes that hold its data, and whether it is long. One object serves a session's
 * reads one after the other, on the thread that runs the session.
 */
public final class ReadNeeds {
    private long holders = NodeContents.WHOLE_BIT;
    private boolean isLong;

    /**
     * Sets the needs of the present read.
     *
     * @param partial the bits of the nodes with a part of the data that hold all that it needs; nodes with all data always do
     * @param expectedLong whether it is known to take long, or has yet to be measured
     */
    public void set(long partial, boolean expectedLong) {
        holders = partial | NodeContents.WHOLE_BIT;
        isLong = expectedLong;
    }

    /** Only nodes with all data hold what the next read needs, until it is {@link #set} otherwise. */
    public void reset() {
        holders = NodeContents.WHOLE_BIT;
        isLong = false;
    }

    /** Whether the node holds all that the read needs. */
    public boolean areHeldBy(ComputationalNode node) {
        return (node.contents().bit() & holders) != 0;
    }

    /** Whether the node holds all that the read needs, and takes reads of its length. */
    boolean areTakenBy(ComputationalNode node) {
        NodeContents contents = node.contents();
        return (contents.bit() & holders) != 0
                && (contents.takes() == NodeContents.Takes.ALL
                        || (contents.takes() == NodeContents.Takes.LONG) == isLong);
    }

    /** Whether the node is meant for reads of this length alone, so that it is chosen before others. */
    boolean arePreferredBy(ComputationalNode node) {
        return node.contents().takes() != NodeContents.Takes.ALL;
    }
}
