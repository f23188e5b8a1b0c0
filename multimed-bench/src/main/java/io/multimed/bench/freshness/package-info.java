/**
 * How fresh reads are, and what that costs: rows that one client each writes and everybody reads.
 *
 * <p>In: the share of updates. Out: a benchmark as {@code series} runs it, with how long readers waited, how soon a commit was to
 * be seen on a Satellite, and how old what was read. Clients have a thread each, and so has the probe.
 */
@NullMarked
package io.multimed.bench.freshness;

import org.jspecify.annotations.NullMarked;
