/**
 * Copies of the Master's data directory while the Master runs.
 *
 * <p>In: the Master. Out: a directory from which an engine recovers to exactly one position. Calls block; one thread.
 */
@NullMarked
package io.multimed.engine.mariadb.copy;

import org.jspecify.annotations.NullMarked;
