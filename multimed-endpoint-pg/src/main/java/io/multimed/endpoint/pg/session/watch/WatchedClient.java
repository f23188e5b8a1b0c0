package io.multimed.endpoint.pg.session.watch;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.loop.ClientSession;
import io.multimed.endpoint.pg.session.loop.ConnectedClient;
import io.multimed.endpoint.pg.session.loop.LoopContext;

/**
 * The client whose statements are measured, as the log of slow statements names it.
 *
 * @param processId the number by which the client knows its server process
 */
public record WatchedClient(LoopContext loop, ClientSession session, PoolKey key, int processId) {
    /** Returns the address in the format of PostgreSQL's log; empty if there is none, or the client has gone. */
    String addressText() {
        ConnectedClient client = loop.clients().get(session);
        return client == null ? "" : client.addressText();
    }
}
