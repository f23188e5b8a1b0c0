/**
 * H2 as Master and Satellite.
 *
 * <p>Input: a session of the Master about to commit. Its write set is read from H2's own undo log
 * ({@link io.multimed.engine.embedded.h2.H2Capture}), so nothing is installed in the database, and changes that were rolled back
 * to a savepoint never appear. Output: rows put into Satellites below SQL ({@link io.multimed.engine.embedded.h2.H2Satellite}),
 * without constraints and triggers, with the Master's row keys. The row objects are the Master's own: Satellites share them.
 */
@NullMarked
package io.multimed.engine.embedded.h2;

import org.jspecify.annotations.NullMarked;
