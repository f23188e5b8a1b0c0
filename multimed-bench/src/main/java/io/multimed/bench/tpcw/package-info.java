/**
 * TPC-W at database level: the population, the clients, the invariants, and experiments with them.
 *
 * <p>In: a mix, a scale, a seed. Out: a benchmark for {@code series} to run.
 */
@NullMarked
package io.multimed.bench.tpcw;

import org.jspecify.annotations.NullMarked;
