/**
 * Positions that the Satellites have applied, pushed to the core.
 *
 * <p>One thread for each Satellite.
 */
@NullMarked
package io.multimed.engine.mariadb.applied;

import org.jspecify.annotations.NullMarked;
