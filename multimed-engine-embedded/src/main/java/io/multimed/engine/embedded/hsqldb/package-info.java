/**
 * HSQLDB as Master and Satellite.
 *
 * <p>In: a session of the Master about to commit; its write set is read from the list of row actions that HSQLDB keeps for
 * every session ({@link io.multimed.engine.embedded.hsqldb.HsqlCapture}), so nothing is installed in the database. Out:
 * the same calls by which HSQLDB replays its own log ({@link io.multimed.engine.embedded.hsqldb.HsqlSatellite}), where
 * neither constraints nor triggers are asked. Satellites share the Master's row data.
 */
@NullMarked
package io.multimed.engine.embedded.hsqldb;

import org.jspecify.annotations.NullMarked;
