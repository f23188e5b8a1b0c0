package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.loop.ProcessIds;
import io.multimed.model.Role;

/**
 * The server process as the client knows it, which stays the same whatever connection serves the session.
 *
 * @param number the process number that the client was given
 * @param served the client that each backend serves
 */
public record ClientProcess(int number, ProcessIds served) {
    /** Notes that the connection serves the client from now on. */
    void isServedBy(BackendConnection connection) {
        connection.session().serve(number);
        if (connection.node().role() == Role.MASTER) {
            // A Satellite's process sends no notifications, so its number is not registered.
            served.serves(connection.processId(), number);
        }
    }
}
