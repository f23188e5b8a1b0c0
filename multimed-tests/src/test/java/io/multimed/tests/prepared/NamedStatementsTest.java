package io.multimed.tests.prepared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A named prepared statement keeps its meaning for its own client, whatever other clients prepare with the same text.
 *
 * <p>{@code -Dmultimed.prepared.steps=N} makes N steps; {@code -Dmultimed.prepared.steps=1 -Dmultimed.prepared.seed=N} repeats
 * the episode of a failure.
 */
@Isolated("definitions of other tests would hide what is shared wrongly")
@Tag("slow")
class NamedStatementsTest {
    private static final int STEPS = Integer.getInteger("multimed.prepared.steps", 4_000);
    private static final int STEPS_OF_AN_EPISODE = 250;
    private static final String DATABASE = "named_statements";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RunningMultimed multimed = RunningMultimed.shared();
    private final ServerAddress plain = PlainServer.get().unix();

    @Test
    void areAnsweredAndStoredAsByPostgresql() throws Exception {
        long seed = Seed.of("multimed.prepared.seed");
        setUp(plain);
        setUp(multimed.address());
        long before = readsOnSatellites();
        int steps = 0;
        do {
            episode(seed++);
            steps += STEPS_OF_AN_EPISODE;
        } while (steps < STEPS);
        assertTrue(readsOnSatellites() - before > steps / 100, "reads on Satellites among " + steps + " steps");
    }

    private static void setUp(ServerAddress server) throws IOException {
        try (WireSession owner = WireSession.open(server, "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE DATABASE " + DATABASE);
            for (String role : Universe.ROLES) {
                owner.rows("CREATE ROLE " + role);
            }
        }
    }

    private void episode(long seed) throws IOException {
        Random random = new Random(seed);
        Universe universe = new Universe(random);
        List<String> creation = universe.create();
        for (ServerAddress server : List.of(plain, multimed.address())) {
            try (WireSession owner = open(server)) {
                for (String sql : creation) {
                    owner.rows(sql);
                }
            }
        }
        Generator generator = new Generator(random, universe, emphasis(seed));
        Map<Long, Long> types = new HashMap<>();
        List<ClientStep> done = new ArrayList<>();
        List<WireSession> expected = new ArrayList<>();
        List<WireSession> actual = new ArrayList<>();
        try {
            for (int i = 0; i < Generator.CLIENTS; i++) {
                expected.add(open(plain));
                actual.add(open(multimed.address()));
            }
            for (int i = 0; i < STEPS_OF_AN_EPISODE; i++) {
                ClientStep step = generator.next();
                done.add(step);
                if (generator.status(step.client()) != 'E') {
                    // Names have the meaning that they would have in a new statement (docs/limits.md).
                    expected.get(step.client()).rows("DISCARD PLANS");
                }
                StepAnswer right = answer(expected, step);
                StepAnswer given = answer(actual, step);
                if (given.isRefusedOnSatellite()) {
                    begin(expected, step.client(), plain);
                    begin(actual, step.client(), multimed.address());
                    generator.begunAnew(step.client());
                    continue;
                }
                if (!right.isLike(given, types) && !given.hasFailedBefore(right)) {
                    throw new AssertionError(difference(seed, done, right, given));
                }
                generator.ended(step, right);
            }
        } finally {
            for (WireSession session : expected) {
                session.close();
            }
            for (WireSession session : actual) {
                session.close();
            }
        }
        for (String schema : Universe.SCHEMAS) {
            for (String table : List.of("t", "ev")) {
                assertEquals(
                        rows(plain, schema + "." + table),
                        rows(multimed.address(), schema + "." + table),
                        () -> "rows of " + schema + "." + table + difference(seed, done));
            }
        }
    }

    /** Replaces a client's session by another one. */
    private static void begin(List<WireSession> sessions, int client, ServerAddress server) throws IOException {
        sessions.get(client).close();
        sessions.set(client, open(server));
    }

    private static Generator.Emphasis emphasis(long seed) {
        Generator.Emphasis[] all = Generator.Emphasis.values();
        return all[Math.floorMod(seed, all.length)];
    }

    private static WireSession open(ServerAddress server) throws IOException {
        return WireSession.open(server, "postgres", DATABASE, PATIENCE);
    }

    private static StepAnswer answer(List<WireSession> sessions, ClientStep step) throws IOException {
        WireSession session = sessions.get(step.client());
        try {
            session.send(step.messages().toArray(new byte[0][]));
            return StepAnswer.of(session.ready());
        } catch (IOException e) {
            throw new IOException(step.toString(), e);
        }
    }

    private static String rows(ServerAddress server, String table) throws IOException {
        try (WireSession session = open(server)) {
            if (session.rows("SELECT pg_catalog.to_regclass('" + table + "') IS NULL")
                    .toString()
                    .contains("t")) {
                return "no such table";
            }
            return session.rows("SELECT x::text FROM " + table + " x ORDER BY x::text")
                    .toString();
        }
    }

    private long readsOnSatellites() throws IOException {
        try (WireSession admin = WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE)) {
            return admin.rows("SHOW ROUTES").stream()
                    .filter(row -> String.valueOf(row).contains("satellite"))
                    .mapToLong(row -> Long.parseLong(String.valueOf(row.getLast())))
                    .sum();
        }
    }

    private static String difference(long seed, List<ClientStep> steps, StepAnswer right, StepAnswer given) {
        return difference(seed, steps) + "\nPostgreSQL: " + right + "\nMultimed:   " + given;
    }

    private static String difference(long seed, List<ClientStep> steps) {
        StringBuilder text = new StringBuilder("\nat step " + steps.size() + " of seed " + seed + ", after");
        for (ClientStep step : steps) {
            text.append("\n  ").append(step);
        }
        return text.toString();
    }
}
