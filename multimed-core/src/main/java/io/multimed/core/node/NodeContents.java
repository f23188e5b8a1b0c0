package io.multimed.core.node;

/**
 * The data that a node holds, and the reads that it takes.
 *
 * @param bit the node's bit in sets of nodes that hold the data of a read, as the classification of its statements gives them
 * @param takes the reads that it takes
 */
public record NodeContents(long bit, Takes takes) {
    /** The bit of all nodes that hold all data. It is in every set. */
    public static final long WHOLE_BIT = Long.MIN_VALUE;

    /** A bit of no node. It lacks in the set of a read for which nodes with a part of the data have indexes that no other node has. */
    public static final long INDEXED_ANYWHERE_BIT = 1L << 62;

    /** Number of nodes that can hold a part of the data: one bit each. */
    public static final int MOST_PARTIAL = Long.SIZE - 2;

    /** The bits of all nodes that can hold a part of the data. */
    public static final long PARTIAL_BITS = (1L << MOST_PARTIAL) - 1;

    /** The contents of the Master and of a full Satellite. */
    public static final NodeContents EVERYTHING = new NodeContents(WHOLE_BIT, Takes.ALL);

    /** The reads that a node takes unless a routing rule decides, by their expected processor time. */
    public enum Takes {
        ALL,
        /** Reads that are not known to be long. Those known to be short go here rather than to nodes that take all. */
        SHORT,
        /** Reads that are not known to be short. Those known to be long go here rather than to nodes that take all. */
        LONG,
        /** Only reads that a routing rule sends there. */
        RULES
    }

    public NodeContents {
        if (Long.bitCount(bit) != 1) {
            throw new IllegalArgumentException("not one bit: " + Long.toHexString(bit));
        }
    }

    /** Returns the contents of the {@code number}th node that holds a part of the data, counted from 0. */
    public static NodeContents part(int number, Takes takes) {
        if (number < 0 || number >= MOST_PARTIAL) {
            throw new IllegalArgumentException("not 0 to " + (MOST_PARTIAL - 1) + ": " + number);
        }
        return new NodeContents(1L << number, takes);
    }

    /** Whether the node holds all data. */
    public boolean isWhole() {
        return bit == WHOLE_BIT;
    }
}
