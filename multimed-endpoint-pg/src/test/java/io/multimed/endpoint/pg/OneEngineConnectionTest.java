package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.multimed.testkit.wire.Frontend;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions that share the only connection to each engine. */
@Timeout(60)
class OneEngineConnectionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    private static EndpointOnOneEngine multimed;

    @BeforeAll
    static void start() throws Exception {
        multimed = new EndpointOnOneEngine(
                options -> options.withLimits(options.limits().withConnections(1, 1)));
    }

    @AfterAll
    static void stop() throws Exception {
        multimed.close();
    }

    @Test
    void whoWaitsForItGetsAnotherWhenItBecomesPrivate() throws IOException {
        try (WireSession first = open();
                WireSession second = open()) {
            first.rows("BEGIN; CREATE TEMP TABLE keeps_it (i int)");
            second.send(Frontend.query("DO 'BEGIN END'"));
            assertNull(second.client().poll(A_MOMENT));
            first.rows("COMMIT");
            assertEquals('Z', second.ready().getLast().type());
        }
    }

    @Test
    void noMoreThanOneIsLeftWhenThePrivateOneIsSharedAgain() throws Exception {
        try (WireSession first = open();
                WireSession second = open()) {
            first.rows("CREATE TEMP TABLE keeps_it (i int)");
            second.rows("DO 'BEGIN END'");
            assertEquals(2, connectionsToMaster());
            first.rows("DROP TABLE keeps_it");
            first.rows("DISCARD ALL");
            EndpointTest.await(() -> connectionsToMaster() == 1);
        }
    }

    private static int connectionsToMaster() {
        return multimed.endpoint.backends(multimed.master).stream()
                .mapToInt(backends -> backends.size())
                .sum();
    }

    private static WireSession open() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }
}
