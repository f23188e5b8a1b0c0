package io.multimed.sim;

/**
 * A commit in the Master's log, as the Master and the checker see it.
 *
 * @param index its place in the order of the log
 * @param version the value it wrote, under each of its keys; unique
 * @param end the SCN
 */
record LoggedCommit(int index, long transaction, int version, int[] keys, long end) {}
