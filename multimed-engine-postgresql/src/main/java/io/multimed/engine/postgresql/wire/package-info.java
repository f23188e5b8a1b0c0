/**
 * The messages of a replication conversation with PostgreSQL, shared by the relay and by the write sets from the log.
 *
 * <p>In and out: bytes and plain values. Stateless; any thread.
 */
@NullMarked
package io.multimed.engine.postgresql.wire;

import org.jspecify.annotations.NullMarked;
