/**
 * Benchmarks of what Multimed claims, run by whoever doubts it.
 *
 * <p>In: what the command line chose. Out: databases that are loaded, systems that are started and ended, one JSON file for
 * each run, a table. {@code tpcw} and {@code tpcc} are the benchmarks, {@code experiment} and {@code freshness} look at one side
 * of a system each, {@code series} runs them in turn, {@code quick} guards against regressions, {@code system} is what they are
 * run against, {@code measure} what is counted meanwhile, {@code report} what is written about it.
 */
@NullMarked
package io.multimed.bench;

import org.jspecify.annotations.NullMarked;
