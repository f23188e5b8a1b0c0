/**
 * The common parts of all benchmarks' populations: random texts, rows by COPY or in batches, work on many connections.
 *
 * <p>In: an empty database. Out: one that is filled. Threads of its own, which are gone when loading has ended.
 */
@NullMarked
package io.multimed.bench.load;

import org.jspecify.annotations.NullMarked;
