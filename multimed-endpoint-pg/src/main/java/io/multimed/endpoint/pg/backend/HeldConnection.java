package io.multimed.endpoint.pg.backend;

/**
 * A connection to an engine that somebody holds, as an administrator sees it.
 *
 * @param engineProcess the engine's process
 * @param client the number by which the client knows its server process; 0 for Multimed itself
 * @param state what it is held for
 * @param heldNanos for how long
 * @param idleNanos for how long nothing has passed over it
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
                nowNanos - connection.heldNanos(),
                nowNanos - connection.movedNanos());
    }
}
