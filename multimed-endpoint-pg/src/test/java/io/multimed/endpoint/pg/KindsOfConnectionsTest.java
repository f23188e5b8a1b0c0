package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Long reads on connections whose processes yield, and transactions on connections whose processes do not. */
@Timeout(60)
class KindsOfConnectionsTest {
    private static final int CONNECTIONS = 8;
    private static final int TURNS = 20;

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    private final EveryReadTakesLong processes = new EveryReadTakesLong();
    private final List<WireSession> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void connect() throws IOException {
        multimed.processes = processes;
        multimed.restartEndpoint(options -> options.withLimits(
                options.limits().withConnections(CONNECTIONS, CONNECTIONS).withSharing(new ReadSharing(2, 32))));
        for (int c = 0; c < CONNECTIONS; c++) {
            clients.add(multimed.open());
        }
    }

    @AfterEach
    void disconnect() throws IOException {
        for (WireSession client : clients) {
            client.close();
        }
        threads.shutdown();
    }

    /** As many transactions run as there are connections for them, whatever the number of long reads besides. */
    @Test
    void doNotTakeRoomFromOneAnother() throws Exception {
        for (int turn = 0; turn < 3; turn++) {
            // A single connection that does not yield is used until such reads are known to be long.
            readLong(clients.getFirst());
        }
        all(this::readLong);
        int yielding = processes.yielding.size();
        assertTrue(yielding > 0);
        all(KindsOfConnectionsTest::read);
        assertEquals(CONNECTIONS, multimed.satellite.active());
        try (WireSession one = multimed.open()) {
            readLong(one);
        }
        // No transaction's connection had to yield to make room for another.
        assertEquals(yielding, processes.yielding.size());
        all(client -> client.rows("COMMIT"));
    }

    /** An engine that starts a process for every read is slow. */
    @Test
    void areNotClosedForOneAnotherWheneverTheOtherKindIsWanted() throws Exception {
        for (int turn = 0; turn < TURNS; turn++) {
            all(client -> {
                read(client);
                client.rows("COMMIT");
            });
            all(this::readLong);
        }
        assertFalse(processes.yielding.isEmpty());
        int begun = multimed.connectionsBegun.get();
        assertTrue(begun < 3 * CONNECTIONS, begun + " in " + TURNS + " turns");
    }

    /** Executes a long read that differs from the other clients' reads, so that none is coalesced. */
    private void readLong(WireSession client) throws IOException {
        client.rows("SELECT pg_sleep(0.005), " + (1 + clients.indexOf(client)));
    }

    /** Reads in a transaction that stays open. */
    private static void read(WireSession client) throws IOException {
        client.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        client.rows("SELECT pg_sleep(0.005); SELECT");
    }

    private interface Use {
        void of(WireSession client) throws IOException;
    }

    private void all(Use use) throws Exception {
        List<Callable<Void>> uses = new ArrayList<>();
        for (WireSession client : clients) {
            uses.add(() -> {
                use.of(client);
                return null;
            });
        }
        for (Future<Void> done : threads.invokeAll(uses)) {
            done.get();
        }
    }
}
