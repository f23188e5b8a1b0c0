package io.multimed.tests.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Reads of many clients on shared connections to a Satellite, whose replay of the Master's definitions cancels some and ends
 * the connections of others: each client gets its own answer, or an error with the reason.
 */
@Isolated("lets a satellite's replay wait for seconds")
@Tag("slow")
class SharedReadsInConflictTest {
    private static final int CLIENTS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Seconds of a read that is longer than replay's wait for a reader. */
    private static final int LONG_READ_SECONDS = 8;

    private static final Set<String> INTERRUPTED = Set.of("40001", "57014", "57P01");

    /** Settings of sessions that accept late reads, since the Satellite serves while its replay waits. */
    private static final Map<String, String> STARTUP = Map.of(
            "user",
            "postgres",
            "database",
            "postgres",
            "options",
            "-c multimed.freshness=eventual -c multimed.max_lag=10min");

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<ComputationalNode> satellite = new AtomicReference<>();
    /** Seed of the reads: {@code -Dmultimed.test.seed} repeats them, though not their timing. */
    private final long seed = Seed.of("multimed.test.seed");

    @Test
    @Timeout(180)
    void eachClientGetsItsOwnAnswerOrHearsWhyNot() throws Exception {
        System.out.println("multimed.test.seed=" + seed);
        try (RunningMultimed multimed = RunningMultimed.start(1);
                PostgresEndpoint endpoint = multimed.endpoint(
                        options -> options.withLimits(
                                options.limits().withConnections(8, 4).withSharing(new ReadSharing(1, 8))),
                        services -> {
                            satellite.set(services.nodes().satellites().getFirst());
                            return services;
                        });
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
                WireSession definer = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE);
                WireSession replaying = WireSession.open(multimed.satellite(0), "postgres", "postgres", PATIENCE)) {
            definer.rows("CREATE TABLE redefined AS SELECT generate_series(1, 100) AS i");
            multimed.awaitSatellites("postgres");
            List<Future<?>> clients = new ArrayList<>();
            try {
                for (int c = 0; c < CLIENTS; c++) {
                    Client client = new Client(endpoint, c, new Random(seed + c));
                    clients.add(threads.submit(() -> {
                        client.run();
                        return null;
                    }));
                }
                replayMeetsReaders(endpoint, definer, replaying);
                for (String end : List.of("pg_cancel_backend", "pg_terminate_backend")) {
                    long before = behind(endpoint);
                    replaying.rows("SELECT " + end + "(pid) FROM pg_stat_activity"
                            + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
                    RunningMultimed.await(() -> behind(endpoint) > before + CLIENTS, "reads that share connections");
                }
            } finally {
                over.set(true);
            }
            for (Future<?> client : clients) {
                client.get();
            }
            RunningMultimed.await(() -> satellite.get().active() == 0, "nothing left on the satellite");
            assertEquals(
                    0,
                    backends(endpoint).stream()
                            .mapToInt(NodeBackends::waitingCount)
                            .sum());
        }
    }

