package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.backend.ConnectionBudget;
import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.testkit.history.Promise;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Clients that go, or say nothing more, at any moment: what they held comes back, and nothing that they had not committed is there.
 * The workload, whose history is checked, goes on beside them.
 *
 * <p>{@code -Dmultimed.gone.rounds=N} repeats all of it N times.
 */
@Isolated("asks whether the machine's only Multimed is idle")
@Timeout(1800)
@Tag("slow")
class GoneClientsTest {
    private static final int ROUNDS = Integer.getInteger("multimed.gone.rounds", 1);
    private static final long SEED = Seed.of("multimed.history.seed");
    private static final String DATABASE = "gone_clients";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** On each engine: with as many clients gone, one that was not given back shows. */
    private static final int TRANSACTIONS = 6;

    private static final byte[] LINE = FrontendBytes.copyData("1\n".getBytes(StandardCharsets.US_ASCII));

    private interface Begin {
        WireClient at(ServerAddress address) throws IOException;
    }

    private interface InSession {
        void to(WireSession session) throws IOException;
    }

    private static Begin session(InSession further) {
        return address -> {
            WireSession session = open(address);
            further.to(session);
            return session.client();
        };
    }

    /** Up to where a client comes before it goes. */
    private enum Moment {
        NOTHING_SAID(address -> WireClient.connect(address, PATIENCE)),
        AMID_STARTUP(address -> {
            WireClient client = WireClient.connect(address, PATIENCE);
            byte[] startup =
                    FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, Map.of("user", "postgres", "database", DATABASE));
            client.send(Arrays.copyOf(startup, startup.length - 3));
            return client;
        }),
        IDLE(session(session -> session.rows("SELECT 1"))),
        AMID_MESSAGE(session(session -> session.send(FrontendBytes.header('Q', 100), new byte[50]))),
        AMID_LONG_MESSAGE(session(session -> session.send(FrontendBytes.header('Q', 1 << 20), new byte[1 << 19]))),
        IN_TRANSACTION(session(session -> session.rows("BEGIN; INSERT INTO gone VALUES (1)"))),
        IN_FAILED_TRANSACTION(session(session -> session.query("BEGIN; INSERT INTO gone VALUES (1); SELECT 1/0"))),
        IN_READ_ONLY_TRANSACTION(session(session -> {
            session.rows("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ");
            session.rows("SELECT count(*) FROM gone");
        })),
        WITHOUT_SYNC(session(session -> {
            session.send(
                    FrontendBytes.parse("", "INSERT INTO gone VALUES (1)"),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.flush());
            session.client().readUntil("C");
        })),
        IN_COPY(session(session -> {
            session.send(FrontendBytes.query("COPY gone FROM STDIN"));
            session.client().readUntil("G");
            session.send(LINE);
        })),
        AMID_COPY_DATA(session(session -> {
            session.send(FrontendBytes.query("COPY gone FROM STDIN"));
            session.client().readUntil("G");
            session.send(LINE, FrontendBytes.header('d', 100), new byte[50]);
        })),
        AMID_ROWS_OF_SATELLITE(session(session -> {
            session.send(FrontendBytes.query("SELECT repeat('x', 1000000) FROM generate_series(1, 200)"));
            session.client().readUntil("D");
        })),
        AMID_ROWS_OF_MASTER(session(session -> {
            session.send(FrontendBytes.query("BEGIN; INSERT INTO gone VALUES (1);"
                    + " SELECT repeat('x', 1000000) FROM generate_series(1, 200)"));
            session.client().readUntil("D");
        })),
        AMID_COPY_OUT(session(session -> {
            session.send(
                    FrontendBytes.query("COPY (SELECT repeat('x', 1000000) FROM generate_series(1, 200)) TO STDOUT"));
            session.client().readUntil("d");
        })),
        KEEPING_A_CONNECTION(session(session -> session.rows("CREATE TEMP TABLE kept (i int)")));

        private final Begin begin;

