/**
 * One run of everything that a report of Multimed shows, limited to the given time.
 *
 * <p>In: a list of experiments, each made of the same series that its own command runs, and a time. Out: their results, and a
 * text that lists the omitted ones. The calling thread does everything.
 */
@NullMarked
package io.multimed.bench.full;

import org.jspecify.annotations.NullMarked;
