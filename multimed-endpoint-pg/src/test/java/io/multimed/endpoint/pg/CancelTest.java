package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cancel requests for statements that an engine executes. */
@Timeout(60)
@Tag("slow")
class CancelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @Test
    void howeverOftenAClientAsksTheEngineIsAskedOnceAtATime() throws Exception {
        try (WireSession engine = multimed.openEngine();
                WireSession session = multimed.open()) {
            session.send(FrontendBytes.query("DO 'BEGIN PERFORM pg_sleep(30); END'"));
            EndpointTest.await(() -> engine.value("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DO%'")
                    .equals("1"));
            int before = multimed.connectionsBegun.get();
            // The engine's main process, which is stopped, would accept the requests, so they hang.
            signalEngine("STOP");
            try {
                for (int i = 0; i < 20; i++) {
                    session.cancel();
                }
                // The loop runs its tasks in order, so this one begins after the cancel requests.
                WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE)
                        .close();
                assertEquals(1, multimed.connectionsBegun.get() - before);
            } finally {
                signalEngine("CONT");
            }
            List<Message> answer = session.ready();
            assertTrue(answer.getFirst().toString().contains("57014"), answer::toString);
            assertEquals(List.of(List.of("2")), session.rows("SELECT 2"));
        }
    }

    /** PostgreSQL drops a request that finds its process waiting for the client. */
    @Test
    void aRequestThatComesBeforeTheEngineHasReadTheStatementIsNotLost() throws Exception {
        oneEngineConnection();
        try (WireSession session = multimed.open()) {
            long process = Long.parseLong(session.value("SELECT * FROM pg_backend_pid()"));
            signal("STOP", process);
            try {
                session.send(FrontendBytes.query("DO 'BEGIN PERFORM pg_sleep(30); END'"));
                EndpointTest.await(() -> multimed.master.active() > 0);
                session.cancel();
                assertNull(session.client().poll(A_MOMENT));
            } finally {
                signal("CONT", process);
            }
            assertCancelled(session);
        }
    }

    /** The session carries settings that require the engine to look names up. */
    @Test
    void whileTheEngineIsToldTheSettingsTheClientsStatementIsCancelled() throws Exception {
        oneEngineConnection();
        try (WireSession engine = multimed.openEngine();
                WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            engine.rows("SET allow_in_place_tablespaces = on");
            engine.rows("CREATE TABLESPACE slow LOCATION ''");
            session.rows("SET default_tablespace = 'slow'");
            other.rows("DO 'BEGIN END'");
            EndpointTest.await(() -> idleConnectionsToMaster() == 1);
            engine.rows("BEGIN");
            engine.rows("LOCK TABLE pg_tablespace IN ACCESS EXCLUSIVE MODE");
            session.send(FrontendBytes.query("DO 'BEGIN PERFORM pg_sleep(30); END'"));
            awaitSomebodyBlocked(engine);
            session.cancel();
            assertNull(session.client().poll(A_MOMENT));
            engine.rows("COMMIT");
            assertCancelled(session);
            assertEquals("slow", session.value("SHOW default_tablespace"));
        }
    }

    /** The request came too late for its statement; PostgreSQL would ignore it. */
    @Test
    void aRequestUnderWayDoesNotHitWhatMultimedItselfSays() throws Exception {
        try (WireSession engine = multimed.openEngine();
                WireSession session = multimed.open()) {
            session.rows("CREATE TABLE locked AS SELECT 7 AS i");
            session.rows("CREATE TEMP TABLE keeps_the_connection ()");
            session.send(FrontendBytes.parse("s", "SELECT i FROM locked"), FrontendBytes.sync());
            session.ready();
            session.send(FrontendBytes.query("DO 'BEGIN PERFORM pg_sleep(1); END'"));
            EndpointTest.await(() -> multimed.master.active() > 0);
            signalEngine("STOP");
            try {
                session.cancel();
                assertEquals('C', session.ready().getFirst().type());
                engine.rows("BEGIN");
                engine.rows("LOCK TABLE locked IN ACCESS EXCLUSIVE MODE");
                // Before executing it, Multimed sends the engine the statement of that name.
                session.send(FrontendBytes.query("EXECUTE s"));
                assertNull(session.client().poll(A_MOMENT));
            } finally {
                signalEngine("CONT");
            }
            awaitSomebodyBlocked(engine);
            assertNull(session.client().poll(A_MOMENT));
            engine.rows("COMMIT");
            assertEquals(
                    "TDCZ",
                    session.ready().stream().map(message -> "" + message.type()).collect(Collectors.joining()));
        }
    }

    /** The client's next statement after the end of the cancelled one is not meant. */
    @Test
    void aRequestUnderWayDoesNotHitTheNextStatementOfTheBlock() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("BEGIN");
            session.send(FrontendBytes.query("DO 'BEGIN PERFORM pg_sleep(1); END'"));
            EndpointTest.await(() -> multimed.master.active() > 0);
            signalEngine("STOP");
            try {
                session.cancel();
                assertEquals('C', session.ready().getFirst().type());
                session.send(FrontendBytes.query("DO 'BEGIN PERFORM pg_sleep(0.5); END'"));
                assertNull(session.client().poll(A_MOMENT));
            } finally {
                signalEngine("CONT");
            }
            assertEquals('C', session.ready().getFirst().type());
            // The next statement can be cancelled again.
            session.send(FrontendBytes.query("DO 'BEGIN PERFORM pg_sleep(30); END'"));
            session.cancel();
            assertCancelled(session);
        }
    }

    /** The engine's main process hangs. */
    @Test
    void aRequestOnWhichTheEngineDoesNotActHoldsUpTheBlockForAWhileOnly() throws Exception {
        oneEngineConnection();
        try (WireSession session = multimed.open()) {
            long process;
            session.rows("BEGIN");
            session.send(FrontendBytes.query("DO 'BEGIN PERFORM pg_sleep(1); END'"));
            EndpointTest.await(() -> multimed.master.active() > 0);
            signalEngine("STOP");
            try {
                session.cancel();
                assertEquals('C', session.ready().getFirst().type());
                process = Long.parseLong(session.value("SELECT * FROM pg_backend_pid()"));
                session.rows("COMMIT");
                EndpointTest.await(() -> multimed.master.active() == 0);
            } finally {
                signalEngine("CONT");
            }
            // No session gets that connection, because the request may hit it now.
            assertNotEquals(process, Long.parseLong(session.value("SELECT * FROM pg_backend_pid()")));
        }
    }

    @Test
    void aConnectionThatSuchARequestMayHitIsClosedWhenItIsFree() throws Exception {
        oneEngineConnection();
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            session.send(FrontendBytes.query("SELECT 3 FROM pg_sleep(1)"));
            EndpointTest.await(() -> multimed.satellite.active() > 0);
            signalEngine("STOP");
            try {
                session.cancel();
                assertEquals("TDCZ", Message.types(session.ready()));
                EndpointTest.await(() -> connectionsToSatellite() == 0);
            } finally {
                signalEngine("CONT");
            }
            assertEquals("4", session.value("SELECT 4"));
        }
    }

    private int connectionsToSatellite() {
        return multimed.endpoint.backends(multimed.satellite).stream()
                .mapToInt(backends -> backends.size())
                .sum();
    }

    private void oneEngineConnection() throws Exception {
        multimed.restartEndpoint(options -> options.withLimits(options.limits().withConnections(1, 1)));
    }

    private int idleConnectionsToMaster() {
        return multimed.endpoint.backends(multimed.master).stream()
                .mapToInt(backends -> backends.idleCount())
                .sum();
    }

    private static void awaitSomebodyBlocked(WireSession engine) throws Exception {
        EndpointTest.await(() ->
                !engine.value("SELECT count(*) FROM pg_locks WHERE NOT granted").equals("0"));
    }

    private static void assertCancelled(WireSession session) throws IOException {
        List<Message> answer = session.ready();
        assertTrue(answer.getFirst().toString().contains("57014"), answer::toString);
        assertEquals(2, answer.size(), answer::toString);
    }

    private void signalEngine(String signal) throws IOException, InterruptedException {
        signal(signal, multimed.engine.pid());
    }

    private static void signal(String signal, long process) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process)).start();
        assertEquals(0, kill.waitFor());
    }
}
