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
     * Begins the conversation of a client that has logged in; on the loop's thread.
     *
     * @param key the kind of engine session it needs
     * @param reported parameters as the client was told
     * @param applicationName as the client gave it, null if it did not
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