        Moment(Begin begin) {
            this.begin = begin;
        }
    }

    /** How a client goes. */
    private enum Way {
        CLOSES,
        /** Nothing comes from it any more, and it takes nothing; its connection stays, as if its machine had been switched off. */
        IS_SILENT,
        /** It can still read. */
        ENDS_OUTPUT;

        boolean isPossibleAt(Moment moment) {
            return this != IS_SILENT || moment != Moment.KEEPING_A_CONNECTION;
        }
    }

    private final RunningMultimed multimed = RunningMultimed.shared();

    private static WireSession open(ServerAddress address) throws IOException {
        return WireSession.open(address, "postgres", DATABASE, PATIENCE);
    }

    @Test
    void leaveNothingBehindWheneverAndHoweverTheyGo() throws Exception {
        try (WireSession owner = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE DATABASE " + DATABASE);
        }
        try (WireSession owner = open(multimed.address())) {
            owner.rows("CREATE TABLE gone (i int); CREATE TABLE there (i int)");
        }
        multimed.awaitSatellites(DATABASE);
        HistoryRun run = new HistoryRun(multimed.master(), multimed.address(), "history_of_gone", true, SEED);
        Map<Way, Integer> gone = new EnumMap<>(Way.class);
        int there = 0;
        try (PostgresEndpoint endpoint = multimed.endpoint(
                options -> options.withLimits(options.limits().withConnections(few(), few()))
                        .withTimeouts(options.timeouts()
                                .withAuthentication(Duration.ofSeconds(2))
                                .withClientProgress(Duration.ofSeconds(1))
                                .withIdleTransaction(Duration.ofSeconds(1))),
                UnaryOperator.identity())) {
            for (int round = 0; round < ROUNDS; round++) {
                for (Way way : Way.values()) {
                    for (Moment moment : Moment.values()) {
                        if (way.isPossibleAt(moment)) {
                            go(endpoint, moment, way);
                            gone.merge(way, TRANSACTIONS, Integer::sum);
                            there += TRANSACTIONS;
                        }
                    }
                }
            }
            RunningMultimed.await(() -> endpoint.clients() == 0, "all clients gone");
            awaitIdle(multimed);
        }
        System.out.println("clients gone, each in " + Moment.values().length + " moments: " + gone);
        assertTrue(run.recording().updates().size() > 0, "no workload");
        RunningMultimed.await(() -> run.recording().updates().size() > 100, "the workload going on");
        run.assertKept(run.end(Promise.STRONG));
        Faults.assertConverged(multimed, run, "history_of_gone");
        multimed.awaitSatellites(DATABASE);
        run.assertConverged(DATABASE, List.of(multimed.satellite(0), multimed.satellite(1)));
        try (WireSession owner = open(multimed.address())) {
            assertEquals("0", owner.value("SELECT count(*) FROM gone"));
            assertEquals(Integer.toString(there), owner.value("SELECT count(*) FROM there"));
        }
        run.dropDatabase();
        try (WireSession owner = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            owner.rows("DROP DATABASE " + DATABASE + " WITH (FORCE)");
        }
    }

    private static EndpointLimits.ToEngine few() {
        return new EndpointLimits.ToEngine(2, new ConnectionBudget.Limits(TRANSACTIONS, TRANSACTIONS, 0));
    }

    /** As many as there may be transactions go; then as many others have one each. */
    private void go(PostgresEndpoint endpoint, Moment moment, Way way) throws IOException {
        ServerAddress address = RunningMultimed.address(endpoint);
        List<WireClient> clients = new ArrayList<>();
        List<WireSession> others = new ArrayList<>();
        try {
            for (int i = 0; i < TRANSACTIONS; i++) {
                clients.add(moment.begin.at(address));
            }
            for (WireClient client : clients) {
                switch (way) {
                    case CLOSES -> client.close();
                    case IS_SILENT -> {}
                    case ENDS_OUTPUT -> client.endOutput();
                }
            }
            for (int i = 0; i < TRANSACTIONS; i++) {
                others.add(open(address));
            }
            // None of them is idle, or it might be ended for the others' sake.
            try (WireSession lock = open(multimed.master())) {
                lock.rows("SELECT pg_advisory_lock(17)");
                for (WireSession other : others) {
                    other.send(FrontendBytes.query("BEGIN; INSERT INTO there VALUES (1);"
                            + " SELECT pg_advisory_xact_lock_shared(17); COMMIT"));
                }
                RunningMultimed.await(
                        () -> waiting(lock) == TRANSACTIONS, "others in all places: " + moment + " " + way);
            }
            for (WireSession other : others) {
                assertTrue(other.ready().stream().noneMatch(message -> message.type() == 'E'), moment + " " + way);
                other.send(FrontendBytes.query("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ;"
                        + " SELECT count(*) FROM there, pg_sleep(0.05); COMMIT"));
            }
            for (WireSession other : others) {
                assertTrue(other.ready().stream().noneMatch(message -> message.type() == 'E'), moment + " " + way);
            }
            if (way == Way.ENDS_OUTPUT) {
                for (WireClient client : clients) {
                    client.readToEnd();
                }
            }
            if (moment == Moment.NOTHING_SAID || moment == Moment.AMID_STARTUP) {
                for (WireClient client : way == Way.CLOSES ? List.<WireClient>of() : clients) {
                    client.readToEnd();
                }
            }
        } catch (IOException e) {
            throw new IOException(moment + " " + way, e);
        } finally {
            for (WireSession other : others) {
                other.close();
            }
            for (WireClient client : clients) {
                client.close();
            }
        }
    }

    private static int waiting(WireSession session) {
        try {
            return Integer.parseInt(
                    session.value("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** No engine does anything for anybody there, or holds a transaction open. */
    private static void awaitIdle(RunningMultimed multimed) {
        for (ServerAddress engine : List.of(multimed.master(), multimed.satellite(0), multimed.satellite(1))) {
            RunningMultimed.await(
                    () -> {
                        try (WireSession session = open(engine)) {
                            return session.value(
                                            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                                    + " AND pid <> pg_backend_pid() AND state <> 'idle' AND backend_type = 'client backend'")
                                    .equals("0");
                        } catch (IOException e) {
                            return false;
                        }
                    },
                    "nothing left on " + engine);
        }
    }
}
