/**
 * Checks whether the observations of clients are possible: the checker of histories.
 *
 * <p>In: the actions and observations of every client with the times of requests and answers, and the order in which the Master
 * committed, learned from the Master itself and never from the middleware. Out: violations of durability, snapshot, freshness,
 * "no future" and sessions. Pure; any thread.
 *
 * <p>The workload that it supports: every update transaction has a number of its own, which it writes into each register it
 * changes, and adds one row to a table without a key. So a register shows which transaction wrote it last. The number of rows
 * shows how many have committed, and the sum of the numbers shows which.
 */
@NullMarked
package io.multimed.testkit.history;

import org.jspecify.annotations.NullMarked;
