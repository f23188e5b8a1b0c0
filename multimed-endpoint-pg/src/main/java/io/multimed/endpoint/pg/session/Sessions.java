package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.loop.ClientSession;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Begins sessions. */
public final class Sessions {
    private Sessions() {}

    /**
     * Begins the conversation of a client that has logged in. Called on the loop's thread.
     *
     * @param key the kind of engine session that it needs
     * @param reported the parameters that the client has received
     * @param applicationName the name that the client gave; null if it gave none
     * @param processId the number by which the client knows its server process
     */
    public static ClientSession begin(
            LoopContext loop,
            ClientLink client,
            PoolKey key,
            Map<String, String> reported,
            @Nullable String applicationName,
            int processId) {
        return new Session(loop, client, key, reported, applicationName, processId);
    }
}
