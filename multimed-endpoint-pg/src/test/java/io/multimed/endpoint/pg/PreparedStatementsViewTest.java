package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code pg_prepared_statements} shows a session its own statements under its own names, as with a dedicated PostgreSQL process,
 * whichever connections hold them. {@code -Dmultimed.test.seed=N} repeats a run.
 */
@Timeout(120)
class PreparedStatementsViewTest {
    private static final long SEED = Seed.of("multimed.test.seed");
    private static final int STEPS = 300;
    private static final int CLIENTS = 3;

    private static final List<String> NAMES = List.of("one", "Two", "it's \"three\"", "vier\u00e4");
    private static final List<String> TEXTS = List.of(
            "SELECT $1::int + 1",
            "SELECT $1 || 'text', $2::date",
            "SELECT 'no parameters', 'caf\u00e9', E'back\\\\slash'",
            "SELECT pg_backend_pid()",
            "SELECT count(*) FROM pg_class WHERE oid = $1");
    private static final String VIEW =
            "SELECT name, statement, parameter_types, from_sql, generic_plans + custom_plans >= 0"
                    + " FROM pg_prepared_statements ORDER BY name COLLATE \"C\"";

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(2, 2)));

    private final Random random = new Random(SEED);

    @Test
    void showsTheSessionsOwnStatements() throws IOException {
        List<WireSession> through = new ArrayList<>();
        List<WireSession> plain = new ArrayList<>();
        int shown = 0;
        try {
            for (int i = 0; i < CLIENTS; i++) {
                through.add(multimed.open());
                plain.add(multimed.openEngine());
            }
            for (int step = 0; step < STEPS; step++) {
                int client = random.nextInt(CLIENTS);
                byte[][] messages = step();
                for (WireSession session : List.of(through.get(client), plain.get(client))) {
                    session.send(messages);
                    session.ready();
                }
                byte[][] asking = random.nextInt(3) == 0 ? new byte[][] {FrontendBytes.query(VIEW)} : pipelined();
                List<List<String>> expected = rows(plain.get(client), asking);
                assertEquals(expected, rows(through.get(client), asking), "seed " + SEED + ", step " + step);
                shown += expected.size();
            }
        } finally {
            for (WireSession session : through) {
                session.close();
            }
            for (WireSession session : plain) {
                session.close();
            }
        }
        assertTrue(shown > STEPS, "only " + shown + " statements were shown");
    }

    @Test
    void tellsWhenTheClientPreparedThem() throws IOException {
        String clock = "SELECT clock_timestamp()";
        String times = "SELECT prepare_time FROM pg_prepared_statements ORDER BY name";
        try (WireSession other = multimed.open();
                WireSession session = multimed.open()) {
            // The engine holds both before the session prepares them.
            other.send(
                    FrontendBytes.parse("x", "SELECT 1"), FrontendBytes.parse("y", "SELECT 2"), FrontendBytes.sync());
            other.ready();
            String before = value(session, clock);
            session.send(FrontendBytes.parse("a", "SELECT 1"), FrontendBytes.sync());
            session.ready();
            String between = value(session, clock);
            session.send(FrontendBytes.parse("b", "SELECT 2"), FrontendBytes.sync());
            session.ready();
            String after = value(session, clock);

            byte[][] asked = {FrontendBytes.query("""
                    SELECT count(*), bool_and(prepare_time BETWEEN '%s' AND '%s'), bool_and(prepare_time > '%s' OR name = 'a')
                    FROM pg_prepared_statements
                    """.formatted(before, after, between))};
            assertEquals(List.of(List.of("2", "t", "t")), rows(session, asked));

            List<List<String>> told = rows(session, new byte[][] {FrontendBytes.query(times)});
            // Another connection may serve it now, and another client may have closed its own statements.
            other.send(
                    FrontendBytes.close('S', "x"), FrontendBytes.close('S', "y"), FrontendBytes.query("DISCARD ALL"));
            other.ready();
            assertEquals(told, rows(session, new byte[][] {FrontendBytes.query(times)}));
        }
    }

    private static String value(WireSession session, String sql) throws IOException {
        return rows(session, new byte[][] {FrontendBytes.query(sql)}).getFirst().getFirst();
    }

    private byte[][] step() {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        String quoted = '"' + name.replace("\"", "\"\"") + '"';
        String text = TEXTS.get(random.nextInt(TEXTS.size()));
        return switch (random.nextInt(9)) {
            case 0 -> new byte[][] {FrontendBytes.close('S', name), FrontendBytes.sync()};
            case 1 -> new byte[][] {FrontendBytes.query("DEALLOCATE " + quoted)};
            case 2 -> new byte[][] {FrontendBytes.query("PREPARE " + quoted + " AS SELECT 'by SQL'")};
            case 3 -> new byte[][] {FrontendBytes.query(random.nextInt(8) == 0 ? "DISCARD ALL" : "SELECT 1")};
            default -> new byte[][] {FrontendBytes.parse(name, text), FrontendBytes.sync()};
        };
    }

    /** The view by extended query messages, among messages of the same pipeline that prepare and close statements. */
    private byte[][] pipelined() {
        List<byte[]> messages = new ArrayList<>();
        preparing(messages);
        messages.add(FrontendBytes.parse("", VIEW));
        preparing(messages);
        messages.add(FrontendBytes.bind("", ""));
        preparing(messages);
        messages.add(FrontendBytes.execute("", 0));
        if (random.nextInt(4) == 0) {
            preparing(messages);
            messages.add(FrontendBytes.parse("", VIEW));
            messages.add(FrontendBytes.bind("", ""));
            messages.add(FrontendBytes.execute("", 0));
        }
        messages.add(FrontendBytes.sync());
        return messages.toArray(byte[][]::new);
    }

    private void preparing(List<byte[]> messages) {
        while (random.nextInt(3) == 0) {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            messages.add(FrontendBytes.close('S', name));
            if (random.nextBoolean()) {
                messages.add(FrontendBytes.parse(name, TEXTS.get(random.nextInt(TEXTS.size()))));
            }
        }
    }

    private static List<List<String>> rows(WireSession session, byte[][] asking) throws IOException {
        session.send(asking);
        return session.ready().stream()
                .filter(message -> message.type() == 'D')
                .map(Message::texts)
                .toList();
    }
}
