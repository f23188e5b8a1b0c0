/**
 * The Master and the Satellites as wholes: data directory, settings, account, start, stop.
 *
 * <p>In: plans of nodes. Out: running engines. Calls block; one thread for each engine.
 */
@NullMarked
package io.multimed.engine.mariadb.cluster;

import org.jspecify.annotations.NullMarked;
