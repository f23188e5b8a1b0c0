package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.MultimedProcess;
import io.multimed.tests.server.MultimedProcess.Memory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Many clients, or clients with large demands, beside the workload whose history is checked. The middleware has the heap that
 * the launcher gives it, and ends if that is not enough.
 *
 * <p>{@code -Dmultimed.many.statements=10000} prepares so many statements in each of {@code -Dmultimed.many.preparing=100}
 * clients, {@code -Dmultimed.many.clients=5000} arrive at once, {@code -Dmultimed.many.cancels=200000} requests have a wrong
 * key.
 */
@Isolated("needs the processor for itself")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(1800)
@Tag("slow")
class ManyClientsTest {
    private static final int STATEMENTS = Integer.getInteger("multimed.many.statements", 1_200);
    private static final int PREPARING = Integer.getInteger("multimed.many.preparing", 5);
    private static final int CLIENTS = Integer.getInteger("multimed.many.clients", 600);
    private static final int CANCELS = Integer.getInteger("multimed.many.cancels", 800);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Number of messages that are sent before their answers are read. */
    private static final int PIPELINED = 250;
    /** Statements that each client executes, of which some write. */
    private static final int EXECUTED = Math.min(400, STATEMENTS / 10);

    private static final int FLOODING = 4;
    private static final int VICTIMS = 4;

    private BesideHistory beside;

    @BeforeAll
    void start() throws Exception {
        beside = BesideHistory.start("history_of_many", 2);
    }

    @AfterAll
    void stop() throws Exception {
        beside.end();
    }

    // --- prepared statements

    @Test
    void statementsOfManyClientsArePreparedAgainWhereverTheyAreExecuted() throws Exception {
        beside.campaign("many_statements", database -> {
            try (WireSession owner = beside.open(database)) {
                owner.rows("CREATE TABLE written (client int, statement int, v int)");
            }
            List<WireSession> clients = new ArrayList<>();
            try {
                for (int i = 0; i < PREPARING; i++) {
                    clients.add(beside.open(database));
                }
                inParallel(clients, client -> prepare(clients.get(client)));
                Memory full = beside.multimed().memory();
                AtomicLong executed = new AtomicLong();
                // The new connections have prepared none of them.
                int ended = endEngineConnections(database);
                assertTrue(ended > 0, "no engine connection was there to end");
                inParallel(clients, client -> executed.addAndGet(execute(clients.get(client), client)));
                String rows = beside.onMaster(database, "SELECT count(*) FROM written");
                System.out.println(PREPARING + " clients with " + STATEMENTS + " statements each, " + full
                        + " with all of them; " + executed + " executions after the end of " + ended
                        + " engine connections, " + rows + " rows written");
                assertEquals((long) PREPARING * EXECUTED, executed.get());
                assertEquals(
                        Long.toString(executed.get() / 4),
                        beside.onMaster(
                                database,
                                "SELECT count(DISTINCT (client, v)) FROM written WHERE v = statement + client"));
            } finally {
                for (WireSession client : clients) {
                    client.close();
                }
            }
        });
    }

    private static String sql(int statement) {
        return statement % 4 == 0
                ? "INSERT INTO written VALUES ($1, " + statement + ", " + statement + " + $1)"
                : "SELECT " + statement + " + $1::int";
    }

    private static void prepare(WireSession client) throws IOException {
        for (int from = 0; from < STATEMENTS; from += PIPELINED) {
            int to = Math.min(STATEMENTS, from + PIPELINED);
            byte[][] messages = new byte[to - from + 1][];
            for (int i = from; i < to; i++) {
                messages[i - from] = FrontendBytes.parse("S_" + i, sql(i));
            }
            messages[to - from] = FrontendBytes.sync();
            client.send(messages);
            assertEquals("1".repeat(to - from) + "Z", Message.types(client.ready()));
        }
    }

