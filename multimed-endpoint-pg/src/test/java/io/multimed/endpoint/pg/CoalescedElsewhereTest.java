package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.core.counters.RouteCounters;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A read that several sessions request is executed once for all of them, on any event loops and for any Satellite they wait for.
 */
@Timeout(60)
@Tag("slow")
class CoalescedElsewhereTest {
    private static final int LOOPS = 2;
    /** Number of clients; new clients are assigned to the loops in turn. */
    private static final int CLIENTS = 2 * LOOPS;

    /** Each loop has one connection to each Satellite, which is not shared, so a second session waits. */
    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine(options -> options.withLoops(LOOPS)
                    .withLimits(options.limits().withConnections(4, LOOPS).withSharing(new ReadSharing(LOOPS, 1))))
            .withSecondSatellite();

    private final List<WireSession> clients = new ArrayList<>();
    private final List<WireSession> busy = new ArrayList<>();
    private WireSession locker;

    @BeforeEach
    void keepTheConnectionsBusy() throws Exception {
        locker = multimed.openEngine();
        locker.rows("CREATE TABLE shared (n int); INSERT INTO shared VALUES (1); CREATE TABLE locked ()");
        for (int i = 0; i < LOOPS; i++) {
            busy.add(multimed.open());
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(multimed.open());
        }
        for (WireSession each : busy) {
            // Reads of a known shape are sent at once.
            each.rows("SELECT count(*) AS busy FROM locked");
        }
        for (WireSession client : clients) {
            client.rows("SELECT n FROM shared");
            client.query("SELECT 1 / (n - 1) FROM shared");
        }
        locker.rows("BEGIN; LOCK TABLE locked");
        for (int i = 0; i < LOOPS; i++) {
            busy.get(i).send(FrontendBytes.query("SELECT count(*) AS busy FROM locked"));
        }
        EndpointTest.await(() -> multimed.satellite.active() == LOOPS);
    }

    @AfterEach
    void close() throws IOException {
        locker.close();
        for (WireSession session :
                Stream.concat(busy.stream(), clients.stream()).toList()) {
            session.close();
        }
    }

    @Test
    void clientsOfAllLoopsAreAnsweredWithOneExecution() throws Exception {
        allAsk();
        assertEquals(1, waiting(multimed.satellite.id().name()));
        change(2);
        unlock();
        for (WireSession client : clients) {
            assertEquals(List.of("2"), texts(client.ready()));
        }
        assertEquals(CLIENTS - 1, coalesced());
        assertGoOn();
    }

    @Test
    void whenWhoLeadsIsCancelledTheOthersAskForThemselves() throws Exception {
        clients.getFirst().send(FrontendBytes.query("SELECT n FROM shared"));
        EndpointTest.await(() -> waiting(multimed.satellite.id().name()) == 1);
        for (WireSession client : clients.subList(1, CLIENTS)) {
            client.send(FrontendBytes.query("SELECT n FROM shared"));
        }
        EndpointTest.await(() -> multimed.following() == CLIENTS - 1);
        clients.getFirst().cancel();
        assertEquals("57014", clients.getFirst().ready().getFirst().sqlState());
        // One of the followers leads now.
        EndpointTest.await(() -> multimed.following() == CLIENTS - 2);
        clients.getLast().cancel();
        assertEquals("57014", clients.getLast().ready().getFirst().sqlState());
        unlock();
        for (WireSession client : clients.subList(1, CLIENTS - 1)) {
            assertEquals(List.of("1"), texts(client.ready()));
        }
        assertGoOn();
    }

    @Test
    void errorIsToldToClientsOfAllLoops() throws Exception {
        for (WireSession client : clients) {
            client.send(FrontendBytes.query("SELECT 1 / (n - 1) FROM shared"));
        }
        EndpointTest.await(() -> multimed.following() == CLIENTS - 1);
        unlock();
        for (WireSession client : clients) {
            List<Message> answer = client.ready();
            assertEquals("TEZ", types(answer));
            assertEquals("22012", answer.get(1).sqlState());
        }
        assertGoOn();
    }

    /** Each loop has its own names for prepared statements, and uses the same name for different statements. */
    @Test
    void statementsAreTheSameByWhatTheyMeanNotByTheirNames() throws Exception {
        unlock();
        for (int i = 0; i < CLIENTS; i++) {
            String sql = i % LOOPS == 0 ? "SELECT n + 10 FROM shared" : "SELECT n + 20 FROM shared";
            clients.get(i).send(FrontendBytes.parse("s", sql), FrontendBytes.sync());
            clients.get(i).ready();
            ask(clients.get(i), "s");
            assertEquals(
                    List.of(i % LOOPS == 0 ? "11" : "21"), texts(clients.get(i).ready()));
        }
        lockAgain();
        for (WireSession client : clients) {
            ask(client, "s");
        }
        EndpointTest.await(() -> multimed.following() == CLIENTS - LOOPS);
        unlock();
        for (int i = 0; i < CLIENTS; i++) {
            assertEquals(
                    List.of(i % LOOPS == 0 ? "11" : "21"), texts(clients.get(i).ready()));
        }

        for (int i = 0; i < CLIENTS; i++) {
            clients.get(i).send(FrontendBytes.parse("t" + i, "SELECT n + 30 FROM shared"), FrontendBytes.sync());
            clients.get(i).ready();
        }
        lockAgain();
        long before = coalesced();
        for (int i = 0; i < CLIENTS; i++) {
            ask(clients.get(i), "t" + i);
        }
        EndpointTest.await(() -> multimed.following() == CLIENTS - 1);
        unlock();
        for (WireSession client : clients) {
            assertEquals(List.of("31"), texts(client.ready()));
        }
        assertEquals(CLIENTS - 1, coalesced() - before);
    }

