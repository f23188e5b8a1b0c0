/**
 * Benchmarks that check Multimed's claims and that any user can run.
 *
 * <p>In: the choices on the command line. Out: databases that are loaded, systems that are started and ended, one JSON file for
 * each run, a table. {@code tpcw} and {@code tpcc} are the benchmarks, {@code freshness} and {@code indexed} look at one side of a
 * system each, {@code series} runs them in turn, {@code quick} guards against regressions, {@code system} starts and ends the systems
 * under test, {@code measure} counts during a run, {@code report} writes the results, {@code chart} draws them.
 * {@code cli} is the program's command line; nothing outside this module depends on it.
 */
@NullMarked
package io.multimed.bench;

import org.jspecify.annotations.NullMarked;
