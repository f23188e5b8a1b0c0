/**
 * The database of TPC-W: its schema, and the rows it begins with.
 *
 * <p>In: a scale and a seed. Out: DDL and rows, the same for the same seed and day whatever the engine and the
 * number of threads, which are the loader's own.
 */
@NullMarked
package io.multimed.bench.tpcw.population;

import org.jspecify.annotations.NullMarked;
