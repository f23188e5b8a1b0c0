package io.multimed.core.dispatch;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;
import org.jspecify.annotations.Nullable;

/**
 * The needs of a read besides its freshness: the nodes that hold its data, how long it is, the nodes on which it is faster than on
 * others, and where a rule sends it. One object serves a session's reads one after the other, on the thread that runs the session.
 */
public final class ReadNeeds {
    /** The processor time that a read is expected to take. */
    public enum Length {
        SHORT,
        /** The read has yet to be measured. */
        UNKNOWN,
        LONG
    }

    private long holders = NodeContents.WHOLE_BIT;
    private Length length = Length.UNKNOWN;
    private long fastest;
    private int slowness = 1;
    private @Nullable Destination destination;

    /**
     * Sets the needs of the present read, which no rule sends anywhere until {@link #sentTo}.
     *
     * @param partial the bits of the nodes with a part of the data that hold all that it needs; nodes with all data always do
     */
    public void set(long partial, Length expected) {
        holders = partial | NodeContents.WHOLE_BIT;
        length = expected;
        slowness = 1;
        destination = null;
    }

    /**
     * Sets the nodes on which the present read, whose needs were {@link #set}, takes less processor time than on others.
     *
     * @param bits the bits of these nodes
     * @param times how many times as long it takes elsewhere, at least 1
     */
    public void isFastestOn(long bits, int times) {
        fastest = bits;
        slowness = times;
    }

    /** Restricts the present read to the nodes to which a rule sends it. */
    public void sentTo(Destination nodes) {
        destination = nodes;
    }

    /** Only nodes with all data hold what the next read needs, until it is {@link #set} otherwise. */
    public void reset() {
        holders = NodeContents.WHOLE_BIT;
        length = Length.UNKNOWN;
        slowness = 1;
        destination = null;
    }

    /** Whether the node holds all that the read needs. */
    public boolean areHeldBy(ComputationalNode node) {
        return (node.contents().bit() & holders) != 0;
    }

    /** Whether the node holds all that the read needs, and no rule sends the read elsewhere. */
    public boolean allow(ComputationalNode node) {
        Destination only = destination;
        return areHeldBy(node) && (only == null || only.admits(node));
    }

    /** Whether the node holds all that the read needs, and takes it: by its length, or because a rule sends it there. */
    public boolean areTakenBy(ComputationalNode node) {
        NodeContents contents = node.contents();
        if ((contents.bit() & holders) == 0) {
            return false;
        }
        Destination only = destination;
        return only != null
                ? only.admits(node)
                : switch (contents.takes()) {
                    case ALL -> true;
                    // Without the indexes that the node alone has, a short read is long.
                    case SHORT -> length != Length.LONG || areIndexedInPart();
                    case LONG -> length != Length.SHORT || areIndexedInPart();
                    case RULES -> false;
                };
    }

    /** Whether nodes with a part of the data hold the read's, and have indexes for it that no other node has. */
    public boolean areIndexedInPart() {
        return (holders & NodeContents.INDEXED_ANYWHERE_BIT) == 0 && (holders & NodeContents.PARTIAL_BITS) != 0;
    }

    /** Whether the node is meant for reads of this length alone, or has indexes for it, so that it is chosen before others. */
    public boolean arePreferredBy(ComputationalNode node) {
        if (areIndexedInPart()) {
            return !node.contents().isWhole();
        }
        return switch (node.contents().takes()) {
            case ALL, RULES -> false;
            case SHORT -> length == Length.SHORT;
            case LONG -> length == Length.LONG;
        };
    }

    /**
     * Returns the load of the node as the read sees it: the transactions under way, itself included, in the time that it takes where
     * it is fastest.
     */
    int loadOf(ComputationalNode node) {
        int transactions = node.active() + 1;
        return (node.contents().bit() & fastest) != 0 ? transactions : transactions * slowness;
    }
}