    /** Lets replay meet two readers: one that executes, and an idle one with a snapshot. */
    private static void replayMeetsReaders(PostgresEndpoint endpoint, WireSession definer, WireSession replaying)
            throws IOException {
        try (WireSession executing = open(endpoint);
                WireSession idle = open(endpoint)) {
            idle.rows("BEGIN READ ONLY");
            // The engine learns of the transaction block only with the first statement that uses its time.
            assertEquals("idle", idle.value("SELECT 'idle' FROM redefined WHERE now() IS NOT NULL LIMIT 1"));
            executing.send(FrontendBytes.query(
                    "SELECT 'executing', (SELECT count(*) FROM redefined) FROM pg_sleep(" + LONG_READ_SECONDS + ")"));
            RunningMultimed.await(
                    () -> count(replaying, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == 1,
                    "a long read on the satellite");
            definer.rows("ALTER TABLE redefined ADD COLUMN more int");
            RunningMultimed.await(
                    () -> count(
                                    replaying,
                                    "SELECT confl_lock FROM pg_stat_database_conflicts WHERE datname = 'postgres'")
                            >= 2,
                    "conflicts of both");
            assertOwn("executing", answer(executing));
            idle.send(FrontendBytes.query("SELECT 'idle'"));
            assertOwn("idle", answer(idle));
        }
    }

    /** Returns the messages up to ReadyForQuery, or to the error that ends the connection: without an error it must not end. */
    private static List<Message> answer(WireSession session) throws IOException {
        List<Message> answer = new ArrayList<>();
        do {
            answer.add(session.client().read());
        } while (answer.getLast().type() != 'Z' && !endsConnection(answer.getLast()));
        return answer;
    }

    private static boolean endsConnection(Message message) {
        return message.type() == 'E' && "FATAL".equals(message.fields().get('V'));
    }

    /** Asserts that every row is this client's; an error in their place must contain the reason. */
    private static void assertOwn(String wanted, List<Message> answer) {
        for (Message message : answer) {
            if (message.type() == 'D') {
                assertEquals(wanted, message.texts().getFirst(), answer::toString);
            } else if (message.type() == 'E') {
                assertTrue(INTERRUPTED.contains(message.sqlState()), answer::toString);
            }
        }
        assertTrue(
                answer.stream().anyMatch(message -> message.type() == 'D' || message.type() == 'E'), answer::toString);
    }

    private static long count(WireSession session, String sql) {
        try {
            return Long.parseLong(session.value(sql));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<NodeBackends> backends(PostgresEndpoint endpoint) {
        return endpoint.backends(satellite.get());
    }

    private long behind(PostgresEndpoint endpoint) {
        return backends(endpoint).stream().mapToLong(NodeBackends::behindCount).sum();
    }

    private static WireSession open(PostgresEndpoint endpoint) throws IOException {
        return WireSession.open(RunningMultimed.address(endpoint), STARTUP, null, PATIENCE);
    }

    private final class Client {
        private final PostgresEndpoint endpoint;
        private final int number;
        private final Random random;
        private WireSession session;

        Client(PostgresEndpoint endpoint, int number, Random random) throws IOException {
            this.endpoint = endpoint;
            this.number = number;
            this.random = random;
            session = begin();
        }

        private WireSession begin() throws IOException {
            WireSession begun = open(endpoint);
            begun.send(FrontendBytes.parse("mine", "SELECT $1::text FROM redefined LIMIT 2"), FrontendBytes.sync());
            begun.ready();
            return begun;
        }

        void run() throws IOException {
            for (int asked = 1; !over.get(); asked++) {
                ask(number + "/" + asked);
            }
            // The endpoint goes on, and serves this client, too.
            try (WireSession last = begin()) {
                assertEquals("last " + number, last.value("SELECT 'last " + number + "'"));
            }
            session.close();
        }

        private void ask(String wanted) throws IOException {
            switch (random.nextInt(4)) {
                case 0 ->
                    session.send(
                            FrontendBytes.bind("", "mine", wanted), FrontendBytes.execute("", 0), FrontendBytes.sync());
                case 1 ->
                    session.send(
                            FrontendBytes.parse("", "SELECT '" + wanted + "', count(*) FROM redefined"),
                            FrontendBytes.bind("", ""),
                            FrontendBytes.execute("", 0),
                            FrontendBytes.sync());
                case 2 -> session.send(FrontendBytes.query("SELECT '" + wanted + "' FROM generate_series(1, 500)"));
                default -> session.send(FrontendBytes.query("SELECT '" + wanted + "'"));
            }
            List<Message> answer = answer(session);
            assertOwn(wanted, answer);
            if (endsConnection(answer.getLast())) {
                session.client().close();
                session = begin();
            }
        }
    }
}
