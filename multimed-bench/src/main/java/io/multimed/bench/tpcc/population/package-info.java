/**
 * TPC-C's data: tables, rows drawn from a seed, a loader for every engine.
 *
 * <p>In: a scale, a seed, an empty database. Out: one that is filled. Rows of one piece depend on the seed and the piece alone.
 */
@NullMarked
package io.multimed.bench.tpcc.population;

import org.jspecify.annotations.NullMarked;
