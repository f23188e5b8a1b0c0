package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

/** Reads that take long, on connections whose processes yield, and transactions on connections whose processes do not. */
@Timeout(60)
class KindsOfConnectionsTest {
    private static final int CONNECTIONS = 8;
    private static final int TURNS = 20;

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    private final List<WireSession> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void connect() throws IOException {
        multimed.processes = new EveryReadTakesLong();
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

    /** As many transactions as there are connections for them are under way, however many read for long besides. */
    @Test
    void doNotTakeRoomFromOneAnother() throws Exception {
        for (int turn = 0; turn < 3; turn++) {
            all(client -> client.rows("SELECT pg_sleep(0.005), " + clients.indexOf(client)));
        }
        all(client -> client.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT pg_sleep(0.005); SELECT"));
        try (WireSession one = multimed.open()) {
            assertEquals("1", one.value("SELECT 1 FROM pg_sleep(0.005)"));
        }
        all(client -> client.rows("COMMIT"));
    }

    /** An engine in which a process begins for every read is a slow one. */
    @Test
    void areNotClosedForOneAnotherWheneverTheOtherKindIsWanted() throws Exception {
        for (int turn = 0; turn < TURNS; turn++) {
            all(client -> {
                client.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
                client.rows("SELECT pg_sleep(0.005); SELECT");
                client.rows("COMMIT");
            });
            all(client -> client.rows("SELECT pg_sleep(0.005), " + clients.indexOf(client)));
        }
        int begun = multimed.connectionsBegun.get();
        assertTrue(begun < 3 * CONNECTIONS, begun + " in " + TURNS + " turns");
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
