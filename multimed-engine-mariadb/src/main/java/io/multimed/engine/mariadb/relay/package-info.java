/**
 * The relay: the Master's semi-synchronous replica, which publishes each commit before it acknowledges it, and the way of the
 * binary log to the Satellites.
 *
 * <p>In: the Master's binary log. Out: {@link io.multimed.core.propagation.MasterLog}, and the log for the Satellites. Has threads
 * of its own.
 */
@NullMarked
package io.multimed.engine.mariadb.relay;

import org.jspecify.annotations.NullMarked;