    @Test
    void whoWouldWaitForOneSatelliteFollowsWhoWaitsForAnother() throws Exception {
        clients.getFirst().send(FrontendBytes.query("SELECT n FROM shared"));
        EndpointTest.await(() -> waiting("satellite-1") == 1);
        keepTheSecondSatelliteBusy();
        clients.get(1).send(FrontendBytes.query("SELECT n FROM shared"));
        EndpointTest.await(() -> multimed.following() == 1);
        assertEquals(0, waiting("satellite-2"));
        change(2);
        unlock();
        assertEquals(List.of("2"), texts(clients.get(0).ready()));
        assertEquals(List.of("2"), texts(clients.get(1).ready()));
        assertEquals("satellite-1: read on a fresh satellite", clients.get(1).value("SHOW multimed.route"));
    }

    @Test
    void whoNeedNotWaitFollowsNobody() throws Exception {
        clients.getFirst().send(FrontendBytes.query("SELECT n FROM shared"));
        EndpointTest.await(() -> waiting("satellite-1") == 1);
        serveOnTheSecondSatellite();
        assertEquals("1", clients.get(1).value("SELECT n FROM shared"));
        assertEquals("satellite-2: read on a fresh satellite", clients.get(1).value("SHOW multimed.route"));
        unlock();
        assertEquals(List.of("1"), texts(clients.getFirst().ready()));
    }

    /**
     * A read on a Satellite shows the SCN that the Satellite has applied, which may be below the one that another reader must see.
     */
    @Test
    void nobodyFollowsWhatWaitsForASatelliteThatIsBehind() throws Exception {
        clients.getFirst().send(FrontendBytes.query("SELECT n FROM shared"));
        EndpointTest.await(() -> waiting("satellite-1") == 1);
        keepTheSecondSatelliteBusy();
        multimed.log.commit(200, 1000);
        multimed.log.received(200);
        multimed.secondSatellite.applied(200);
        clients.get(1).send(FrontendBytes.query("SELECT n FROM shared"));
        EndpointTest.await(() -> waiting("satellite-2") == 1);
        assertEquals(0, multimed.following());
        multimed.satellite.applied(200);
        // The later one of two identical reads is joined.
        clients.get(2).send(FrontendBytes.query("SELECT n FROM shared"));
        EndpointTest.await(() -> multimed.following() == 1);
        unlock();
        for (WireSession client : clients.subList(0, 3)) {
            assertEquals(List.of("1"), texts(client.ready()));
        }
    }

    private static void ask(WireSession client, String prepared) throws IOException {
        client.send(
                FrontendBytes.bind("", prepared),
                FrontendBytes.describe('P', ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.sync());
    }

    private void serveOnTheSecondSatellite() {
        multimed.secondSatellite.applied(100);
        multimed.secondSatellite.serving(true);
    }

    private void keepTheSecondSatelliteBusy() throws Exception {
        serveOnTheSecondSatellite();
        for (int i = 0; i < LOOPS; i++) {
            WireSession client = multimed.open();
            busy.add(client);
            client.send(FrontendBytes.query("SELECT count(*) AS busy FROM locked"));
        }
        EndpointTest.await(() -> multimed.secondSatellite.active() == LOOPS && waiting("satellite-2") == 0);
    }

    private void unlock() throws IOException {
        locker.rows("COMMIT");
        for (WireSession each : busy) {
            each.ready();
        }
    }

    private void lockAgain() throws Exception {
        locker.rows("BEGIN; LOCK TABLE locked");
        for (WireSession each : busy) {
            each.send(FrontendBytes.query("SELECT count(*) AS busy FROM locked"));
        }
        EndpointTest.await(() -> multimed.satellite.active() == LOOPS);
    }

    private void allAsk() throws Exception {
        for (WireSession client : clients) {
            client.send(FrontendBytes.query("SELECT n FROM shared"));
        }
        EndpointTest.await(() -> multimed.following() == CLIENTS - 1);
    }

    private int waiting(String node) {
        return Stream.of(multimed.satellite, multimed.secondSatellite)
                .filter(satellite -> satellite.id().name().equals(node))
                .flatMap(satellite -> multimed.endpoint.backends(satellite).stream())
                .mapToInt(NodeBackends::waitingCount)
                .sum();
    }

    private void change(int n) throws IOException {
        try (WireSession owner = multimed.openEngine()) {
            owner.rows("UPDATE shared SET n = " + n);
        }
    }

    private void assertGoOn() throws IOException {
        for (WireSession client : clients) {
            assertEquals("on", client.value("SELECT 'on'"));
        }
        assertEquals(0, multimed.satellite.active());
        assertEquals(0, waiting("satellite-1"));
    }

    private long coalesced() {
        return multimed.endpoint.counters().stream()
                .mapToLong(RouteCounters::coalescedReads)
                .sum();
    }

    private static List<String> texts(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.type() == 'D')
                .findFirst()
                .orElseThrow(() -> new AssertionError(messages))
                .texts();
    }
}
