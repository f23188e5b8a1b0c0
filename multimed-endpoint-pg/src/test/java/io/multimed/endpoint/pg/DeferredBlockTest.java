package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A block of which no engine knows yet is subject to the same timeouts and errors as in an engine. */
@Timeout(60)
@Tag("slow")
class DeferredBlockTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(300);
    /** A wait longer than the timeout of one second that is used where the test has to send something before it expires. */
    private static final Duration LONGER_THAN_A_SECOND = Duration.ofMillis(1_500);

    private static final String IDLE = "idle_in_transaction_session_timeout";

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @Test
    void isEndedByTheTimeoutOfTheStart() throws IOException {
        try (WireSession session =
                open(Map.of("user", "postgres", "database", "postgres", "options", "-c " + IDLE + "=300"))) {
            session.rows("BEGIN");
            assertEnded("25P03", session);
        }
    }

    @Test
    void isEndedByTheTimeoutOfTheRole() throws IOException {
        try (WireSession owner = multimed.open()) {
            owner.rows("CREATE ROLE hurried LOGIN; ALTER ROLE hurried SET " + IDLE + " = 300");
        }
        try (WireSession session = WireSession.open(multimed.address(), "hurried", "postgres", PATIENCE)) {
            session.rows("BEGIN");
            assertEnded("25P03", session);
        }
    }

    @Test
    void isEndedByTheTimeoutThatTheSessionHasSet() throws IOException {
        try (WireSession session = multimed.open()) {
            session.rows("SET " + IDLE + " = '300ms'");
            session.rows("BEGIN READ ONLY");
            assertEnded("25P03", session);
        }
    }

    @Test
    void isEndedByTheTimeoutWhenItHasFailed() throws IOException {
        try (WireSession session = multimed.open()) {
            session.rows("SET " + IDLE + " = '1s'");
            masterIsBehind();
            session.rows("BEGIN");
            failWaiting(session);
            assertEnded("25P03", session);
        }
    }

    @Test
    void isNotIdleWhileItsStatementWaitsForAnEngine() throws IOException {
        try (WireSession session = multimed.open()) {
            session.rows("SET " + IDLE + " = '1s'");
            masterIsBehind();
            session.rows("BEGIN");
            session.send(FrontendBytes.query("CREATE TABLE t (i int)"));
            assertNull(session.client().poll(LONGER_THAN_A_SECOND));
            multimed.visibility.observed(transaction -> true);
            assertEquals('Z', session.ready().getLast().type());
            session.rows("COMMIT");
        }
    }

    @Test
    void isEndedWhenItHasBeenOpenForTooLong() throws IOException {
        try (WireSession session = multimed.open()) {
            assumeTrue(session.value("SELECT count(*) FROM pg_settings WHERE name = 'transaction_timeout'")
                    .equals("1"));
            session.rows("SET transaction_timeout = '300ms'");
            session.rows("BEGIN");
            assertEnded("25P04", session);
        }
    }

    @Test
    void leavesTheSessionAloneWhenItIsOver() throws IOException {
        try (WireSession session = multimed.open()) {
            session.rows("SET " + IDLE + " = '1s'");
            session.rows("BEGIN");
            session.rows("COMMIT");
            assertNull(session.client().poll(LONGER_THAN_A_SECOND));
            assertEquals("1", session.value("SELECT 1"));
        }
    }

    /** PostgreSQL's SHOW of any setting fails likewise. */
    @Test
    void routeIsNotShownWhenItHasFailed() throws IOException {
        try (WireSession session = multimed.open()) {
            masterIsBehind();
            session.rows("BEGIN");
            failWaiting(session);
            multimed.visibility.observed(transaction -> true);
            assertFailed(session.query("SHOW multimed.route"));
            session.rows("ROLLBACK");
            session.rows("BEGIN; SELECT pg_current_xact_id()");
            session.query("SELECT 1/0");
            assertFailed(session.query("SHOW multimed.route"));
            assertFailed(session.query("SET multimed.freshness = 'bogus'"));
            session.rows("ROLLBACK");
            assertEquals("1", session.value("SELECT 1"));
        }
    }

    @Test
    void preparedRouteIsNotShownWhenItHasFailed() throws IOException {
        try (WireSession session = multimed.open()) {
            session.send(FrontendBytes.parse("r", "SHOW multimed.route"), FrontendBytes.sync());
            session.ready();
            session.rows("BEGIN; SELECT pg_current_xact_id()");
            session.query("SELECT 1/0");
            session.send(FrontendBytes.parse("", "SHOW multimed.route"), FrontendBytes.sync());
            assertFailed(session.ready());
            session.send(FrontendBytes.bind("", "r"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            assertFailed(session.ready());
            session.send(FrontendBytes.describe('S', "r"), FrontendBytes.sync());
            assertFailed(session.ready());
            session.rows("ROLLBACK");
            session.send(FrontendBytes.bind("", "r"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            assertEquals("2DCZ", types(session.ready()));
        }
    }

    private void failWaiting(WireSession session) throws IOException {
        session.send(FrontendBytes.query("CREATE TABLE never (i int)"));
        assertNull(session.client().poll(A_MOMENT));
        session.cancel();
        assertEquals('E', session.ready().getLast().body()[0]);
    }

    private void masterIsBehind() {
        multimed.log.commit(200, 200);
        multimed.log.received(200);
        multimed.satellite.applied(200);
        multimed.visibility.shown(200);
    }

    private static void assertEnded(String sqlState, WireSession session) throws IOException {
        List<Message> last = session.client().readToEnd();
        assertEquals(1, last.size(), last::toString);
        assertEquals(sqlState, last.getFirst().sqlState());
    }

    private static void assertFailed(List<Message> answer) {
        assertEquals("EZ", types(answer));
        assertEquals("25P02", answer.getFirst().sqlState(), answer::toString);
        assertEquals('E', answer.getLast().body()[0]);
    }

    private WireSession open(Map<String, String> parameters) throws IOException {
        return WireSession.open(multimed.address(), parameters, null, PATIENCE);
    }
}
