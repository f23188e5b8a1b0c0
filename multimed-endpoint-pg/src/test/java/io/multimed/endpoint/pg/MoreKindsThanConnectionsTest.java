package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Clients of more kinds (roles, start-up parameters, names of parameters) than there may be connections: each is answered
 * nevertheless, over connections that replace each other.
 */
@Timeout(120)
class MoreKindsThanConnectionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int CONNECTIONS = 2;
    private static final int KINDS = 8;
    private static final int CLIENTS_EACH = 3;
    private static final int STATEMENTS = 10;

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(CONNECTIONS, CONNECTIONS)));

    @Test
    void everyClientIsAnswered() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> clients = new ArrayList<>();
            for (int client = 0; client < KINDS * CLIENTS_EACH; client++) {
                int number = client;
                clients.add(threads.submit(() -> {
                    ask(number);
                    return null;
                }));
            }
            for (Future<Void> client : clients) {
                client.get(100, TimeUnit.SECONDS);
            }
        }
    }

    private void ask(int client) throws IOException {
        int kind = client % KINDS;
        Map<String, String> startup = kind < KINDS / 2
                ? Map.of("user", "postgres", "database", "postgres", "work_mem", (kind + 1) + "MB")
                : Map.of("user", "postgres", "database", "postgres");
        try (WireSession session = WireSession.open(multimed.address(), startup, null, PATIENCE)) {
            if (kind >= KINDS / 2) {
                session.rows("SET app.kind" + kind + " = 'value'");
            }
            for (int i = 0; i < STATEMENTS; i++) {
                String expected = client + "_" + i;
                String from = i % 2 == 0 ? "" : ", pg_current_xact_id()";
                assertEquals(expected, session.value("SELECT '" + expected + "' FROM (VALUES (1)) AS v" + from));
            }
        }
    }
}
