package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.Frontend;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For its client a statement runs from the moment it was sent, whatever Multimed still waits for: it can be cancelled. */
@Timeout(60)
class CancelWhileWaitingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    private EndpointOnOneEngine multimed;

    @BeforeEach
    void start() throws Exception {
        multimed = new EndpointOnOneEngine();
    }

    @AfterEach
    void stop() throws Exception {
        multimed.close();
    }

    @Test
    void whileTheMasterDoesNotShowWhatSatellitesHaveShown() throws Exception {
        try (WireSession session = open()) {
            session.rows("SELECT 1");
            masterIsBehind();
            session.send(Frontend.query("DO 'BEGIN END'"));
            assertCancelledWhileWaiting(session, 'I');
            multimed.visibility.observed(transaction -> true);
            assertEquals(List.of(List.of("2")), session.rows("SELECT 2"));
        }
    }

    @Test
    void withinATransactionBlockWhichIsAbortedThen() throws Exception {
        try (WireSession session = open()) {
            session.rows("BEGIN");
            masterIsBehind();
            session.send(Frontend.query("CREATE TABLE never (i int)"));
            assertCancelledWhileWaiting(session, 'E');
            multimed.visibility.observed(transaction -> true);
            session.rows("ROLLBACK");
            assertEquals(List.of(List.of("0")), session.rows("SELECT count(*) FROM pg_class WHERE relname = 'never'"));
        }
    }

    @Test
    void whileOthersHoldAllEngineConnections() throws Exception {
        List<WireSession> holders = new ArrayList<>();
        try (WireSession session = open()) {
            session.rows("SELECT 1");
            boolean free = true;
            while (free) {
                WireSession holder = open();
                holders.add(holder);
                holder.send(Frontend.query("BEGIN; SELECT pg_current_xact_id()"));
                free = holder.client().poll(A_MOMENT) != null;
            }
            session.send(
                    Frontend.parse("", "SELECT pg_current_xact_id()"),
                    Frontend.bind("", ""),
                    Frontend.execute("", 0),
                    Frontend.sync());
            assertCancelledWhileWaiting(session, 'I');
            assertEquals(List.of(List.of("2")), session.rows("SELECT 2"));
        } finally {
            for (WireSession holder : holders) {
                holder.close();
            }
        }
    }

    @Test
    void aFunctionCall() throws Exception {
        try (WireSession session = open()) {
            String create = session.value("SELECT 'lo_create'::regproc::oid::int");
            session.rows("BEGIN");
            masterIsBehind();
            session.send(Frontend.functionCall(Integer.parseInt(create), "4711"));
            assertCancelledWhileWaiting(session, 'E');
            multimed.visibility.observed(transaction -> true);
            session.rows("ROLLBACK");
        }
    }

    @Test
    void aQueryOfWhichOnlyTheBeginningIsLookedAt() throws Exception {
        try (WireSession session = open()) {
            session.rows("SELECT 1");
            masterIsBehind();
            session.send(Frontend.query("DO 'BEGIN END' -- " + "x".repeat(4 << 20)));
            assertCancelledWhileWaiting(session, 'I');
            multimed.visibility.observed(transaction -> true);
            assertEquals(List.of(List.of("2")), session.rows("SELECT 2"));
        }
    }

    private WireSession open() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }

    private void masterIsBehind() {
        multimed.log.commit(200, 200);
        multimed.log.received(200);
        multimed.satellite.applied(200);
        multimed.visibility.shown(200);
    }

    private void assertCancelledWhileWaiting(WireSession session, char status) throws IOException {
        assertNull(session.client().poll(A_MOMENT));
        try (WireClient canceller = WireClient.connect(multimed.address(), PATIENCE)) {
            canceller.send(Frontend.cancel(session.pid(), session.secret()));
            assertTrue(canceller.endsWithin(PATIENCE));
        }
        List<Message> answer = session.ready();
        assertTrue(answer.getFirst().toString().contains("57014"), answer::toString);
        assertEquals(status, answer.getLast().body()[0]);
    }
}
