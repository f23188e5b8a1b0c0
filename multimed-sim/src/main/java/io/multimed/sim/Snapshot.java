package io.multimed.sim;

import java.util.BitSet;

/**
 * The result of a read.
 *
 * @param commits the indexes of all commits that are visible in it
 * @param versions by key, 0 for keys without a write
 */
record Snapshot(BitSet commits, int[] versions) {}
