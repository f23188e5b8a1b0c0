package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many clients send all allowed kinds of statements over two connections to a Satellite; each gets its own answers. */
@Timeout(90)
@Tag("slow")
class ManyOnSharedConnectionsTest {
    private static final int CLIENTS = 30;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final int ROWS = 5_000;

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(4, 2).withSharing(new ReadSharing(1, 8))));

    /** {@code -Dmultimed.test.seed} repeats the statements, though not their timing. */
    private final long seed = Seed.of("multimed.test.seed");

    @Test
    void whateverTheOthersDo() throws Exception {
        System.out.println("multimed.test.seed=" + seed);
        long end = System.nanoTime() + NANOS;
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int c = 0; c < CLIENTS; c++) {
                Client client = new Client(c, new Random(seed + c));
                all.add(threads.submit(() -> {
                    client.run(end);
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        EndpointTest.await(() -> multimed.satellite.active() == 0 && multimed.master.active() == 0);
    }

    private static final class Client {
        private final int number;
        private final Random random;
        private WireSession session;
        private int asked;

        Client(int number, Random random) throws IOException {
            this.number = number;
            this.random = random;
            session = open();
        }

        private WireSession open() throws IOException {
            WireSession opened = WireSession.open(multimed.address(), "postgres", "postgres", Duration.ofSeconds(30));
            opened.send(FrontendBytes.parse("mine", "SELECT $1::text || '-" + number + "'"), FrontendBytes.sync());
            opened.ready();
            return opened;
        }

        void run(long end) throws IOException {
            while (System.nanoTime() - end < 0) {
                asked++;
                ask("'" + number + "/" + asked + "'", number + "/" + asked);
            }
            session.close();
        }

        private void ask(String literal, String wanted) throws IOException {
            switch (random.nextInt(14)) {
                case 0 -> {
                    session.send(FrontendBytes.query("SELECT 1/0 AS " + (random.nextBoolean() ? "a" : "b")));
                    assertEquals(List.of("22012"), errors(session.ready()));
                }
                case 1 -> {
                    session.send(
                            FrontendBytes.parse("", "SELECT " + literal + " FROM nowhere"),
                            FrontendBytes.bind("", ""),
                            FrontendBytes.execute("", 0),
                            FrontendBytes.sync());
                    assertEquals(List.of("42P01"), errors(session.ready()));
                }
                case 2, 3 -> {
                    session.send(
                            FrontendBytes.bind("", "mine", wanted), FrontendBytes.execute("", 0), FrontendBytes.sync());
                    assertEquals(List.of(wanted + "-" + number), rows(session.ready()));
                }
                case 4 -> {
                    session.send(
                            FrontendBytes.parse("", "SELECT " + literal + " UNION ALL SELECT " + literal),
                            FrontendBytes.describe('S', ""),
                            FrontendBytes.bind("", ""),
                            FrontendBytes.execute("", 1),
                            FrontendBytes.sync());
                    assertEquals(List.of(wanted), rows(session.ready()));
                }
                case 5 -> {
                    session.send(FrontendBytes.query("SELECT " + literal + "; SELECT 'and'"));
                    assertEquals(List.of(wanted, "and"), rows(session.ready()));
                }
                case 6 -> {
                    session.send(FrontendBytes.query("SELECT " + literal + " FROM generate_series(1, " + ROWS + ")"));
                    List<String> rows = rows(session.ready());
                    assertEquals(ROWS, rows.size());
                    assertTrue(rows.stream().allMatch(wanted::equals));
                }
                case 7 -> {
                    session.rows("BEGIN READ ONLY");
                    assertEquals(wanted, session.value("SELECT " + literal));
                    session.rows("COMMIT");
                }
                case 8 -> {
                    session.send(FrontendBytes.query("SELECT " + literal + " FROM pg_sleep(0.02)"));
                    session.cancel();
                    List<Message> answer = session.ready();
                    // A late request must not hit anything, including the next statement.
                    assertTrue(
                            errors(answer).equals(List.of("57014"))
                                    || rows(answer).equals(List.of(wanted)),
                            answer::toString);
                }
                case 9 -> {
                    session.send(FrontendBytes.query("SELECT " + literal + " FROM generate_series(1, 1000)"));
                    session.client().close();
                    session = open();
                }
                case 10 -> {
                    session.send(
                            FrontendBytes.query("SELECT " + literal),
                            FrontendBytes.query("SELECT 'next'"),
                            FrontendBytes.query("SELECT 1/0"));
                    assertEquals(List.of(wanted), rows(session.ready()));
                    assertEquals(List.of("next"), rows(session.ready()));
                    assertEquals(List.of("22012"), errors(session.ready()));
                }
                case 11 -> {
                    session.send(FrontendBytes.query("COPY (SELECT " + literal + ") TO STDOUT"));
                    assertTrue(session.ready().stream()
                            .filter(message -> message.type() == 'd')
                            .allMatch(message -> new String(message.body(), java.nio.charset.StandardCharsets.UTF_8)
                                    .equals(wanted + "\n")));
                }
                default -> assertEquals(wanted, session.value("SELECT " + literal));
            }
        }

        private static List<String> rows(List<Message> answer) {
            return answer.stream()
                    .filter(message -> message.type() == 'D')
                    .map(message -> message.texts().getFirst())
                    .toList();
        }

        private static List<String> errors(List<Message> answer) {
            return answer.stream()
                    .filter(message -> message.type() == 'E')
                    .map(Message::sqlState)
                    .toList();
        }
    }
}
