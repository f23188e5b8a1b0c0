/**
 * The Relay: the Master's synchronous log receiver, and the log's way on to the Satellites.
 *
 * <p>In: the Master's write-ahead log through one walsender, byte by byte, and the replies of the Satellites'
 * walreceivers. Out: the floor ({@code MasterLog}), the same log to every Satellite, their applied positions
 * ({@code ComputationalNode.applied}), merged feedback to the Master, and events ({@link
 * io.multimed.engine.postgresql.relay.RelayListener}).
 *
 * <p>One thread, {@code multimed-relay}, does all of it on non-blocking Unix-domain sockets; a second, {@code
 * multimed-relay-files}, only reads old log segments for Satellites that lag behind the memory.
 */
@NullMarked
package io.multimed.engine.postgresql.relay;

import org.jspecify.annotations.NullMarked;
