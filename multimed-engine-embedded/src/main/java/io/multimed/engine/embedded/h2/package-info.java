/**
 * H2 as Master and Satellite.
 *
 * <p>In: a session of the Master about to commit; its write set is read from H2's own undo log
 * ({@link io.multimed.engine.embedded.h2.H2Capture}), so nothing is installed in the database and what was rolled back to
 * a savepoint never shows. Out: rows put into Satellites below SQL ({@link io.multimed.engine.embedded.h2.H2Satellite}),
 * where neither constraints nor triggers are asked, with the Master's row keys. The row objects are the Master's own:
 * Satellites share them.
 */
@NullMarked
package io.multimed.engine.embedded.h2;

import org.jspecify.annotations.NullMarked;
