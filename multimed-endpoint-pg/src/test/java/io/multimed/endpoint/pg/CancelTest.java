package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.Frontend;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cancel requests of statements that an engine executes. */
@Timeout(60)
class CancelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

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
    void howeverOftenAClientAsksTheEngineIsAskedOnceAtATime() throws Exception {
        try (WireSession session = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            session.rows("DO 'BEGIN END'");
            session.send(Frontend.query("DO 'BEGIN PERFORM pg_sleep(30); END'"));
            EndpointTest.await(() -> multimed.master.active() > 0);
            int before = multimed.connectionsBegun.get();
            // Its main process would take the requests: they hang.
            signalEngine("STOP");
            try {
                for (int i = 0; i < 20; i++) {
                    session.cancel();
                }
                // The loop takes its tasks in order, and this one begins behind the cancels.
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

    private void signalEngine(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(multimed.engine.pid())).start();
        assertEquals(0, kill.waitFor());
    }
}
