/**
 * Counts of what an endpoint does, whatever its protocol, for metrics and tables.
 *
 * <p>Input: placements and waits, from the thread that runs the sessions. Output: sums, for any thread.
 */
@NullMarked
package io.multimed.core.counters;

import org.jspecify.annotations.NullMarked;
