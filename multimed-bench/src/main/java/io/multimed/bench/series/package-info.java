/**
 * Runs all systems in turn, for any benchmark: loaded once, run on a fresh copy each time, checked, written.
 *
 * <p>In: a benchmark, options. Out: files of results and a table. The calling thread does everything but the clients' work; an
 * interrupt ends it early, with the measurements written and nothing left running.
 */
@NullMarked
package io.multimed.bench.series;

import org.jspecify.annotations.NullMarked;
