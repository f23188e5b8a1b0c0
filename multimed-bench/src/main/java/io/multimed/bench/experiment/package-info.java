/**
 * Experiments that measure more than the throughput of a mix: the cost of one load to another, the freshness of reads, the
 * speed at which a Satellite applies and is copied.
 *
 * <p>In: the choices on the command line. Out: benchmarks as {@code series} runs them. Their clients have a thread each; all
 * else is done by the thread that runs the series.
 */
@NullMarked
package io.multimed.bench.experiment;

import org.jspecify.annotations.NullMarked;
