/**
 * Compares parts of tables of a full Satellite with the Master's.
 *
 * <p>In: connections to both engines. Out: the versions of rows for which the Satellite is wrong, whatever is committed meanwhile. All of it
 * blocks, and belongs on a thread of its own.
 */
@NullMarked
package io.multimed.engine.postgresql.comparison;

import org.jspecify.annotations.NullMarked;
