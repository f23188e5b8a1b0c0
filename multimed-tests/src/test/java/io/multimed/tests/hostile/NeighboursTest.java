package io.multimed.tests.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cost of hostile clients to the others, which must be zero: attacks 18, 29, 40, 45 and 46. The same
 * tests for PostgreSQL and Multimed where both have an answer.
 */
@Tag("slow")
class NeighboursTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final int HOSTILE = 5;
    /** More bytes than sockets, the kernel and any reasonable buffer take. */
    private static final long FLOOD = 100L << 20;

    static Stream<ServerAddress> servers() {
        return Stream.of(PlainServer.get().tcp(), RunningMultimed.shared().address());
    }

    private static WireSession open(ServerAddress server) throws IOException {
        return WireSession.open(server, "postgres", "postgres", PATIENCE);
    }

    private static PostgresEndpoint endpoint(UnaryOperator<EndpointOptions> options) throws Exception {
        return RunningMultimed.shared().endpoint(options, UnaryOperator.identity());
    }

    private static void assertOthersAreServed(ServerAddress server) throws IOException {
        try (WireSession other = open(server)) {
            other.rows("CREATE TEMP TABLE others (i int); INSERT INTO others VALUES (1)");
            assertEquals("1", other.value("SELECT count(*) FROM others"));
        }
        try (WireSession other = open(server)) {
            assertEquals("t", other.value("SELECT count(*) > 0 FROM pg_class"));
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aCancelRequestWithAWrongKeyCancelsNothing(ServerAddress server) throws IOException {
        try (WireSession session = open(server)) {
            session.send(FrontendBytes.query("SELECT 'not cancelled' FROM pg_sleep(1)"));
            byte[] wrong = session.secret();
            wrong[0] ^= 1;
            session.cancel(session.pid(), wrong);
            session.cancel(session.pid() + 1, session.secret());
            session.cancel(session.pid(), new byte[0]);
            session.cancel(session.pid(), new byte[300]);
            assertTrue(session.ready().stream()
                    .anyMatch(
                            message -> message.type() == 'D' && message.texts().equals(List.of("not cancelled"))));
        }
    }

    @Test
    void aLateCancelNeverHitsWhoeverUsesTheConnectionNext() throws Exception {
        UnaryOperator<EndpointOptions> oneConnection =
                options -> options.withLimits(options.limits().withConnections(1, 1));
        try (PostgresEndpoint endpoint = endpoint(oneConnection);
                ExecutorService threads = Executors.newCachedThreadPool();
                WireSession cancelled = open(RunningMultimed.address(endpoint));
                WireSession innocent = open(RunningMultimed.address(endpoint))) {
            AtomicBoolean stop = new AtomicBoolean();
            Future<Integer> cancels = threads.submit(() -> {
                int count = 0;
                while (!stop.get()) {
                    cancelled.cancel();
                    count++;
                }
                return count;
            });
            Future<Integer> hits = threads.submit(() -> {
                int count = 0;
                while (!stop.get()) {
                    for (Message message : cancelled.query("SELECT pg_advisory_xact_lock(77), pg_sleep(0.001)")) {
                        count += message.type() == 'E' && message.sqlState().equals("57014") ? 1 : 0;
                    }
                }
                return count;
            });
            try {
                for (int i = 0; i < 1_500; i++) {
                    innocent.rows("SELECT pg_advisory_xact_lock_shared(78), pg_sleep(0.0005)");
                }
            } finally {
                stop.set(true);
            }
            assertTrue(cancels.get() > 50);
            assertTrue(hits.get() > 5);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void clientsThatNeverReadDelayNobody(ServerAddress server) throws IOException {
        List<WireSession> silent = new ArrayList<>();
        try {
            for (int i = 0; i < HOSTILE; i++) {
                WireSession session = open(server);
                silent.add(session);
                session.send(FrontendBytes.query("SELECT repeat('x', 1000000) FROM generate_series(1, 100)"));
            }
            assertOthersAreServed(server);
        } finally {
            for (WireSession session : silent) {
                session.client().close();
            }
        }
        assertOthersAreServed(server);
    }

    static Stream<byte[]> cheapQuestions() {
        return Stream.of(
                FrontendBytes.sync(),
                FrontendBytes.query("SELECT 1"),
                FrontendBytes.query("SHOW multimed.route"),
                new FrontendBytes.Bytes()
                        .bytes(FrontendBytes.close('S', "x"))
                        .bytes(FrontendBytes.sync())
                        .toArray());
    }

    /**
     * The server soon stops reading from a client that reads no answers, so that the memory for those answers stays bounded.
     */
    @ParameterizedTest
    @MethodSource("cheapQuestions")
    void questionsOfAClientThatNeverReadsAreNotTakenForEver(byte[] question) throws IOException {
        byte[] many = new byte[question.length * 1_000];
        for (int i = 0; i < 1_000; i++) {
            System.arraycopy(question, 0, many, i * question.length, question.length);
        }
        ServerAddress server = RunningMultimed.shared().address();
        try (WireSession session = open(server)) {
            long taken = session.client().flood(many, FLOOD, QUIET);
            assertTrue(taken < FLOOD, () -> "took " + taken);
            assertOthersAreServed(server);
            session.client().close();
        }
    }

    @Test
    void aClientThatTakesNothingForLongLosesItsConnection() throws Exception {
        UnaryOperator<EndpointOptions> impatient =
                options -> options.withTimeouts(options.timeouts().withClientProgress(Duration.ofMillis(300)));
        try (PostgresEndpoint endpoint = endpoint(impatient);
                WireSession silent = open(RunningMultimed.address(endpoint))) {
            silent.send(FrontendBytes.query("SELECT repeat('x', 1000000) FROM generate_series(1, 100)"));
            RunningMultimed.await(() -> endpoint.clients() == 0, "the silent client closed");
            silent.client().close();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void messagesThatAreAnnouncedAndNeverComeDelayNobody(ServerAddress server) throws IOException {
        List<WireClient> trickling = new ArrayList<>();
        try {
            for (char type : new char[] {'Q', 'P', 'B', 'F', 'd'}) {
                WireSession session = open(server);
                trickling.add(session.client());
                session.send(FrontendBytes.header(type, (1 << 30) - 3), new byte[1024]);
            }
            assertOthersAreServed(server);
        } finally {
            for (WireClient client : trickling) {
                client.close();
            }
        }
    }

    /** PostgreSQL lets the client keep its process; in Multimed other clients wait for the connection. */
    @Test
    void whoeverSendsNoMoreOfALongMessageLosesItsConnection() throws Exception {
        UnaryOperator<EndpointOptions> impatient =
                options -> options.withLimits(options.limits().withConnections(1, 1))
                        .withTimeouts(options.timeouts().withClientProgress(Duration.ofMillis(300)));
        try (PostgresEndpoint endpoint = endpoint(impatient);
                WireSession trickling = open(RunningMultimed.address(endpoint))) {
            trickling.send(FrontendBytes.header('Q', (1 << 30) - 3), new byte[300 * 1024]);
            assertOthersAreServed(RunningMultimed.address(endpoint));
            assertEquals(Reaction.of("FATAL 08P01", Reaction.CLOSED), Reaction.untilClosed(trickling.client()));
        }
    }

    @Test
    void messagesBegunByThousandsTakeABoundedMemory() throws Exception {
        UnaryOperator<EndpointOptions> small =
                options -> options.withLimits(options.limits().withHeldBytes(4 << 20));
        List<WireClient> begun = new ArrayList<>();
        try (PostgresEndpoint endpoint = endpoint(small)) {
            ServerAddress server = RunningMultimed.address(endpoint);
            for (int i = 0; i < 100; i++) {
                WireSession session = open(server);
                begun.add(session.client());
                session.send(FrontendBytes.header('Q', 200_000), new byte[100_000]);
            }
            RunningMultimed.await(() -> endpoint.clients() <= 42, "those who hold most closed");
            assertOthersAreServed(server);
            int refused = 0;
            for (WireClient client : begun) {
                Message last = client.poll(Duration.ofMillis(1));
                if (last != null) {
                    assertEquals("53200", last.sqlState());
                    refused++;
                }
            }
            assertTrue(refused >= 58, "refused " + refused);
        } finally {
            for (WireClient client : begun) {
                client.close();
            }
        }
    }

    @Test
    void moreClientsThanAllowedAreRefusedAndTheOthersGoOn() throws Exception {
        UnaryOperator<EndpointOptions> few =
                options -> options.withLimits(options.limits().withClients(3));
        try (PostgresEndpoint endpoint = endpoint(few)) {
            ServerAddress server = RunningMultimed.address(endpoint);
            try (WireSession first = open(server);
                    WireSession second = open(server);
                    WireSession third = open(server)) {
                for (int i = 0; i < 50; i++) {
                    try (WireClient client = WireClient.connect(server, PATIENCE)) {
                        client.send(FrontendBytes.startup(
                                FrontendBytes.PROTOCOL_3_0, Map.of("user", "postgres", "database", "postgres")));
                        assertEquals(Reaction.of("FATAL 53300", Reaction.CLOSED), Reaction.untilClosed(client));
                    }
                }
                for (WireSession session : List.of(first, second, third)) {
                    assertEquals("1", session.value("SELECT 1"));
                }
            }
            RunningMultimed.await(() -> endpoint.clients() == 0, "all gone");
            assertOthersAreServed(server);
        }
    }

    @Test
    void aStatementThatWaitsTooLongForAnEngineConnectionFailsAndItsSessionGoesOn() throws Exception {
        UnaryOperator<EndpointOptions> scarce =
                options -> options.withLimits(options.limits().withConnections(1, 1))
                        .withTimeouts(options.timeouts().withConnection(Duration.ofMillis(300)));
        try (PostgresEndpoint endpoint = endpoint(scarce);
                WireSession holder = open(RunningMultimed.address(endpoint));
                WireSession waiting = open(RunningMultimed.address(endpoint))) {
            holder.rows("BEGIN; SELECT pg_advisory_xact_lock(79)");
            waiting.send(FrontendBytes.query("SELECT pg_advisory_xact_lock(80)"));
            Message refusal = waiting.client().readUntil("Z").getFirst();
            assertEquals("ERROR", refusal.fields().get('S'));
            assertEquals("53300", refusal.sqlState());
            holder.rows("COMMIT");
            assertEquals("1", waiting.value("SELECT 1"));
        }
    }
}
