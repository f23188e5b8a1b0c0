package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.config.ClientLimits;
import io.multimed.endpoint.pg.config.ClientLimits.Limit;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that exceed a limit of their role or database are refused or disconnected; others are not. */
@Timeout(120)
@Tag("slow")
class ClientLimitsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long SHORT = 600;

    @RegisterExtension
    private static final EndpointOnOneEngine multimed =
            new EndpointOnOneEngine(options -> options.withLimits(options.limits()
                    .withEach(new ClientLimits(
                            Map.of(Limit.MAX_USER_CLIENT_CONNECTIONS, 5L),
                            Map.of(
                                    "few", Map.of(Limit.MAX_USER_CLIENT_CONNECTIONS, 2L),
                                    "many", Map.of(Limit.MAX_USER_CLIENT_CONNECTIONS, 0L),
                                    "paired", Map.of(Limit.MAX_USER_CONNECTIONS, 2L),
                                    "brief", Map.of(Limit.QUERY_TIMEOUT, SHORT),
                                    "prompt", Map.of(Limit.IDLE_TRANSACTION_TIMEOUT, SHORT),
                                    "swift", Map.of(Limit.TRANSACTION_TIMEOUT, SHORT),
                                    "impatient", Map.of(Limit.QUERY_WAIT_TIMEOUT, SHORT)),
                            Map.of("narrow", Map.of(Limit.MAX_DB_CLIENT_CONNECTIONS, 3L))))));

    @BeforeAll
    static void create() throws IOException {
        for (String role : List.of("few", "many", "paired", "brief", "prompt", "swift", "impatient", "other")) {
            run("CREATE ROLE " + role + " LOGIN");
        }
        run("CREATE DATABASE narrow");
    }

    @AfterAll
    static void drop() throws IOException {
        run("DROP DATABASE narrow WITH (FORCE)");
        for (String role : List.of("few", "many", "paired", "brief", "prompt", "swift", "impatient", "other")) {
            run("DROP ROLE " + role);
        }
    }

    private static void run(String sql) throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows(sql);
        }
    }

    private static WireSession session(String user) throws IOException {
        return WireSession.open(multimed.address(), user, "postgres", PATIENCE);
    }

    @ParameterizedTest
    @CsvSource({
        "few, postgres, 2, role \"few\"",
        "other, postgres, 5, role \"other\"",
        "many, postgres, 7, ",
        "many, narrow, 3, database \"narrow\"",
    })
    void clientsOfOneRoleOrDatabase(String user, String database, int fit, String refused) throws IOException {
        List<WireClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i <= fit; i++) {
                WireClient client = WireClient.connect(multimed.address(), PATIENCE);
                clients.add(client);
                client.send(
                        FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, Map.of("user", user, "database", database)));
                String last = ComparedErrors.shown(client.readUntil("ZE").getLast());
                assertEquals(
                        i < fit || refused == null
                                ? "Z"
                                : "E{C=53300, M=too many connections for " + refused + ", V=FATAL}",
                        last);
            }
        } finally {
            for (WireClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void transactionsOfOneRole() throws IOException {
        try (WireSession first = session("paired");
                WireSession second = session("paired");
                WireSession third = session("paired");
                WireSession other = session("other")) {
            for (WireSession each : List.of(first, second)) {
                each.rows("BEGIN");
                each.rows("CREATE TEMPORARY TABLE mine (id int)");
            }
            other.rows("BEGIN");
            other.rows("CREATE TEMPORARY TABLE mine (id int)");
            third.send(FrontendBytes.query("SELECT 1"));
            assertNull(third.client().poll(Duration.ofMillis(300)));
            first.rows("ROLLBACK");
            assertEquals("TDCZ", Message.types(third.ready()));
            // A session that ends makes room too.
            first.rows("BEGIN");
            first.rows("CREATE TEMPORARY TABLE mine (id int)");
            third.send(FrontendBytes.query("SELECT 1"));
            assertNull(third.client().poll(Duration.ofMillis(300)));
            second.send(FrontendBytes.terminate());
            assertEquals("TDCZ", Message.types(third.ready()));
            third.send(FrontendBytes.query("SELECT pg_sleep(60)"));
            assertNull(third.client().poll(Duration.ofMillis(300)));
            third.cancel();
            assertTrue(Message.types(third.ready()).endsWith("EZ"));
            for (int i = 0; i < 50; i++) {
                assertEquals("1", third.value("SELECT 1"));
            }
            other.rows("ROLLBACK");
            first.rows("ROLLBACK");
        }
    }

    private static String end(WireSession session) throws IOException {
        Message last = session.client().readToEnd().getLast();
        return last.sqlState() + " " + last.fields().get('M');
    }

    @Test
    void aStatementThatTakesTooLong() throws IOException {
        try (WireSession session = session("brief")) {
            assertEquals("1", session.value("SELECT 1"));
            session.send(FrontendBytes.query("SELECT pg_sleep(60)"));
            assertEquals("57014 query_timeout", end(session));
        }
    }

    @Test
    void manyShortStatementsAreNotOne() throws IOException {
        try (WireSession session = session("brief");
                WireSession block = session("swift");
                WireSession idle = session("prompt")) {
            long end = System.nanoTime() + Duration.ofMillis(3 * SHORT).toNanos();
            idle.rows("BEGIN");
            while (System.nanoTime() < end) {
                assertEquals("1", session.value("SELECT 1 FROM pg_sleep(0.01)"));
                block.rows("BEGIN");
                block.rows("COMMIT AND CHAIN");
                block.rows("COMMIT");
                idle.rows("SELECT 1");
            }
            idle.rows("COMMIT");
        }
    }

    @Test
    void aTransactionThatIsIdleForTooLong() throws IOException {
        try (WireSession session = session("prompt")) {
            session.rows("BEGIN");
            session.rows("SELECT pg_sleep(1.2)");
            assertEquals("25P03 terminating connection due to idle-in-transaction timeout", end(session));
        }
    }

    @Test
    void aTransactionThatIsOpenForTooLong() throws IOException {
        try (WireSession session = session("swift")) {
            session.rows("BEGIN");
            session.send(FrontendBytes.query("SELECT pg_sleep(60)"));
            assertEquals("25P04 terminating connection due to transaction timeout", end(session));
        }
        try (WireSession session = session("swift")) {
            session.send(FrontendBytes.query("SELECT pg_sleep(60)"));
            assertEquals("25P04 terminating connection due to transaction timeout", end(session));
        }
    }

    @Test
    void aStatementThatWaitsForTooLong() throws IOException {
        try (WireSession session = session("impatient");
                WireSession patient = session("other");
                WireSession admin = WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE)) {
            admin.query("PAUSE");
            session.send(FrontendBytes.query("SELECT 1"));
            patient.send(FrontendBytes.query("SELECT 1"));
            assertEquals("57014 query_wait_timeout", end(session));
            admin.query("RESUME");
            assertEquals("TDCZ", Message.types(patient.ready()));
        }
    }
}
