/**
 * What the runtime needs of an engine family; {@code h2} and {@code hsqldb} implement it, and the JDBC driver for engines that
 * it reaches through JDBC alone.
 *
 * <p>In: sessions that commit, catalogs that change, requests for a copy. Out: {@link io.multimed.engine.embedded.spi.Changes}
 * from the Master's own transaction log, and {@link io.multimed.engine.embedded.spi.SatelliteEngine}s that apply them.
 * Threads: a session's own for everything about it; whoever applies, one at a time, for a Satellite.
 */
@NullMarked
package io.multimed.engine.embedded.spi;

import org.jspecify.annotations.NullMarked;
