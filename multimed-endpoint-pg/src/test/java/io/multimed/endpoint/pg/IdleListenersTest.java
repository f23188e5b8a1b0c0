package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code idle_session_timeout} ends unused engine connections, not clients. */
@Timeout(60)
class IdleListenersTest {
    private static final Duration LONGER = Duration.ofMillis(600);

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @Test
    void whoListensIsNotEndedForWhatTheConnectionOfAllListenersDoes() throws IOException {
        try (WireSession administrator = multimed.openEngine()) {
            administrator.rows("ALTER ROLE postgres SET idle_session_timeout = '200ms'");
        }
        try (WireSession session = multimed.open()) {
            session.rows("LISTEN news");
            assertEquals(null, session.client().poll(LONGER), "it is told nothing, nor ended");
            assertEquals("1", session.value("SELECT 1"));
        } finally {
            try (WireSession administrator = multimed.openEngine()) {
                administrator.rows("ALTER ROLE postgres RESET idle_session_timeout");
            }
        }
    }
}
