/**
 * TPC-W at database level: what is loaded, what clients do, what must hold afterwards.
 *
 * <p>In: a mix, a scale, a seed. Out: a benchmark for {@code series} to run.
 */
@NullMarked
package io.multimed.bench.tpcw;

import org.jspecify.annotations.NullMarked;
