/**
 * The differences between engines for the benchmarks.
 *
 * <p>In: an engine's name. Out: its SQL, and the way to load its rows. Values that never change; any thread.
 */
@NullMarked
package io.multimed.bench.dialect;

import org.jspecify.annotations.NullMarked;
