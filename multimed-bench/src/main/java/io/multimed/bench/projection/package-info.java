/**
 * Projections to machines that are not available: curves from measured ones, always marked as projections.
 *
 * <p>In: runs over numbers of cores. Out: text and curves, each marked as a projection. The calling thread does everything; the
 * same runs give the same projection.
 */
@NullMarked
package io.multimed.bench.projection;

import org.jspecify.annotations.NullMarked;
