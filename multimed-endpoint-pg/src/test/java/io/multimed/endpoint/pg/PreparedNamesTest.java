package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.Frontend.bind;
import static io.multimed.testkit.wire.Frontend.close;
import static io.multimed.testkit.wire.Frontend.execute;
import static io.multimed.testkit.wire.Frontend.parse;
import static io.multimed.testkit.wire.Frontend.sync;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's names of prepared statements when the messages that prepare or close them come to nothing. */
@Timeout(60)
class PreparedNamesTest {
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
    void isFreeWhenTheEngineIgnoredTheMessageAfterAnError() throws IOException {
        try (WireSession session = open()) {
            // The engine holds the statement when it is prepared again, so it is not told.
            assertEquals("1Z", types(session, parse("s", "SELECT 1"), sync()));
            assertEquals("EZ", types(session, parse("", "SELECT * FROM nothing"), parse("t", "SELECT 1"), sync()));
            assertEquals("1Z", types(session, parse("t", "SELECT 1"), sync()));
            assertEquals("2DCZ", types(session, bind("", "t"), execute("", 0), sync()));
        }
    }

    @Test
    void isFreeWhenTheUnitRunsAgainOnTheMaster() throws Exception {
        try (WireSession session = open()) {
            session.rows("SELECT 1");
            session.send(parse("s", "SELECT 3 FROM pg_sleep(1)"), bind("", "s"), execute("", 0), sync());
            loseTheSatellite();
            assertEquals("12DCZ", types(session.ready()));
        }
    }

    @Test
    void isKnownStillWhenTheUnitThatClosesItRunsAgainOnTheMaster() throws Exception {
        try (WireSession session = open()) {
            assertEquals("1Z", types(session, parse("s", "SELECT 3 FROM pg_sleep(1)"), sync()));
            session.send(bind("", "s"), execute("", 0), close('S', "s"), sync());
            loseTheSatellite();
            assertEquals("2DC3Z", types(session.ready()));
            assertEquals("EZ", types(session, bind("", "s"), execute("", 0), sync()));
        }
    }

    private void loseTheSatellite() throws Exception {
        EndpointTest.await(() -> multimed.satellite.active() > 0);
        multimed.satellite.serving(false);
        EndpointTest.await(() -> {
            multimed.endpoint.nodeGone(multimed.satellite);
            return multimed.satellite.active() == 0;
        });
    }

    private WireSession open() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }

    private static String types(WireSession session, byte[]... messages) throws IOException {
        session.send(messages);
        return types(session.ready());
    }

    private static String types(List<Message> messages) {
        return messages.stream().map(message -> "" + message.type()).collect(Collectors.joining());
    }
}
