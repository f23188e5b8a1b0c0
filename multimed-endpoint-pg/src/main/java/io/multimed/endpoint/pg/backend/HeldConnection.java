package io.multimed.endpoint.pg.backend;

/**
 * An engine connection in use, as shown to an administrator.
 *
 * @param engineProcess process number of the engine's backend
 * @param client process number that the client knows for its session; 0 for Multimed itself
 * @param state the purpose for which it is held
 * @param heldNanos time since its user got it
 * @param idleNanos time since the last traffic
 */
public record HeldConnection(
        int engineProcess, int client, String user, String database, String state, long heldNanos, long idleNanos) {

    static HeldConnection of(BackendConnection connection, BackendUser user, boolean kept, long nowNanos) {
        String state;
        if (user.keepsOthersWaiting()) {
            state = user.awaitsEngine() ? "client does not read" : "idle in transaction";
        } else if (user.awaitsEngine()) {
            state = "active";
        } else {
            state = kept ? "kept" : "idle";
        }
        return new HeldConnection(
                connection.processId(),
                user instanceof BackendWaiter waiter ? waiter.clientProcessId() : 0,
                connection.key().user(),
                connection.key().database(),
                state,
                nowNanos - connection.pooled.heldNanos,
                nowNanos - connection.pooled.movedNanos);
    }
}
