package io.multimed.sim;

import java.util.BitSet;

/**
 * What a read saw.
 *
 * @param commits the indexes of all commits that are visible in it
 * @param versions by key, 0 for what nobody has written
 */
record Snapshot(BitSet commits, int[] versions) {}
