/**
 * What machines that nobody here has would do: curves from measured ones, never mistaken for measurements.
 *
 * <p>In: runs over numbers of cores. Out: text and curves, each marked as a projection. The calling thread does everything; the
 * same runs give the same projection.
 */
@NullMarked
package io.multimed.bench.projection;

import org.jspecify.annotations.NullMarked;
