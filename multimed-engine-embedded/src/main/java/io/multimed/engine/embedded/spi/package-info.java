/**
 * SPI between the runtime and an engine family. {@code h2} and {@code hsqldb} implement it, and so does the JDBC driver for
 * engines that it reaches through JDBC alone.
 *
 * <p>Input: sessions that commit, catalogs that change, requests for a copy. Output:
 * {@link io.multimed.engine.embedded.spi.Changes} from the Master's own transaction log, and
 * {@link io.multimed.engine.embedded.spi.SatelliteEngine}s that apply them. Threads: a session's own thread for the session; one
 * applying thread at a time for a Satellite.
 */
@NullMarked
package io.multimed.engine.embedded.spi;

import org.jspecify.annotations.NullMarked;
