package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions for which the engine allows fewer connections than the endpoint would open. */
@Timeout(60)
@Tag("slow")
class FewEngineConnectionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @BeforeAll
    static void start() throws Exception {
        try (WireSession session = open("postgres")) {
            session.rows("CREATE ROLE few LOGIN");
            session.rows("CREATE ROLE scarce LOGIN");
            session.rows("CREATE ROLE nobody LOGIN CONNECTION LIMIT 0");
        }
    }

    /** Connections that an earlier test has left in the pool count for the engine's limits. */
    @BeforeEach
    void beginWithoutConnections() throws Exception {
        multimed.restartEndpoint(options -> options);
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("ALTER ROLE few CONNECTION LIMIT -1");
            engine.rows("ALTER ROLE scarce CONNECTION LIMIT -1");
            EndpointTest.await(
                    () -> engine.value("SELECT count(*) FROM pg_stat_activity WHERE usename IN ('few', 'scarce')")
                            .equals("0"));
        }
    }

    /**
     * Limits the engine to two connections for each such role from now on, whatever the number of clients that have logged in
     * before.
     */
    private static void limit() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("ALTER ROLE few CONNECTION LIMIT 2");
            engine.rows("ALTER ROLE scarce CONNECTION LIMIT 2");
        }
    }

    @Test
    void whoCannotGetOneOfTheirOwnWaitForThoseThatThereAre() throws IOException {
        try (WireSession first = open("few");
                WireSession second = open("few");
                WireSession third = open("few");
                WireSession fourth = open("few")) {
            limit();
            first.rows("BEGIN; SELECT pg_current_xact_id()");
            second.rows("BEGIN; SELECT pg_current_xact_id()");
            third.send(FrontendBytes.query("DO 'BEGIN END'"));
            fourth.send(FrontendBytes.query("DO 'BEGIN END'"));
            assertNull(third.client().poll(A_MOMENT));
            assertNull(fourth.client().poll(A_MOMENT));
            first.rows("COMMIT");
            assertEquals('C', third.ready().getFirst().type());
            assertEquals('C', fourth.ready().getFirst().type());
            second.rows("COMMIT");
        }
    }

    @Test
    void whoCannotGetAnyIsToldSoAlthoughOthersAreServed() throws IOException {
        try (WireSession other = open("postgres");
                WireClient refused = WireClient.connect(multimed.address(), PATIENCE)) {
            other.rows("BEGIN; SELECT pg_current_xact_id()");
            refused.send(FrontendBytes.startup(
                    FrontendBytes.PROTOCOL_3_0, Map.of("user", "nobody", "database", "postgres")));
            assertEquals("53300", refused.readUntil("E").getLast().sqlState());
            other.rows("COMMIT");
        }
    }

    @Test
    void whoWaitsForOneUnderALimitOfItsOwnTakesNoneFromOthers() throws Exception {
        try (WireSession first = open("few");
                WireSession second = open("few");
                WireSession third = open("few");
                WireSession other = open("postgres")) {
            limit();
            first.rows("BEGIN; SELECT pg_current_xact_id()");
            second.rows("BEGIN; SELECT pg_current_xact_id()");
            third.send(FrontendBytes.query("DO 'BEGIN END'"));
            assertNull(third.client().poll(A_MOMENT));
            for (int i = 0; i < 5; i++) {
                other.rows("SELECT pg_current_xact_id()");
            }
            first.rows("COMMIT");
            assertEquals('C', third.ready().getFirst().type());
            second.rows("COMMIT");
        }
    }

    @Test
    void eachIsAskedForAgainThoughAnotherIsStillRefused() throws IOException {
        try (WireSession first = open("few");
                WireSession behindFirst = open("few");
                WireSession second = open("scarce");
                WireSession behindSecond = open("scarce")) {
            limit();
            first.rows("BEGIN; SELECT pg_current_xact_id()");
            second.rows("BEGIN; SELECT pg_current_xact_id()");
            try (WireSession direct = openEngine("few")) {
                direct.rows("SELECT 1");
                try (WireSession another = openEngine("scarce")) {
                    another.rows("SELECT 1");
                    behindFirst.send(FrontendBytes.query("DO 'BEGIN END'"));
                    behindSecond.send(FrontendBytes.query("DO 'BEGIN END'"));
                    assertNull(behindFirst.client().poll(A_MOMENT));
                    assertNull(behindSecond.client().poll(A_MOMENT));
                }
                assertEquals('C', behindSecond.ready().getFirst().type());
                assertNull(behindFirst.client().poll(A_MOMENT));
            }
            assertEquals('C', behindFirst.ready().getFirst().type());
            first.rows("COMMIT");
            second.rows("COMMIT");
        }
    }

    private static WireSession openEngine(String user) throws IOException {
        return WireSession.open(multimed.engine.unix(), user, "postgres", PATIENCE);
    }

    private static WireSession open(String user) throws IOException {
        return WireSession.open(multimed.address(), user, "postgres", PATIENCE);
    }
}
