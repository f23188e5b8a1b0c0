/**
 * HSQLDB as Master and Satellite.
 *
 * <p>Input: a session of the Master about to commit. Its write set is read from the list of row actions that HSQLDB keeps for
 * every session ({@link io.multimed.engine.embedded.hsqldb.HsqlCapture}), so nothing is installed in the database. Output: the
 * same calls by which HSQLDB replays its own log ({@link io.multimed.engine.embedded.hsqldb.HsqlSatellite}), without constraints
 * and triggers. Satellites share the Master's row data.
 */
@NullMarked
package io.multimed.engine.embedded.hsqldb;

import org.jspecify.annotations.NullMarked;
