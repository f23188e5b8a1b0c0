/**
 * A benchmark of the freshness of reads and its cost: each row is written by one client and read by all.
 *
 * <p>In: the share of updates. Out: a benchmark as {@code series} runs it, with the waits of readers, the time until a commit
 * is visible on a Satellite, and the age of the values read. Clients have a thread each, and so has the probe.
 */
@NullMarked
package io.multimed.bench.freshness;

import org.jspecify.annotations.NullMarked;
