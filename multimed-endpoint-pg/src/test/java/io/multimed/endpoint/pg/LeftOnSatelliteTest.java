package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** State that a read-only transaction leaves in its engine session on a Satellite, of which there is one for all clients. */
@Timeout(60)
class LeftOnSatelliteTest {
    private static final Duration LONGER_THAN_TWO_TIMEOUTS = Duration.ofMillis(1_500);

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(1, 1)));

    @Test
    void followsItsSessionThoughTheEngineIsSlowToTell() throws IOException {
        try (WireSession engine = multimed.openEngine();
                WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            session.rows("SELECT 1");
            session.rows("BEGIN READ ONLY");
            session.rows("SET statement_timeout = 300");
            engine.rows("BEGIN; LOCK TABLE pg_settings IN ACCESS EXCLUSIVE MODE");
            session.rows("COMMIT");
            assertNull(session.client().poll(LONGER_THAN_TWO_TIMEOUTS));
            engine.rows("COMMIT");
            session.rows("SELECT pg_current_xact_id()");
            assertEquals("300ms", session.value("SHOW statement_timeout"));
            assertEquals("0", onSatellite(other, "statement_timeout"));
            assertEquals("300ms", onSatellite(session, "statement_timeout"));
        }
    }

    @Test
    void followsItsSessionThoughNoSyncCameBeforeItNeedsTheMaster() throws IOException {
        try (WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            session.rows("SELECT 1");
            session.rows("BEGIN READ ONLY");
            executeAndFlush(session, "SET work_mem = '7MB'");
            executeAndFlush(session, "COMMIT");
            session.send(
                    FrontendBytes.parse("", "SELECT pg_current_xact_id()"),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            assertEquals('I', session.ready().getLast().body()[0]);
            assertEquals("4MB", onSatellite(other, "work_mem"));
            assertEquals("7MB", onSatellite(session, "work_mem"));
            assertEquals("7MB", session.value("SHOW work_mem"));
        }
    }

    private static void executeAndFlush(WireSession session, String sql) throws IOException {
        session.send(
                FrontendBytes.parse("", sql),
                FrontendBytes.bind("", ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.flush());
        session.client().readUntil("C");
    }

    private static String onSatellite(WireSession session, String setting) throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT 1");
        String value = session.value("SHOW " + setting);
        session.rows("COMMIT");
        return value;
    }
}
