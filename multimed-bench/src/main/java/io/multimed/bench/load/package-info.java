/**
 * What the populations of all benchmarks have in common: random texts, rows by COPY or in batches,
 * many connections at work.
 *
 * <p>In: an empty database. Out: one that is filled. Threads of its own, which are gone when loading has ended.
 */
@NullMarked
package io.multimed.bench.load;

import org.jspecify.annotations.NullMarked;
