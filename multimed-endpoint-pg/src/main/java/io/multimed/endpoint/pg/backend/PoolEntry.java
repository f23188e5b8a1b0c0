package io.multimed.endpoint.pg.backend;

/**
 * A connection's entry in its pool: the times of its use, which the connection writes, and in which of the pool's collections it is,
 * which these write.
 */
final class PoolEntry {
    /** Time at which the present user got the connection. */
    long heldNanos;
    /** Time of the last traffic in either direction, or of the assignment to the present user if that is later. */
    long movedNanos;
    /** Whether {@link OpenConnections} contains the connection. */
    boolean open;
    /** Whether {@link ParkedConnections} contains it: it is in use but at rest. */
    boolean parked;
    /** Whether {@link SharedConnections} has listed it as offered. The offer may have been withdrawn meanwhile. */
    boolean listed;
    /** Whether the connection is closed once its users have left it, because an administrator wants new ones. */
    boolean stale;
    /** Time at which {@link IdleConnections} received it last. */
    long idleSinceNanos;
}
