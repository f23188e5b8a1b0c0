package io.multimed.endpoint.pg;

import io.multimed.endpoint.pg.backend.ReadSharing;
import io.netty.util.internal.PlatformDependent;

/**
 * How much of everything there may be.
 *
 * @param masterConnections engine connections to the Master for transactions of all clients, shared by all loops
 * @param satelliteConnections likewise to each Satellite
 * @param sharing of connections to a Satellite, by all loops
 * @param clients connections beyond are refused with 53300; as many more may be there that have not said who they are
 * @param preparedPerSession named statements one client may prepare
 * @param preparedPerBackend named statements kept in one engine session
 * @param statementBytes a longer statement cannot be prepared under a name
 * @param preparedBytes what the prepared statements of all sessions may take; beyond, Parse fails with 53200
 * @param unitBytes a unit of work longer than this is not looked at as a whole; the Master executes it
 * @param heldBytes what all clients together may make the endpoint hold, in messages begun and replies not taken;
 *     beyond, those who hold most are closed with 53200
 */
public record EndpointLimits(
        int masterConnections,
        int satelliteConnections,
        ReadSharing sharing,
        int clients,
        int preparedPerSession,
        int preparedPerBackend,
        int statementBytes,
        long preparedBytes,
        int unitBytes,
        long heldBytes) {

    /** What suits most. */
    public static final EndpointLimits DEFAULT = new EndpointLimits(
            16,
            16,
            new ReadSharing(2, 32),
            10_000,
            10_000,
            1_000,
            4 << 20,
            Runtime.getRuntime().maxMemory() / 8,
            256 * 1024,
            PlatformDependent.maxDirectMemory() / 2);

    public EndpointLimits withConnections(int master, int satellite) {
        return new EndpointLimits(
                master,
                satellite,
                sharing,
                clients,
                preparedPerSession,
                preparedPerBackend,
                statementBytes,
                preparedBytes,
                unitBytes,
                heldBytes);
    }

    public EndpointLimits withSharing(ReadSharing among) {
        return new EndpointLimits(
                masterConnections,
                satelliteConnections,
                among,
                clients,
                preparedPerSession,
                preparedPerBackend,
                statementBytes,
                preparedBytes,
                unitBytes,
                heldBytes);
    }

    public EndpointLimits withClients(int most) {
        return new EndpointLimits(
                masterConnections,
                satelliteConnections,
                sharing,
                most,
                preparedPerSession,
                preparedPerBackend,
                statementBytes,
                preparedBytes,
                unitBytes,
                heldBytes);
    }

    public EndpointLimits withHeldBytes(long most) {
        return new EndpointLimits(
                masterConnections,
                satelliteConnections,
                sharing,
                clients,
                preparedPerSession,
                preparedPerBackend,
                statementBytes,
                preparedBytes,
                unitBytes,
                most);
    }
}
