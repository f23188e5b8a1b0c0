package io.multimed.tests.alike;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.counters.RouteCounters;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.backend.ConnectionBudget;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Many clients send the same reads at the same time, while their users, roles, row policies and settings differ: each gets the
 * answer that a PostgreSQL process of its own gives. The rest of the database stays as it is, since definitions elsewhere would
 * hide wrongly shared results.
 *
 * <p>{@code -Dmultimed.alike.reads=100000} goes on until so many reads have been answered by another read's execution, or sent
 * behind others' on their connection; {@code -Dmultimed.alike.seed=N} repeats the reads, though not their timing.
 */
@Isolated("reads must wait for each other")
@Tag("slow")
class AnsweredAlikeTest {
    private static final int GOAL = Integer.getInteger("multimed.alike.reads", 100);
    private static final long SEED = Seed.of("multimed.alike.seed");
    /** Connections to each Satellite: one for each user and each set of names of parameters, on both loops. */
    private static final int CONNECTIONS = Integer.getInteger("multimed.alike.connections", 8);

    private static final int CLIENTS = 40;
    /** Number of reads that each client sends in a round, without waiting for answers. */
    private static final int TIMES = 4;
    /** Number of clients that keep connections busy for a moment first, so that the others' reads wait. */
    private static final int BUSY = 24;
    /** Most reads sent for each one that is answered together with others. */
    private static final int ASKED_FOR_EACH = 200;
    /** Most reads in progress on one connection. */
    private static final int UNITS_EACH = 16;
    /** Most clients with an open block. */
    private static final int OPEN = 6;

    private final RunningMultimed multimed = RunningMultimed.shared();
    private final ServerAddress plain = PlainServer.get().unix();
    private final Random random = new Random(SEED);
    private List<ComputationalNode> satellites = List.of();
    private boolean disturbed;
    private int cancelled;
    private int vanished;
    private long asked;
    private int refused;
    private int rounds;

    @BeforeEach
    void create() throws IOException {
        Content.create(plain);
        Content.create(multimed.address());
        multimed.awaitSatellites(Content.DATABASE);
    }

    @AfterEach
    void drop() throws IOException {
        Content.drop(plain);
        Content.drop(multimed.address());
    }

    @Test
    void readsThatAreExecutedForSeveralAreEachOnesOwn() throws Exception {
        try (PostgresEndpoint endpoint = endpoint(new ReadSharing(1, 1))) {
            run(
                    endpoint,
                    () -> endpoint.counters().stream()
                            .mapToLong(RouteCounters::coalescedReads)
                            .sum(),
                    "executed for several");
        }
    }

    /** Some reads are cancelled, have too little time, or their clients go before the answer. */
    @Test
    void readsThatAreSentBehindOthersAreEachOnesOwn() throws Exception {
        disturbed = true;
        try (PostgresEndpoint endpoint = endpoint(new ReadSharing(2, UNITS_EACH).withCoalescing(false))) {
            run(endpoint, () -> behind(endpoint), "sent behind others");
            System.out.println(cancelled + " cancelled or late, " + vanished + " clients vanished");
            assertTrue(vanished > 0 || GOAL < 1_000, "no client vanished");
            // Among few reads, perhaps none is slow enough.
            assertTrue(cancelled > 0 || GOAL < 1_000, "nothing was cancelled");
        }
    }

    private long behind(PostgresEndpoint endpoint) {
        return satellites.stream()
                .flatMap(node -> endpoint.backends(node).stream())
                .mapToLong(NodeBackends::behindCount)
                .sum();
    }

    private PostgresEndpoint endpoint(ReadSharing sharing) throws Exception {
        return multimed.endpoint(
                options -> options.withLoops(2)
                        .withLimits(options.limits()
                                .withConnections(toEngine(16), toEngine(CONNECTIONS))
                                .withSharing(sharing)),
                services -> {
                    satellites = services.nodes().satellites();
                    return services;
                });
    }

    /** Returns limits that do not count clients with an open block that do nothing. */
    private static EndpointLimits.ToEngine toEngine(int sideBySide) {
        return new EndpointLimits.ToEngine(sideBySide, new ConnectionBudget.Limits(100, 100, 3));
    }

    private interface Count {
        long now();
    }

