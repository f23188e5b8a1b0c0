/**
 * The experiments that show more than how much a mix achieves: what one load costs another, how fresh reads are, how fast a
 * Satellite applies and is copied.
 *
 * <p>In: what the command line chose. Out: benchmarks as {@code series} runs them. Their clients have a thread each; all else
 * is done by the thread that runs the series.
 */
@NullMarked
package io.multimed.bench.experiment;

import org.jspecify.annotations.NullMarked;
