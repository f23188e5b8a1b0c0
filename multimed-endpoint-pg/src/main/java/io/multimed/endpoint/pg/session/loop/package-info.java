/**
 * The objects that the sessions of one event loop share: prepared statements, the connection over which sessions listen, the
 * connection that takes snapshots of the Master, and counters.
 *
 * <p>In: the requests of sessions. Out: the same object, connection or answer for all of them. This package knows sessions by
 * interfaces only. Event loop only, except for the counters and the objects in {@code AllLoops}.
 */
@NullMarked
package io.multimed.endpoint.pg.session.loop;

import org.jspecify.annotations.NullMarked;
