package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * For its client a statement runs from the moment it was sent, even while Multimed still waits for something: it can be cancelled.
 */
@Timeout(60)
@Tag("slow")
class CancelWhileWaitingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @Test
    void whileTheMasterDoesNotShowWhatSatellitesHaveShown() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            masterIsBehind();
            session.send(FrontendBytes.query("DO 'BEGIN END'"));
            assertCancelledWhileWaiting(session, 'I');
            multimed.visibility.observed(transaction -> true);
            assertEquals(List.of(List.of("2")), session.rows("SELECT 2"));
        }
    }

    @Test
    void withinATransactionBlockWhichIsAbortedThen() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("BEGIN");
            masterIsBehind();
            session.send(FrontendBytes.query("CREATE TABLE never (i int)"));
            assertCancelledWhileWaiting(session, 'E');
            multimed.visibility.observed(transaction -> true);
            session.rows("ROLLBACK");
            assertEquals(List.of(List.of("0")), session.rows("SELECT count(*) FROM pg_class WHERE relname = 'never'"));
        }
    }

    @Test
    void whileOthersHoldAllEngineConnections() throws Exception {
        List<WireSession> holders = new ArrayList<>();
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            boolean free = true;
            while (free) {
                WireSession holder = multimed.open();
                holders.add(holder);
                holder.send(FrontendBytes.query("BEGIN; SELECT pg_current_xact_id()"));
                free = holder.client().poll(A_MOMENT) != null;
            }
            session.send(
                    FrontendBytes.parse("", "SELECT pg_current_xact_id()"),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
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
        try (WireSession session = multimed.open()) {
            String create = session.value("SELECT 'lo_create'::regproc::oid::int");
            session.rows("BEGIN");
            masterIsBehind();
            session.send(FrontendBytes.functionCall(Integer.parseInt(create), "4711"));
            assertCancelledWhileWaiting(session, 'E');
            multimed.visibility.observed(transaction -> true);
            session.rows("ROLLBACK");
        }
    }

    @Test
    void aQueryOfWhichOnlyTheBeginningIsLookedAt() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            masterIsBehind();
            // More of it than fits into sockets is accepted only after it has been placed.
            byte[] query = FrontendBytes.query("DO 'BEGIN END' -- " + "x".repeat(64 << 20));
            int taken = Math.toIntExact(session.client().flood(query, query.length, A_MOMENT));
            assertTrue(taken < query.length);
            cancel(session);
            session.send(Arrays.copyOfRange(query, taken, query.length));
            assertCancelled(session, 'I');
            multimed.visibility.observed(transaction -> true);
            assertEquals(List.of(List.of("2")), session.rows("SELECT 2"));
        }
    }

    /** Answers of the Master for cancelled units end neither the wait of other units nor the alarm that limits it. */
    @Test
    void andWhatItWaitedForComesLater() throws Exception {
        Queue<Runnable> late = new ConcurrentLinkedQueue<>();
        multimed.restartEndpoint(
                options -> options.withTimeouts(options.timeouts().withFreshness(Duration.ofSeconds(1))));
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            multimed.probe = late::add;
            masterIsBehind();
            for (int i = 0; i < 6; i++) {
                session.send(FrontendBytes.query("DO 'BEGIN END'"));
                assertCancelledWhileWaiting(session, 'I');
            }
            multimed.probe = Runnable::run;
            multimed.visibility.observed(transaction -> true);
            // No Satellite is fresh, so that an alarm sends it to the Master.
            multimed.log.commit(300, 300);
            multimed.log.received(300);
            session.send(FrontendBytes.query("SELECT 2"));
            assertNull(session.client().poll(A_MOMENT));
            assertEquals(6, late.size());
            late.forEach(Runnable::run);
            assertEquals('T', session.ready().getFirst().type());
        }
    }

    @Test
    void listenBeforeItsConnectionIsThere() throws Exception {
        try (WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            session.rows("LISTEN before");
            session.rows("UNLISTEN before");
            other.rows("SELECT pg_current_xact_id()");
            engineIsStopped(true);
            try {
                multimed.endpoint.nodeGone(multimed.master);
                // A statement sent earlier would get the error that the Master is not available.
                EndpointTest.await(() ->
                        multimed.endpoint.backends(multimed.master).stream().allMatch(loop -> loop.size() == 0));
                session.send(FrontendBytes.query("LISTEN never"));
                assertCancelledWhileWaiting(session, 'I');
            } finally {
                engineIsStopped(false);
            }
            session.rows("LISTEN heard");
            other.rows("NOTIFY never");
            other.rows("NOTIFY heard");
            assertTrue(session.client().readUntil("A").getLast().toString().contains("heard"));
        }
    }

    private void engineIsStopped(boolean stopped) throws Exception {
        Process kill =
                new ProcessBuilder("kill", stopped ? "-STOP" : "-CONT", Long.toString(multimed.engine.pid())).start();
        assertEquals(0, kill.waitFor());
    }

    private void masterIsBehind() {
        multimed.log.commit(200, 200);
        multimed.log.received(200);
        multimed.satellite.applied(200);
        multimed.visibility.shown(200);
    }

    private void assertCancelledWhileWaiting(WireSession session, char status) throws IOException {
        assertNull(session.client().poll(A_MOMENT));
        cancel(session);
        assertCancelled(session, status);
    }

    private void cancel(WireSession session) throws IOException {
        try (WireClient canceller = WireClient.connect(multimed.address(), PATIENCE)) {
            canceller.send(FrontendBytes.cancel(session.pid(), session.secret()));
            assertTrue(canceller.endsWithin(PATIENCE));
        }
    }

    private static void assertCancelled(WireSession session, char status) throws IOException {
        List<Message> answer = session.ready();
        assertTrue(answer.getFirst().toString().contains("57014"), answer::toString);
        assertEquals(status, answer.getLast().body()[0]);
    }
}
