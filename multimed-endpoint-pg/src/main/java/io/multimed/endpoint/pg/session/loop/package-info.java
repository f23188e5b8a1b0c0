/**
 * What the sessions of one event loop share: statements that several have prepared, the connection over which they listen,
 * the one that takes snapshots of the Master, counters.
 *
 * <p>In: what sessions ask for. Out: the same object, connection or answer for all of them; sessions are known here by
 * interfaces only. Event loop only, but for the counters and the process numbers.
 */
@NullMarked
package io.multimed.endpoint.pg.session.loop;

import org.jspecify.annotations.NullMarked;