    /**
     * @return number of executions
     */
    private int execute(WireSession client, int number) throws IOException {
        Random random = new Random(beside.seed() + number);
        for (int i = 0; i < EXECUTED; i++) {
            // Each writing statement writes another row.
            int statement = i % 4 == 0
                    ? 4 * (i / 4 * ((STATEMENTS - 1) / 4) / (EXECUTED / 4))
                    : 4 * random.nextInt(STATEMENTS / 4) + 1 + random.nextInt(3);
            client.send(
                    FrontendBytes.bind("", "S_" + statement, Integer.toString(number)),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            List<Message> answer = client.ready();
            if (i % 4 == 0) {
                assertEquals("2CZ", Message.types(answer), answer::toString);
            } else {
                assertEquals("2DCZ", Message.types(answer), answer::toString);
                assertEquals(
                        Integer.toString(statement + number),
                        answer.get(1).texts().getFirst());
            }
        }
        return EXECUTED;
    }

    /** Ends the idle engine connections of all clients. @return their number */
    private int endEngineConnections(String database) throws IOException {
        int ended = 0;
        for (MultimedProcess.Node node : beside.multimed().nodes()) {
            try (WireSession engine = beside.open(node.address(), "postgres")) {
                ended += Integer.parseInt(engine.value("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                        + " WHERE state = 'idle' AND datname = '" + database + "' AND usename = 'postgres'"));
            }
        }
        return ended;
    }

    private interface Part {
        void of(int client) throws Exception;
    }

    private static void inParallel(List<WireSession> clients, Part part) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(Math.min(8, clients.size()))) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < clients.size(); i++) {
                int client = i;
                all.add(threads.submit(() -> {
                    part.of(client);
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    // --- arrivals

    @Test
    void allWhoArriveAtOnceAreServed() throws Exception {
        beside.campaign("many_arrivals", database -> {
            try (WireSession owner = beside.open(database)) {
                owner.rows("CREATE TABLE arrived (client int)");
            }
            try (Arrivals arrivals = new Arrivals(beside.multimed().address(), database)) {
                arrivals.connect(CLIENTS);
                arrivals.await(PATIENCE);
                System.out.println(CLIENTS + " clients arrived at once, "
                        + beside.multimed().memory() + " with all of them");
                assertEquals(List.of(), arrivals.errors());
                assertEquals(CLIENTS, arrivals.answered());
                try (WireSession admin = beside.open("multimed")) {
                    long connected = admin.rows("SHOW CLIENTS").stream()
                            .filter(row -> row.contains(database))
                            .count();
                    assertTrue(connected >= CLIENTS, connected + " are connected");
                }
            }
            assertEquals(
                    Integer.toString(CLIENTS), beside.onMaster(database, "SELECT count(DISTINCT client) FROM arrived"));
            assertEquals(Integer.toString(CLIENTS), beside.onMaster(database, "SELECT count(*) FROM arrived"));
        });
    }

    // --- cancel requests

    @Test
    void cancelRequestsWithWrongKeysHitNobody() throws Exception {
        beside.campaign("many_cancels", database -> {
            try (WireSession owner = beside.open(database)) {
                owner.rows("CREATE TABLE not_cancelled (i int); CREATE TABLE cancelled (i int)");
            }
            AtomicBoolean stop = new AtomicBoolean();
            AtomicLong sent = new AtomicLong();
            AtomicLong answered = new AtomicLong();
            List<WireSession> victims = new ArrayList<>();
            for (int i = 0; i < VICTIMS; i++) {
                victims.add(beside.open(database));
            }
            try (ExecutorService threads = Executors.newCachedThreadPool()) {
                List<Future<?>> flood = new ArrayList<>();
                for (int i = 0; i < FLOODING; i++) {
                    Random random = new Random(beside.seed() + i);
                    flood.add(threads.submit(() -> {
                        while (sent.incrementAndGet() <= CANCELS) {
                            cancelWrongly(victims, random);
                        }
                        return null;
                    }));
                }
                List<Future<?>> asked = new ArrayList<>();
                for (WireSession victim : victims) {
                    asked.add(threads.submit(() -> {
                        while (!stop.get()) {
                            String wanted = Long.toString(answered.incrementAndGet());
                            assertEquals(wanted, victim.value("SELECT " + wanted + " FROM pg_sleep(0.002)"));
                            victim.rows("INSERT INTO not_cancelled VALUES (" + wanted + ")");
                        }
                        return null;
                    }));
                }
                long begin = System.nanoTime();
                int rightly = 0;
                try (WireSession cancelled = beside.open(database)) {
                    while (flood.stream().anyMatch(one -> !one.isDone()) || rightly == 0) {
                        cancelled.send(FrontendBytes.query("INSERT INTO cancelled SELECT 1 FROM pg_sleep(300)"));
                        cancelled.cancel();
                        assertEquals(List.of("57014"), errors(cancelled.ready()));
                        rightly++;
                    }
                } finally {
                    for (Future<?> one : flood) {
                        one.get();
                    }
                    stop.set(true);
                }
                double seconds = (System.nanoTime() - begin) / 1e9;
                for (Future<?> one : asked) {
                    one.get();
                }
                System.out.printf(
                        "%d requests with wrong keys, %.0f a second, %d right ones cancelled, %d reads and writes of victims%n",
                        CANCELS, CANCELS / seconds, rightly, answered.get());
                assertTrue(answered.get() > VICTIMS, "the victims asked nothing");
                assertEquals(
                        Long.toString(answered.get()),
                        beside.onMaster(database, "SELECT count(DISTINCT i) FROM not_cancelled"));
                assertEquals("0", beside.onMaster(database, "SELECT count(*) FROM cancelled"));
            } finally {
                for (WireSession victim : victims) {
                    victim.close();
                }
            }
        });
    }

    private static List<String> errors(List<Message> answer) {
        return answer.stream()
                .filter(message -> message.type() == 'E')
                .map(Message::sqlState)
                .toList();
    }

    private void cancelWrongly(List<WireSession> victims, Random random) throws IOException {
        WireSession victim = victims.get(random.nextInt(victims.size()));
        byte[] secret = victim.secret();
        int pid = victim.pid();
        switch (random.nextInt(5)) {
            case 0 -> secret[random.nextInt(secret.length)] ^= (byte) (1 + random.nextInt(255));
            case 1 -> random.nextBytes(secret);
            case 2 -> secret = new byte[random.nextInt(256)];
            case 3 -> pid = random.nextInt();
            default ->
                secret = victims.get((victims.indexOf(victim) + 1) % victims.size())
                        .secret();
        }
        try (WireClient client = WireClient.connect(beside.multimed().address(), PATIENCE)) {
            client.send(FrontendBytes.cancel(pid, secret));
            // Some clients do not wait for the end.
            if (random.nextBoolean()) {
                client.readToEnd();
            }
        }
    }
}
