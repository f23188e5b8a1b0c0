package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code application_name} is the value that the session has set, inside and outside transaction blocks, as with a dedicated
 * PostgreSQL process. {@code -Dmultimed.test.seed=N} repeats a run.
 */
@Timeout(120)
class ApplicationNameTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long SEED = Seed.of("multimed.test.seed");
    private static final int STEPS = 400;
    private static final int CLIENTS = 3;

    private static final List<String> NAMES = List.of(
            "plain",
            "other",
            "it''s",
            "gr\u00f6\u00dfe",
            "x".repeat(100),
            "\u00e9".repeat(40),
            "a\u00e9".repeat(31),
            "tab\tnew\nline",
            "back\\slash");

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(2, 2)));

    private final Random random = new Random(SEED);

    private static final class Pair {
        private final Side through;
        private final Side plain;
        private boolean inBlock;

        private Pair(WireSession through, WireSession plain) {
            this.through = new Side(through);
            this.plain = new Side(plain);
        }

        private void close() throws IOException {
            through.session.close();
            plain.session.close();
        }
    }

    @Test
    void isWhatTheSessionHasMadeOfIt() throws IOException {
        List<Pair> pairs = new ArrayList<>();
        StringBuilder history = new StringBuilder();
        int refused = 0;
        try {
            for (int i = 0; i < CLIENTS; i++) {
                pairs.add(open());
            }
            for (int step = 0; step < STEPS; step++) {
                int number = random.nextInt(CLIENTS);
                Pair pair = pairs.get(number);
                boolean othersInBlock = pairs.stream().anyMatch(each -> each != pair && each.inBlock);
                if (random.nextInt(30) == 0) {
                    pair.close();
                    pairs.set(number, open());
                    history.append(number).append(": connects anew\n");
                    continue;
                }
                String sql = sql(pair.inBlock, othersInBlock);
                history.append(number).append(": ").append(sql).append('\n');
                List<String> expected = pair.plain.answer(sql);
                List<String> actual = pair.through.answer(sql);
                if (actual.contains("Error 0A000")) {
                    // The statement was refused in a READ ONLY block that is bound to its Satellite.
                    pair.close();
                    pairs.set(number, open());
                    refused++;
                    continue;
                }
                assertEquals(expected, actual, () -> "seed " + SEED + "\n" + history);
                String status = expected.getLast();
                pair.inBlock = !status.endsWith("I");
            }
        } finally {
            for (Pair pair : pairs) {
                pair.close();
            }
        }
        assertTrue(refused * 10 < STEPS, refused + " of " + STEPS + " were refused");
    }

    private Pair open() throws IOException {
        Map<String, String> startup =
                Map.of("user", "postgres", "database", "postgres", "application_name", name().replace("''", "'"));
        return new Pair(
                WireSession.open(multimed.address(), startup, null, PATIENCE),
                WireSession.open(multimed.engine.unix(), startup, null, PATIENCE));
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private String sql(boolean inBlock, boolean othersInBlock) {
        return switch (random.nextInt(inBlock ? 12 : 10)) {
            case 0 -> "SET application_name = '" + name() + "'";
            case 1 -> "SET LOCAL application_name = '" + name() + "'";
            // Within a block the name from the start-up packet returns only at the block's end (docs/limits.md).
            case 2 ->
                inBlock
                        ? "SELECT 2"
                        : random.nextBoolean() ? "RESET application_name" : "SET application_name TO DEFAULT";
            case 3 -> "SELECT set_config('application_name', '" + name() + "', " + random.nextBoolean() + ")";
            case 4, 5 -> "SHOW application_name";
            // A transaction keeps its first snapshot of that view.
            case 6 ->
                inBlock ? "SELECT 6" : "SELECT application_name FROM pg_stat_activity WHERE pid = pg_backend_pid()";
            case 7 -> "SELECT current_setting('application_name')";
            case 8 ->
                inBlock
                        ? "SAVEPOINT s"
                        : othersInBlock ? "SELECT 1" : random.nextBoolean() ? "BEGIN" : "BEGIN READ ONLY";
            case 9 -> inBlock ? "ROLLBACK TO s" : "RESET ALL";
            default -> random.nextBoolean() ? "COMMIT" : "ROLLBACK";
        };
    }

    /** One side of a pair: a session, and its last reported application name. */
    private static final class Side {
        private final WireSession session;
        private String told = "";

        private Side(WireSession session) {
            this.session = session;
            session.greeting().forEach(this::hear);
        }

        private void hear(Message message) {
            String shown = message.toString();
            if (message.type() == 'S' && shown.startsWith("ParameterStatus application_name=")) {
                told = shown;
            }
        }

        /**
         * Returns the answer, beginning with the reported name. ParameterStatus counts as a state, because a block that moves to
         * another connection may repeat it.
         */
        private List<String> answer(String sql) throws IOException {
            List<String> answer = new ArrayList<>();
            for (Message message : session.query(sql)) {
                hear(message);
                if (message.type() != 'S') {
                    // The origin of a column may differ.
                    answer.add(
                            message.type() == 'E'
                                    ? "Error " + message.sqlState()
                                    : message.toString().replaceAll("table=\\S+", ""));
                }
            }
            answer.addFirst(told);
            return answer;
        }
    }
}
