package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Short reads when the one connection that two of them may share is full, and more connections could be opened. */
@Timeout(60)
class RoomOnSharedConnectionsTest {
    private static final int CLIENTS = 5;

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(options -> options.withLimits(
            options.limits().withConnections(4, 4).withSharing(new ReadSharing(1, 2, Duration.ofMillis(250)))));

    private final List<WireSession> clients = new ArrayList<>();

    @BeforeEach
    void connect() throws IOException {
        for (int c = 0; c < CLIENTS; c++) {
            clients.add(multimed.open());
        }
        // Reads of a known shape are sent at once.
        clients.getFirst().rows("SELECT pg_sleep(0) AS room");
        clients.getFirst().rows("SELECT 'short'");
    }

    @AfterEach
    void disconnect() throws IOException {
        for (WireSession client : clients) {
            client.close();
        }
    }

    @Test
    void getConnectionsOfTheirOwnWhenWhoHasItTakesLong() throws Exception {
        clients.getFirst().send(FrontendBytes.query("SELECT pg_sleep(5) AS room"));
        EndpointTest.await(() -> multimed.satellite.active() == 1);
        for (int c = 1; c < CLIENTS; c++) {
            clients.get(c).send(FrontendBytes.query("SELECT 'short'"));
        }
        for (int c = 1; c < CLIENTS; c++) {
            assertEquals(1, rows(clients.get(c).ready()));
        }
        assertEquals(1, multimed.satellite.active());
        clients.getFirst().cancel();
        clients.getFirst().ready();
    }

    /** A session that cannot share a connection comes first, and gets its own a moment later. */
    @Test
    void areNotKeptWaitingByWhoCannotShare() throws Exception {
        multimed.endpoint.nodeGone(multimed.satellite);
        EndpointTest.await(() -> sum(NodeBackends::size) == 0);
        clients.getFirst().send(FrontendBytes.query("SELECT pg_sleep(5) AS room"));
        EndpointTest.await(() -> sum(NodeBackends::size) == 1 && sum(NodeBackends::waitingCount) == 0);
        clients.get(1).send(FrontendBytes.query("BEGIN READ ONLY"), FrontendBytes.query("SELECT now()"));
        EndpointTest.await(() -> sum(NodeBackends::waitingCount) == 1 || multimed.satellite.active() == 2);
        clients.get(2).send(FrontendBytes.query("SELECT 'short'"));
        assertEquals(1, rows(clients.get(2).ready()));
        assertEquals(2, multimed.satellite.active());
        clients.getFirst().cancel();
        clients.getFirst().ready();
    }

    @Test
    void areAnsweredElsewhereWhenTheEngineIsLost() throws Exception {
        clients.getFirst().send(FrontendBytes.query("SELECT pg_sleep(0.15) AS room"));
        EndpointTest.await(() -> multimed.satellite.active() == 1);
        for (int c = 1; c < CLIENTS; c++) {
            clients.get(c).send(FrontendBytes.query("SELECT 'short'"));
        }
        multimed.endpoint.nodeGone(multimed.satellite);
        for (WireSession client : clients) {
            assertEquals(1, rows(client.ready()));
        }
    }

    private static long rows(List<Message> answer) {
        return answer.stream().filter(message -> message.type() == 'D').count();
    }

    private static int sum(ToIntFunction<NodeBackends> value) {
        return multimed.endpoint.backends(multimed.satellite).stream()
                .mapToInt(value)
                .sum();
    }
}