    private void run(PostgresEndpoint endpoint, Count alike, String what) throws IOException {
        List<Pair> pairs = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                pairs.add(open(i, endpoint));
            }
            while (alike.now() < GOAL && asked < (long) GOAL * ASKED_FOR_EACH) {
                change(pairs);
                ask(pairs);
                for (Pair pair : List.copyOf(pairs)) {
                    boolean again = random.nextInt(500) == 0 && pair.status() == 'I';
                    if (pair.isRefused() || again || pair.isGone()) {
                        refused += pair.isRefused() ? 1 : 0;
                        cancelled += pair.cancelled();
                        pair.close();
                        pairs.set(pair.number, open(pair.number, endpoint));
                    }
                }
            }
        } finally {
            for (Pair pair : pairs) {
                cancelled += pair.cancelled();
                pair.close();
            }
        }
        System.out.println("seed " + SEED + ": " + asked + " reads, " + alike.now() + " " + what + ", " + refused
                + " clients refused");
        assertTrue(alike.now() >= GOAL, "of " + asked + " reads only " + alike.now() + " were " + what);
    }

    private Pair open(int number, PostgresEndpoint endpoint) throws IOException {
        Map<String, String> startup = new TreeMap<>();
        startup.put("user", Content.USERS.get(number % 2));
        startup.put("database", Content.DATABASE);
        return new Pair(number, plain, RunningMultimed.address(endpoint), startup);
    }

    /** Lets some clients begin or end blocks, or change a setting. */
    private void change(List<Pair> pairs) throws IOException {
        Map<Pair, String> changes = new LinkedHashMap<>();
        String common = common();
        long open = pairs.stream().filter(pair -> pair.status() != 'I').count();
        for (Pair pair : pairs) {
            String change = pair.status() == 'I' ? idle(open, common) : within(pair);
            if (!change.isEmpty()) {
                open += change.startsWith("BEGIN") ? 1 : 0;
                changes.put(pair, change);
            }
        }
        for (Map.Entry<Pair, String> change : changes.entrySet()) {
            change.getKey().sendChange(change.getValue());
        }
        for (Map.Entry<Pair, String> change : changes.entrySet()) {
            assertAlike(change.getKey().hearChange(change.getValue()));
        }
    }

    /** Returns a change outside blocks. Many clients make the same one, so that many are alike. */
    private String idle(long open, String common) {
        return switch (random.nextInt(60)) {
            case 0 -> Change.outside(random);
            case 1, 2, 3 -> open < OPEN ? Change.begin(random) : "";
            default -> random.nextInt(3) == 0 ? common : "";
        };
    }

    private String common() {
        rounds++;
        return switch (rounds % 8) {
            case 0 -> "RESET ROLE";
            case 4 -> "RESET ALL";
            default -> random.nextInt(3) == 0 ? Change.outside(random) : "";
        };
    }

    private String within(Pair pair) {
        if (pair.status() == 'E') {
            return "ROLLBACK";
        }
        return switch (random.nextInt(6)) {
            case 0 -> Change.inside(random);
            case 1 -> pair.wrote() ? "ROLLBACK" : "COMMIT";
            case 2 -> "ROLLBACK";
            case 3 -> Change.writing(random);
            default -> "";
        };
    }

    /** Lets all clients send the same reads, in one or two forms. */
    private void ask(List<Pair> pairs) throws IOException {
        List<Ask> asks = List.of(Ask.any(random), Ask.any(random));
        Map<Pair, Ask> sent = new LinkedHashMap<>();
        for (Pair pair : pairs) {
            Ask ask = asks.get(random.nextInt(4) == 0 ? 1 : 0);
            if (pair.isRefused() || pair.status() == 'E' || (ask.how() == Ask.How.BLOCK && pair.status() != 'I')) {
                continue;
            }
            assertAlike(pair.prepare(ask));
            if (pair.isPrepared(ask) && !pair.isRefused() && pair.status() != 'E') {
                sent.put(pair, ask);
            }
        }
        Map<Pair, Disturbance> disturbances = new LinkedHashMap<>();
        for (Map.Entry<Pair, Ask> ask : sent.entrySet()) {
            Pair pair = ask.getKey();
            Disturbance disturbance = disturbance(pair, ask.getValue());
            disturbances.put(pair, disturbance);
            if (disturbance == Disturbance.HURRIED) {
                // A shorter time would also end Multimed's own statements: see docs/limits.md.
                pair.hurry((30 + random.nextInt(30)) + "ms");
            }
        }
        List<Pair> busy = sent.keySet().stream()
                .filter(pair -> disturbances.get(pair) == Disturbance.NONE)
                .limit(BUSY)
                .toList();
        for (Pair pair : busy) {
            pair.sendBusy();
        }
        for (Map.Entry<Pair, Ask> ask : sent.entrySet()) {
            ask.getKey().sendAsk(ask.getValue(), times(ask.getKey()));
        }
        for (Pair pair : sent.keySet()) {
            switch (disturbances.get(pair)) {
                case CANCELLED -> pair.cancel();
                case VANISHED -> {
                    pair.vanish();
                    vanished++;
                }
                default -> {}
            }
        }
        for (Map.Entry<Pair, Ask> ask : sent.entrySet()) {
            Pair pair = ask.getKey();
            int times = times(pair);
            asked += times;
            if (busy.contains(pair)) {
                assertAlike(pair.hearBusy());
            }
            try {
                assertAlike(
                        switch (disturbances.get(pair)) {
                            case NONE -> pair.hearAsk(ask.getValue(), times);
                            case CANCELLED, HURRIED -> pair.hearDisturbed(ask.getValue(), times);
                            case VANISHED -> "";
                        });
                if (disturbances.get(pair) == Disturbance.HURRIED) {
                    pair.takeTime();
                }
            } catch (IOException e) {
                throw new IOException("seed " + SEED + " " + pair.history(), e);
            }
        }
    }

    /**
     * A disturbance of a client that has no block open and sends none: in a block it would change the answers that follow, and one
     * that meets its COMMIT leaves the block open.
     */
    private enum Disturbance {
        NONE,
        CANCELLED,
        HURRIED,
        VANISHED
    }

    private Disturbance disturbance(Pair pair, Ask ask) {
        if (!disturbed || pair.status() != 'I' || ask.how() == Ask.How.BLOCK) {
            return Disturbance.NONE;
        }
        return switch (random.nextInt(80)) {
            case 0, 1 -> Disturbance.CANCELLED;
            case 2, 3 -> Disturbance.HURRIED;
            case 4 -> Disturbance.VANISHED;
            default -> Disturbance.NONE;
        };
    }

    /** Returns how often a client sends the read. In a block, requests behind an error fail in another way. */
    private static int times(Pair pair) {
        return pair.status() == 'I' ? TIMES : 1;
    }

    private static void assertAlike(String difference) {
        assertEquals("", difference, () -> "seed " + SEED);
    }
}
