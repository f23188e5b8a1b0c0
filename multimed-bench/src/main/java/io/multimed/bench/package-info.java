/**
 * Benchmarks of what Multimed claims, run by whoever doubts it.
 *
 * <p>In: what the command line chose. Out: databases that are loaded, systems that are started and ended, one JSON file for
 * each run, a table. {@code tpcw} is the benchmark, {@code system} what it is run against, {@code measure} what is counted
 * meanwhile, {@code report} what is written about it.
 */
@NullMarked
package io.multimed.bench;

import org.jspecify.annotations.NullMarked;
