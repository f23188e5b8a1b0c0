/**
 * Whether what clients saw can be: the checker of RELIABILITY.md, section 2.
 *
 * <p>In: what every client did and saw with the times it was asked and answered, and the order in which the Master
 * committed, learned from the Master itself and never from the middleware. Out: violations of durability, snapshot,
 * freshness, "no future" and sessions. Pure; any thread.
 *
 * <p>The workload it understands: every update transaction has a number of its own, which it writes into each register
 * it changes, and adds one row to a table without a key. So a register tells which transaction wrote it last, the
 * number of rows tells how many have committed, and the sum of the numbers tells which.
 */
@NullMarked
package io.multimed.testkit.history;

import org.jspecify.annotations.NullMarked;
