package io.multimed.endpoint.pg.config;

import io.multimed.endpoint.pg.backend.ConnectionBudget;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.netty.util.internal.PlatformDependent;

/**
 * Limits of the endpoint.
 *
 * @param connections to the engines
 * @param prepared limits for prepared statements
 * @param clients number of client connections; further ones are refused with 53300. As many more may exist that have not sent
 *     their start-up packet
 * @param each limits for clients by role and database
 * @param unitBytes length above which a unit is not analyzed as a whole; the Master executes it
 * @param heldBytes bytes that all clients together may make the endpoint hold, in unfinished messages, unread replies and
 *     pending notifications; above it, the clients that hold most are closed with 53200
 */
public record EndpointLimits(
        EngineConnections connections,
        Prepared prepared,
        int clients,
        ClientLimits each,
        int unitBytes,
        long heldBytes) {

    /**
     * Numbers of connections to one engine.
     *
     * @param sideBySide number on which transactions of all clients execute, shared by all loops
     * @param open limits on open connections, including those idle in a transaction or kept by a session
     */
    public record ToEngine(int sideBySide, ConnectionBudget.Limits open) {}

    /**
     * Limits for connections to the engines.
     *
     * @param satellite limits for each Satellite
     * @param sharing of connections to a Satellite, by all loops
     */
    public record EngineConnections(ToEngine master, ToEngine satellite, ReadSharing sharing) {}

    /**
     * Limits for prepared statements.
     *
     * @param perSession number of named statements that one client may prepare
     * @param perBackend number of named statements kept in one engine session
     * @param statementBytes length above which a statement cannot be prepared under a name
     * @param bytes memory for the prepared statements of all sessions; above it, Parse fails with 53200
     */
    public record Prepared(int perSession, int perBackend, int statementBytes, long bytes) {}

    /** Number of sessions that may keep their connection, equal to the number of open transactions. */
    private static final int KEPT = 100;

    /** Limits as in PostgreSQL: the same numbers of open transactions (max_connections) and of reserved connections. */
    private static final ToEngine STANDARD = new ToEngine(16, new ConnectionBudget.Limits(100, KEPT, 3));

    /** Defaults that suit most applications. */
    public static final EndpointLimits DEFAULT = new EndpointLimits(
            new EngineConnections(STANDARD, STANDARD, new ReadSharing(2, 32)),
            new Prepared(10_000, 1_000, 4 << 20, Runtime.getRuntime().maxMemory() / 3),
            10_000,
            ClientLimits.NONE,
            256 * 1024,
            PlatformDependent.maxDirectMemory() / 2);

    /**
     * Returns these limits with fixed numbers of connections, which idle transactions do not raise and of which none are reserved.
     */
    public EndpointLimits withConnections(int master, int satellite) {
        return withConnections(
                new ToEngine(master, new ConnectionBudget.Limits(master, KEPT, 0)),
                new ToEngine(satellite, new ConnectionBudget.Limits(satellite, KEPT, 0)));
    }

    public EndpointLimits withConnections(ToEngine master, ToEngine satellite) {
        return with(new EngineConnections(master, satellite, connections.sharing()));
    }

    public EndpointLimits withSharing(ReadSharing among) {
        return with(new EngineConnections(connections.master(), connections.satellite(), among));
    }

    private EndpointLimits with(EngineConnections other) {
        return new EndpointLimits(other, prepared, clients, each, unitBytes, heldBytes);
    }

    public EndpointLimits withPrepared(Prepared other) {
        return new EndpointLimits(connections, other, clients, each, unitBytes, heldBytes);
    }

    public EndpointLimits withClients(int most) {
        return new EndpointLimits(connections, prepared, most, each, unitBytes, heldBytes);
    }

    public EndpointLimits withHeldBytes(long most) {
        return new EndpointLimits(connections, prepared, clients, each, unitBytes, most);
    }

    public EndpointLimits withEach(ClientLimits others) {
        return new EndpointLimits(connections, prepared, clients, others, unitBytes, heldBytes);
    }
}
