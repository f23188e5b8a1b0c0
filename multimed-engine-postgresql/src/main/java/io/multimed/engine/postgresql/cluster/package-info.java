/**
 * A PostgreSQL cluster as a Computational Node: the Master, made durable and bound to the relay, and the Satellites,
 * hot standbys that are fed by it.
 *
 * <p>In: where data and sockets live, which programs, user, cores and memory. Out: the node's address once it serves,
 * and a call when its engine ends. Calls block; a Satellite is driven by its one worker thread, the Master by the
 * supervisor's.
 */
@NullMarked
package io.multimed.engine.postgresql.cluster;

import org.jspecify.annotations.NullMarked;
