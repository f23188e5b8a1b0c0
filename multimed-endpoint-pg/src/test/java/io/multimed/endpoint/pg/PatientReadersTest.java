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
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Short reads behind one that takes as long as the test needs: they are not sent elsewhere meanwhile. */
@Timeout(60)
class PatientReadersTest {
    private static final int UNITS = 3;
    private static final int CLIENTS = 5;

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(options -> options.withLimits(
            options.limits().withConnections(4, 4).withSharing(new ReadSharing(1, UNITS, Duration.ofMinutes(10)))));

    private final List<WireSession> clients = new ArrayList<>();

    @BeforeEach
    void connect() throws IOException {
        for (int c = 0; c < CLIENTS; c++) {
            clients.add(multimed.open());
        }
        clients.getFirst().rows("SELECT 'short'");
    }

    @AfterEach
    void disconnect() throws IOException {
        for (WireSession client : clients) {
            client.close();
        }
    }

    @Test
    void waitForRoomInOrder() throws Exception {
        long open;
        try (LockedTable _ = readByTheFirst("in_order")) {
            open = sum(NodeBackends::size);
            allOthersRead();
        }
        for (WireSession client : clients) {
            assertEquals(1, rows(client.ready()));
        }
        assertEquals(open, sum(NodeBackends::size));
    }

    @Test
    void areNotWaitedForWhenTheyGoAway() throws Exception {
        try (LockedTable _ = readByTheFirst("goes_away")) {
            allOthersRead();
            clients.get(2).client().close();
            clients.get(3).client().close();
        }
        assertEquals(1, rows(clients.get(4).ready()));
        EndpointTest.await(() -> multimed.satellite.active() == 0);
        assertEquals(0, sum(NodeBackends::waitingCount));
    }

    @Test
    void areCancelledWithoutTheOthers() throws Exception {
        try (LockedTable _ = readByTheFirst("left_alone")) {
            allOthersRead();
            clients.get(1).cancel();
            assertEquals("57014", clients.get(1).ready().getFirst().sqlState());
        }
        assertEquals(1, rows(clients.getFirst().ready()));
        for (WireSession other : clients.subList(2, CLIENTS)) {
            assertEquals(1, rows(other.ready()));
        }
        assertEquals("again", clients.get(1).value("SELECT 'again'"));
    }

    private LockedTable readByTheFirst(String as) throws Exception {
        return LockedTable.readBy(clients.getFirst(), multimed, as);
    }

    /** Lets all other clients read: some reads are sent behind the first, for the others there is no room. */
    private void allOthersRead() throws Exception {
        long behind = sum(NodeBackends::behindCount);
        for (int c = 1; c < CLIENTS; c++) {
            clients.get(c).send(FrontendBytes.query("SELECT 'short " + c + "'"));
            long sent = behind + Math.min(c, UNITS - 1);
            int waiting = Math.max(0, c - UNITS + 1);
            EndpointTest.await(
                    () -> sum(NodeBackends::behindCount) == sent && sum(NodeBackends::waitingCount) == waiting);
        }
    }

    private static long rows(List<Message> answer) {
        return answer.stream().filter(message -> message.type() == 'D').count();
    }

    private static long sum(ToLongFunction<NodeBackends> value) {
        return multimed.endpoint.backends(multimed.satellite).stream()
                .mapToLong(value)
                .sum();
    }
}
