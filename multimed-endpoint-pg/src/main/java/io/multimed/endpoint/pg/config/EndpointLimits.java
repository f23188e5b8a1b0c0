package io.multimed.endpoint.pg.config;

import io.multimed.endpoint.pg.backend.ConnectionBudget;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.netty.util.internal.PlatformDependent;

/**
 * How much of everything there may be.
 *
 * @param connections to the engines
 * @param prepared statements
 * @param clients connections beyond are refused with 53300; as many more may be there that have not said who they are
 * @param unitBytes a unit of work longer than this is not looked at as a whole; the Master executes it
 * @param heldBytes what all clients together may make the endpoint hold, in messages begun, replies not taken and
 *     notifications that wait; beyond, those who hold most are closed with 53200
 */
public record EndpointLimits(
        EngineConnections connections, Prepared prepared, int clients, int unitBytes, long heldBytes) {

    /**
     * To one engine.
     *
     * @param sideBySide on which transactions of all clients execute, shared by all loops
     * @param open those included that are idle in a transaction or kept by a session
     */
    public record ToEngine(int sideBySide, ConnectionBudget.Limits open) {}

    /**
     * @param satellite to each Satellite
     * @param sharing of connections to a Satellite, by all loops
     */
    public record EngineConnections(ToEngine master, ToEngine satellite, ReadSharing sharing) {}

    /**
     * @param perSession named statements one client may prepare
     * @param perBackend named statements kept in one engine session
     * @param statementBytes a longer statement cannot be prepared under a name
     * @param bytes what the prepared statements of all sessions may take; beyond, Parse fails with 53200
     */
    public record Prepared(int perSession, int perBackend, int statementBytes, long bytes) {}

    /** As many sessions may keep their connection as transactions may be open. */
    private static final int KEPT = 100;

    /** Limits as in PostgreSQL: as many open transactions (max_connections), and as many reserved connections. */
    private static final ToEngine STANDARD = new ToEngine(16, new ConnectionBudget.Limits(100, KEPT, 3));

    /** What suits most. */
    public static final EndpointLimits DEFAULT = new EndpointLimits(
            new EngineConnections(STANDARD, STANDARD, new ReadSharing(2, 32)),
            new Prepared(10_000, 1_000, 4 << 20, Runtime.getRuntime().maxMemory() / 3),
            10_000,
            256 * 1024,
            PlatformDependent.maxDirectMemory() / 2);

    /** No more than these, whatever their clients do. */
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
        return new EndpointLimits(other, prepared, clients, unitBytes, heldBytes);
    }

    public EndpointLimits withPrepared(Prepared other) {
        return new EndpointLimits(connections, other, clients, unitBytes, heldBytes);
    }

    public EndpointLimits withClients(int most) {
        return new EndpointLimits(connections, prepared, most, unitBytes, heldBytes);
    }

    public EndpointLimits withHeldBytes(long most) {
        return new EndpointLimits(connections, prepared, clients, unitBytes, most);
    }
}
