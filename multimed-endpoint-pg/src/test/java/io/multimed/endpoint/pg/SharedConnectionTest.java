package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Short reads of several clients on a single connection to the engine, one sent behind the other. */
@Timeout(60)
@Tag("slow")
class SharedConnectionTest {
    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(4, 1).withSharing(new ReadSharing(1, 8))));

    private WireSession first;
    private WireSession second;
    private WireSession third;
    private long behindBefore;
    private long displacedBefore;

    @BeforeEach
    void connect() throws IOException {
        first = multimed.open();
        second = multimed.open();
        third = multimed.open();
        for (WireSession session : List.of(first, second, third)) {
            session.rows("SELECT 'of a shape that is known'");
        }
        behindBefore = count(NodeBackends::behindCount);
        displacedBefore = count(NodeBackends::displacedCount);
    }

    @AfterEach
    void disconnect() throws IOException {
        first.close();
        second.close();
        third.close();
    }

    @Test
    void everyClientGetsItsOwnAnswers() throws Exception {
        int clients = 12;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<?>> all = new ArrayList<>();
            for (int c = 0; c < clients; c++) {
                int client = c;
                all.add(threads.submit(() -> {
                    try (WireSession session = multimed.open()) {
                        session.send(FrontendBytes.parse("mine", "SELECT $1::text || " + client), FrontendBytes.sync());
                        session.ready();
                        for (int i = 0; i < 500; i++) {
                            String wanted = client + "/" + i;
                            switch (i % 4) {
                                case 0 -> assertEquals(wanted, session.value("SELECT '" + wanted + "'"));
                                case 1 -> {
                                    assertEquals("22012", error(session.query("SELECT 1/0")));
                                }
                                case 2 -> {
                                    session.send(
                                            FrontendBytes.bind("", "mine", i + "-"),
                                            FrontendBytes.execute("", 0),
                                            FrontendBytes.sync());
                                    assertEquals(i + "-" + client, row(session.ready()));
                                }
                                default -> {
                                    session.send(
                                            FrontendBytes.parse("", "SELECT '" + wanted + "'"),
                                            FrontendBytes.bind("", ""),
                                            FrontendBytes.execute("", 0),
                                            FrontendBytes.sync());
                                    assertEquals(wanted, row(session.ready()));
                                }
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    @Test
    void whoWaitsTooLongBehindAnotherIsSentElsewhere() throws Exception {
        try (LockedTable _ = LockedTable.readBy(first, multimed, "takes_long")) {
            second.send(FrontendBytes.query("SELECT 'second'"));
            awaitBehind(1);
            awaitDisplaced(1);
        }
        assertEquals("0", row(first.ready()));
        assertEquals("second", row(second.ready()));
    }

    @Test
    void cancelHitsNobodyElse() throws Exception {
        sleep(20, "cancelled");
        second.send(FrontendBytes.query("SELECT 'second'"));
        third.send(FrontendBytes.query("SELECT 'third'"));
        awaitBehind(2);
        first.cancel();
        assertEquals("57014", error(first.ready()));
        assertEquals("second", row(second.ready()));
        assertEquals("third", row(third.ready()));
    }

    /** The command that resets parameters set by another client's code has an answer too. */
    @Test
    void whoComesBehindAClientWhoseCodeHasRunGetsItsOwnAnswer() throws Exception {
        first.rows("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ");
        assertEquals("22012", error(first.query("SELECT 1/0")));
        assertEquals("25P02", error(first.query("CALL nothing()")));
        first.rows("ROLLBACK");
        try (LockedTable _ = LockedTable.readBy(first, multimed, "after_code")) {
            second.send(FrontendBytes.query("SELECT 'second'"));
            // If it is not displaced, it was not sent behind the first one, which is correct too.
            long end = System.nanoTime() + Duration.ofMillis(500).toNanos();
            while (count(NodeBackends::displacedCount) == displacedBefore && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
        third.send(FrontendBytes.query("SELECT 'third'"));
        assertEquals("0", row(first.ready()));
        assertEquals("second", row(second.ready()));
        assertEquals("third", row(third.ready()));
        for (int i = 0; i < 10; i++) {
            assertEquals("again " + i, third.value("SELECT 'again " + i + "'"));
            assertEquals("more " + i, second.value("SELECT 'more " + i + "'"));
        }
    }

    @Test
    void whoGoesAwayTakesNobodyWithIt() throws Exception {
        try (LockedTable _ = LockedTable.readBy(first, multimed, "goes_away")) {
            second.send(FrontendBytes.query("SELECT 'second'"));
            third.send(FrontendBytes.query("SELECT 'third'"));
            awaitBehind(2);
            first.client().close();
            second.client().close();
        }
        assertEquals("third", row(third.ready()));
        first = multimed.open();
        second = multimed.open();
        assertEquals("1", first.value("SELECT 1"));
    }

    @Test
    void allAreAnsweredWhenTheConnectionIsLost() throws Exception {
        try (LockedTable _ = LockedTable.readBy(first, multimed, "lost")) {
            second.send(FrontendBytes.query("SELECT 'second'"));
            third.send(FrontendBytes.query("SELECT 'third'"));
            awaitBehind(2);
            multimed.endpoint.nodeGone(multimed.satellite);
        }
        assertEquals("0", row(first.ready()));
        assertEquals("second", row(second.ready()));
        assertEquals("third", row(third.ready()));
    }

    @Test
    void whatIsNoSingleReadIsNotOvertakenForEver() throws Exception {
        int clients = 4;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<?>> all = new ArrayList<>();
            boolean[] over = {false};
            for (int c = 0; c < clients; c++) {
                all.add(threads.submit(() -> {
                    try (WireSession session = multimed.open()) {
                        while (!over[0]) {
                            session.rows("SELECT 'others'");
                        }
                    }
                    return null;
                }));
            }
            for (int i = 0; i < 50; i++) {
                first.rows("BEGIN READ ONLY");
                first.rows("SELECT 'in a block'");
                assertTrue(first.value("SHOW multimed.route").startsWith("satellite"));
                first.rows("COMMIT");
            }
            over[0] = true;
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    @Test
    void settingsOfOneAreNotSeenByAnother() throws Exception {
        first.rows("SET application_name = 'one'");
        second.rows("SET application_name = 'two'");
        for (int i = 0; i < 100; i++) {
            first.send(FrontendBytes.query("SELECT 'first', current_setting('application_name')"));
            second.send(FrontendBytes.query("SELECT 'second', current_setting('application_name')"));
            third.send(FrontendBytes.query("SELECT 'third'"));
            assertEquals("one", texts(first.ready()).get(1));
            assertEquals("two", texts(second.ready()).get(1));
            assertEquals("third", row(third.ready()));
        }
    }

    @Test
    void moreOfOneClientComesBehindWhatOthersHaveSent() throws Exception {
        for (int i = 0; i < 200; i++) {
            first.send(FrontendBytes.query("SELECT 'a'"));
            second.send(FrontendBytes.query("SELECT 'b'"));
            first.send(
                    FrontendBytes.query("SELECT 'c'"), FrontendBytes.query("BEGIN"), FrontendBytes.query("ROLLBACK"));
            second.send(FrontendBytes.query("SELECT 'd'"));
            assertEquals("a", row(first.ready()));
            assertEquals("c", row(first.ready()));
            first.ready();
            first.ready();
            assertEquals("b", row(second.ready()));
            assertEquals("d", row(second.ready()));
        }
    }

    /** The client violates the protocol: its connection is closed while other sessions look for one behind which to send. */
    @Test
    void nobodyIsSentBehindWhomTheEngineIsNotToAnswer() throws Exception {
        for (int i = 0; i < 200; i++) {
            try (WireSession rude = multimed.open()) {
                rude.rows("SELECT pg_sleep(0) AS rude" + i);
                rude.send(FrontendBytes.query("SELECT pg_sleep(0.005) AS rude" + i));
                // The second condition is for an engine that was faster than this thread.
                EndpointTest.await(
                        () -> multimed.satellite.active() == 1 || rude.client().poll(Duration.ofMillis(1)) != null);
                rude.send(FrontendBytes.header('Q', 1));
                second.send(FrontendBytes.query("SELECT 'second'"));
                third.send(FrontendBytes.query("SELECT 'third'"));
                assertEquals("second", row(second.ready()));
                assertEquals("third", row(third.ready()));
            }
        }
    }

    /** A statement that was sent twice because it came behind a long read must not be executed to its end by both engines. */
    @Test
    void whatNobodyHearsIsCancelled() throws Exception {
        second.rows("SELECT count(*) FROM pg_sleep(0) AS unheard");
        try (LockedTable _ = LockedTable.readBy(first, multimed, "ahead_of_a_long_one")) {
            second.send(FrontendBytes.query("SELECT count(*) FROM pg_sleep(30) AS unheard"));
            awaitBehind(1);
            awaitDisplaced(1);
        }
        assertEquals("0", row(first.ready()));
        third.send(FrontendBytes.query("SELECT 'third'"));
        second.cancel();
        assertEquals("57014", error(second.ready()));
        assertEquals("third", row(third.ready()));
        EndpointTest.await(() -> busy() == 0);
    }

    /** Others have sent behind this client, so its connection is kept for them. */
    @Test
    void whatIsLeftByAClientThatHasGoneIsCancelled() throws Exception {
        sleep(30, "left_alone_by_its_client");
        second.send(FrontendBytes.query("SELECT 'second'"));
        awaitBehind(1);
        first.client().close();
        assertEquals("second", row(second.ready()));
        EndpointTest.await(() -> busy() == 0);
        first = multimed.open();
    }

    /** A session that waits for a connection may have to wait for something else again when it gets one. */
    @Test
    void whoCannotBeSentAfterAllIsNotWaitedFor() throws Exception {
        String ahead = "WITH v(x) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (0))"
                + " SELECT 'ahead' FROM v a, v b, v c, v d, v e, v f OFFSET 999999";
        String behind = "SELECT count(*) > 0 AS behind FROM pg_class";
        try {
            first.rows(ahead);
            second.rows(behind);
            third.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            third.rows("SELECT 'busy'");
            first.send(FrontendBytes.query(ahead));
            EndpointTest.await(() -> waiting() == 1);
            second.send(FrontendBytes.query(behind));
            EndpointTest.await(() -> waiting() == 2);
            multimed.catalog = DatabaseCatalog.UNKNOWN;
            third.send(FrontendBytes.query("COMMIT"));
            third.ready();
            assertEquals("ahead", row(first.ready()));
            multimed.catalog = DatabaseCatalog.EMPTY;
            assertEquals("t", row(second.ready()));
            assertEquals("1", third.value("SELECT 1"));
            EndpointTest.await(() -> multimed.satellite.active() == 0);
        } finally {
            multimed.catalog = DatabaseCatalog.EMPTY;
        }
    }

    /** Returns the number of clients' statements that the engine executes. */
    private static int busy() throws IOException {
        try (WireSession direct = multimed.openEngine()) {
            return Integer.parseInt(direct.value("SELECT count(*) FROM pg_stat_activity WHERE state = 'active'"
                    + " AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()"));
        }
    }

    private static int waiting() {
        return multimed.endpoint.backends(multimed.satellite).stream()
                .mapToInt(NodeBackends::waitingCount)
                .sum();
    }

    /** Lets the first client sleep, on the connection that the others use too. */
    private void sleep(double seconds, String as) throws Exception {
        first.rows("SELECT pg_sleep(0) AS " + as);
        first.send(FrontendBytes.query("SELECT pg_sleep(%s) AS %s".formatted(seconds, as)));
        EndpointTest.await(() -> multimed.satellite.active() == 1);
    }

    /** Waits until this number of units has been sent behind others since the test began. */
    private void awaitBehind(int units) throws Exception {
        EndpointTest.await(() -> count(NodeBackends::behindCount) == behindBefore + units);
    }

    private void awaitDisplaced(int units) throws Exception {
        EndpointTest.await(() -> count(NodeBackends::displacedCount) == displacedBefore + units);
    }

    private static long count(ToLongFunction<NodeBackends> value) {
        return multimed.endpoint.backends(multimed.satellite).stream()
                .mapToLong(value)
                .sum();
    }

    private static String row(List<Message> messages) {
        return texts(messages).getFirst();
    }

    private static String error(List<Message> messages) {
        return messages.get(messages.size() - 2).sqlState();
    }

    private static List<String> texts(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.type() == 'D')
                .findFirst()
                .orElseThrow(() -> new AssertionError(messages.toString()))
                .texts();
    }
}
